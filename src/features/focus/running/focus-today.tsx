import { Link } from '@tanstack/react-router'
import { Pause, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { useToday } from '#platform/browser/clock/user-calendar.tsx'
import { formatDuration } from '#platform/format/format-time.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { secondsOn } from '../sessions/focus-session.ts'
import { focusSessionCollection } from '../sessions/focus-session-collection.ts'
import type { FocusSubject } from '../subjects/focus-subject.ts'
import { isBreakKind } from '../timer/phase.ts'
import { useFocusCountdown, useFocusTimer, useStandingTimer } from '../timer/web/focus-timer-context.ts'
import { timerDigits } from '../timer/web/timer-digits.ts'
import { FocusBlocks } from './focus-blocks.tsx'

interface FocusTodayProps {
  variant: 'secondary' | 'quiet'
  /** Renders the name of the subject. */
  subject(subject: FocusSubject): ReactNode
  className?: string
}

/** Today's focus so far, or the timer while it is running or paused, with the button that starts or pauses the timer. */
export function FocusToday({ variant, subject, className }: FocusTodayProps) {
  const countdown = useFocusCountdown()
  const timer = useFocusTimer()
  const standing = useStandingTimer()
  const running = countdown?.status === 'running'
  const onBreak = countdown !== undefined && isBreakKind(countdown.kind)
  const main =
    running && !onBreak
      ? { label: 'Pause', icon: <Pause />, press: timer.pause }
      : onBreak
        ? { label: 'Start focus', icon: <Play />, press: timer.startFocus }
        : { label: 'Start', icon: <Play />, press: timer.startFocus }
  return (
    <section aria-label="Focus timer" className={cn('flex items-center gap-4', className)}>
      <Link
        to="/focus"
        className="flex min-h-11 min-w-0 flex-1 items-center gap-2 rounded-control text-control text-ink-2"
      >
        {countdown && (running || countdown.status === 'paused') ? (
          <>
            <span
              aria-hidden="true"
              className={cn(
                'text-body font-medium tabular-nums',
                !running ? 'text-ink-3' : onBreak ? 'text-ink-2' : 'text-amber-ink',
              )}
            >
              {timerDigits(countdown)}
            </span>
            <span className="truncate">
              {onBreak ? (
                'Break'
              ) : (
                <>
                  {running ? (
                    <span className={standing?.subject && 'sr-only'}>Focusing</span>
                  ) : (
                    <span>Paused</span>
                  )}
                  {standing?.subject && (
                    <>
                      {!running && ', '} {subject(standing.subject)}
                    </>
                  )}
                </>
              )}
            </span>
          </>
        ) : (
          <FocusedSoFar />
        )}
      </Link>
      <Button variant={variant} onClick={main.press} className={cn(variant === 'secondary' && 'pl-3')}>
        {main.icon}
        {main.label}
      </Button>
    </section>
  )
}

/** The most sessions that are drawn as blocks. With more, only the sum is shown. */
const mostBlocks = 6

function FocusedSoFar() {
  const { rows } = useCollection(focusSessionCollection)
  const today = useToday()
  if (!rows) return <span className="sr-only">Focus timer</span>
  const sessions = rows.filter(({ days }) => days.some(({ day }) => day === today))
  if (sessions.length === 0) return <span className="text-ink-3">No focus yet today</span>
  const seconds = sessions.reduce((sum, session) => sum + secondsOn(session, today), 0)
  return (
    <>
      {sessions.length <= mostBlocks && <FocusBlocks sessions={sessions} />}
      <span className="min-w-0 truncate">
        <span className="font-medium text-ink tabular-nums">{formatDuration(seconds)}</span> focused today
      </span>
    </>
  )
}
