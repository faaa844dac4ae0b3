import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { useFocusCountdown } from '../timer/web/focus-timer-context.ts'

/**
 * The running time in the sidebar. Its code loads after the timer's code, since the sidebar can show nothing before the timer is
 * known.
 */
export function LateSidebarTime() {
  const SidebarTime = usePart(LazySidebarTime, useFocusCountdown() !== undefined)
  return SidebarTime && <SidebarTime />
}

const LazySidebarTime = lazyPart(() => import('./sidebar-time.tsx'), 'SidebarTime', 'with the screen')
