import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'

/** Loaded after the screen, since only dialogs show it. */
export function LatePushPermissionNote() {
  const PushPermissionNote = usePart(LazyPushPermissionNote, false)
  return PushPermissionNote && <PushPermissionNote />
}

const LazyPushPermissionNote = lazyPart(
  () => import('./push-permission-note.tsx'),
  'PushPermissionNote',
  'after the screen',
)
