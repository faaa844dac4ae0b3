import { Link } from '@tanstack/react-router'
import { Pause, Play } from 'lucide-react'
import { digits } from '#platform/format/format-time.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { useFocusCountdown, useFocusTimer } from './focus-timer-provider.tsx'

/** The timer at the bottom of a phone's other screens, from its start until it is saved or reset. */
export function FocusStrip() {
  const countdown = useFocusCountdown()
  const timer = useFocusTimer()
  if (countdown?.status !== 'running' && countdown?.status !== 'paused') return null
  const running = countdown.status === 'running'
  return (
    <section
      aria-label="Focus timer"
      className="flex min-h-14 items-center gap-2 pr-2 pl-4 shadow-[inset_0_-1px_0_var(--line)]"
    >
      <Link to="/focus" className="flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-control">
        <span
          aria-hidden="true"
          className={cn('text-body font-medium tabular-nums', running ? 'text-amber-ink' : 'text-ink-3')}
        >
          {digits(countdown.secondsLeft)}
        </span>
        <span className="truncate text-control text-ink-2">{running ? 'Focusing' : 'Paused'}</span>
      </Link>
      <Button variant="quiet" onClick={running ? timer.pause : timer.start}>
        {running ? <Pause /> : <Play />}
        {running ? 'Pause' : 'Start'}
      </Button>
    </section>
  )
}
