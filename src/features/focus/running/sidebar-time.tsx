import { cn } from '#platform/ui/class-names.ts'
import { isBreakKind } from '../timer/phase.ts'
import { useFocusCountdown } from '../timer/web/focus-timer-context.ts'
import { timerDigits } from '../timer/web/timer-digits.ts'

/**
 * The running time beside the timer's entry in the sidebar. Its text for screen readers says only that the timer runs: they would
 * read digits aloud every second.
 */
export function SidebarTime() {
  const countdown = useFocusCountdown()
  if (countdown?.status !== 'running' && countdown?.status !== 'paused') return null
  const running = countdown.status === 'running'
  const onBreak = isBreakKind(countdown.kind)
  return (
    <>
      <span
        aria-hidden="true"
        className={cn(
          'ml-auto text-small font-medium tabular-nums',
          !running ? 'text-ink-3' : onBreak ? 'text-ink-2' : 'text-amber-ink',
        )}
      >
        {timerDigits(countdown)}
      </span>
      <span className="sr-only">, {onBreak ? 'break' : running ? 'running' : 'paused'}</span>
    </>
  )
}
