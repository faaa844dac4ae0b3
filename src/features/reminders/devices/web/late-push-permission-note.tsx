import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'

/** Only dialogs show it, so it is loaded after the screen. */
export function LatePushPermissionNote() {
  const PushPermissionNote = usePart(LazyPushPermissionNote, false)
  return PushPermissionNote && <PushPermissionNote />
}

const LazyPushPermissionNote = lazyPart(
  () => import('./push-permission-note.tsx'),
  'PushPermissionNote',
  'after the screen',
)
