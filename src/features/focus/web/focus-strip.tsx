import { useFocusCountdown } from './focus-timer-context.ts'
import { FocusToday } from './focus-today.tsx'

/** The timer at the bottom of a phone's other screens, from its start until it is saved or reset; with `always`, at any time. */
export function FocusStrip({ always }: { always: boolean }) {
  const status = useFocusCountdown()?.status
  if (!always && status !== 'running' && status !== 'paused') return null
  return <FocusToday variant="quiet" className="min-h-14 pr-2 pl-4 shadow-[inset_0_-1px_0_var(--line)]" />
}
