import { cn } from '#platform/ui/class-names.ts'
import { digits } from '#platform/ui/time-in-words.ts'
import { useFocusCountdown } from './focus-timer-provider.tsx'

/** The running time, beside the timer's entry on every page. In words it only says that it runs: digits would be read each second. */
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
