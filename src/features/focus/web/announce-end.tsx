import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isInFront, isInUse, useInUseLock, watchInFront } from '#platform/browser/in-use.ts'
import { useToday, useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { dayOf, type Instant } from '#platform/calendar/day.ts'
import { clockTime, formatDuration, weekday } from '#platform/format/format-time.ts'
import { toast } from '#platform/ui/overlays/toast.ts'
import { type FocusTimer, focusedFor, type Run } from '../timer.ts'
import { chime } from './chime.ts'
import { timerNow } from './focus-clock.ts'
import { useStandingTimer } from './focus-timer-context.ts'
import { notify } from './notification.ts'

/** Anyone who comes back later than this has missed the end: nothing rings, and they are told when it was. */
const justNow = 60_000

interface AnnounceEndProps {
  /** Told true while someone who was looking elsewhere at the end has not come back to this tab. */
  onMissed(missed: boolean): void
}

/**
 * Announces the end by a sound, by a notification to someone who is looking elsewhere, and on other pages by a toast.
 * Draws nothing.
 */
export function AnnounceEnd({ onMissed }: AnnounceEndProps) {
  const timer = useStandingTimer()
  const before = useRef<FocusTimer>(undefined)
  const [missed, setMissed] = useState(false)
  const onTimersPage = useLocation({ select: ({ pathname }) => pathname === '/focus' })
  const { timeZone, dayStart } = useUserCalendar()
  const today = useToday()
  useInUseLock()

  const announceEnd = useEffectEvent(async (run: Run) => {
    const ended = run.stretches.at(-1)?.to ?? 0
    const recorded = `Recorded ${formatDuration(Math.floor(focusedFor(run) / 1_000))}.`
    if (timerNow() - ended > justNow) {
      toast(`The focus timer ended ${when(ended)}`, { description: recorded })
      return
    }
    void chime(run.id)
    if (!onTimersPage) toast("Time's up! Great work!", { description: recorded })
    setMissed(!isInFront())
    if (!(await isInUse())) notify(run.id, "Time's up! Great work!", recorded)
  })
  const when = (ended: Instant) => {
    const time = `at ${clockTime(ended, timeZone)}`
    return dayOf(ended, timeZone, dayStart) === today ? time : `on ${weekday(ended, timeZone)} ${time}`
  }

  useEffect(() => {
    const last = before.current
    before.current = timer
    const over = timer?.status === 'finished'
    if (last?.status === 'running' && over && last.run.id === timer.run.id) void announceEnd(timer.run)
    if (!over) setMissed(false)
  }, [timer])

  useEffect(() => {
    if (!missed) return
    return watchInFront(() => isInFront() && setMissed(false))
  }, [missed])

  useEffect(() => onMissed(missed), [missed, onMissed])

  return null
}
