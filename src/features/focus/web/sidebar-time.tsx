import { digits } from '#platform/format/format-time.ts'
import { cn } from '#platform/ui/class-names.ts'
import { useFocusCountdown } from './focus-timer-context.ts'

/**
 * The running time, beside the timer's entry on every page. As text it only says that it runs: digits would be read
 * aloud every second.
 */
export function SidebarTime() {
  const countdown = useFocusCountdown()
  if (countdown?.status !== 'running' && countdown?.status !== 'paused') return null
  const running = countdown.status === 'running'
  return (
    <>
      <span
        aria-hidden="true"
        className={cn(
          'ml-auto text-small font-medium tabular-nums',
          running ? 'text-amber-ink' : 'text-ink-3',
        )}
      >
        {digits(countdown.secondsLeft)}
      </span>
      <span className="sr-only">, {running ? 'running' : 'paused'}</span>
    </>
  )
}
