import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { dayOf, type Instant } from '#platform/calendar/day.ts'
import { isInFront, isInUse, useHoldWhileInUse, watchInFront } from '#platform/ui/in-use.ts'
import { clockTime, durationInWords, weekday } from '#platform/ui/time-in-words.ts'
import { toast } from '#platform/ui/toast.ts'
import { useToday, useUserCalendar } from '#platform/ui/user-calendar.tsx'
import { type FocusTimer, type Run, runSeconds } from '../timer.ts'
import { chime } from './chime.ts'
import { timerNow } from './focus-clock.ts'
import { notify } from './notification.ts'

/** Whoever comes back later than this has missed the end: nothing rings, they are told when it was. */
const justNow = 60_000

const recorded = `Recorded ${durationInWords(runSeconds)}.`

/**
 * By sound, by notification to someone who looks elsewhere, and on other pages by a toast. Answers true while someone who
 * looked elsewhere at the end has not come back to this tab.
 */
export function useTellOfTheEnd(timer: FocusTimer | undefined): boolean {
  const before = useRef<FocusTimer>(undefined)
  const [missed, setMissed] = useState(false)
  const onTimersPage = useLocation({ select: ({ pathname }) => pathname === '/focus' })
  const { timeZone, dayStart } = useUserCalendar()
  const today = useToday()
  useHoldWhileInUse()

  const tell = useEffectEvent(async (run: Run) => {
    const ended = run.stretches.at(-1)?.to ?? 0
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
    if (last?.status === 'running' && over && last.run.id === timer.run.id) void tell(timer.run)
    if (!over) setMissed(false)
  }, [timer])

  useEffect(() => {
    if (!missed) return
    return watchInFront(() => isInFront() && setMissed(false))
  }, [missed])

  return missed
}
