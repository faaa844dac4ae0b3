import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { useFocusCountdown } from '../timer/web/focus-timer-context.ts'

/** The running time, whose code comes with that of the timer: until then nothing of it is known. */
export function LateSidebarTime() {
  const SidebarTime = usePart(LazySidebarTime, useFocusCountdown() !== undefined)
  return SidebarTime && <SidebarTime />
}

const LazySidebarTime = lazyPart(() => import('./sidebar-time.tsx'), 'SidebarTime', 'with the screen')
