import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { useFocusCountdown } from '../timer/web/focus-timer-context.ts'

/** The running time in the sidebar. Its code loads once the timer's code is there, as nothing can be shown before. */
export function LateSidebarTime() {
  const SidebarTime = usePart(LazySidebarTime, useFocusCountdown() !== undefined)
  return SidebarTime && <SidebarTime />
}

const LazySidebarTime = lazyPart(() => import('./sidebar-time.tsx'), 'SidebarTime', 'with the screen')
