import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { isInFront, isInUse, useInUseLock, watchInFront } from '#platform/browser/device/in-use.ts'
import { dayOf, type Instant } from '#platform/calendar/day.ts'
import { clockTime, formatDuration, weekday } from '#platform/format/format-time.ts'
import { toast } from '#platform/ui/toasts/toast.ts'
import { focusedFor, isBreakKind, type Phase, type Run } from '../timer/phase.ts'
import { endedPhase, type FocusTimer } from '../timer/timer.ts'
import { timerNow } from '../timer/web/focus-clock.ts'
import { useFocusCountdown, useFocusTimer, useStandingTimer } from '../timer/web/focus-timer-context.ts'
import { endWords, unansweredWords } from '../timer/web/phase-words.ts'
import { chime } from './chime.ts'
import { notify } from './notification.ts'

/**
 * Milliseconds after the end of a phase. A person who returns later missed the end: no sound plays, and a toast says when it was.
 */
const justNow = 60_000

interface AnnounceEndProps {
  /** Gets the note for the page title when a phase ends out of the person's sight, and undefined once they have seen the end. */
  onMissed(missed: string | undefined): void
}

/**
 * Announces the end of a phase: with a sound, with a notification if the person is looking elsewhere, and with a toast on pages
 * other than the timer's. Asks 'Still focusing?' in the same ways after hours of counting up. Renders nothing.
 */
export function AnnounceEnd({ onMissed }: AnnounceEndProps) {
  const timer = useStandingTimer()
  const controls = useFocusTimer()
  const before = useRef<FocusTimer>(undefined)
  const [missed, setMissed] = useState<string>()
  const onTimersPage = useLocation({ select: ({ pathname }) => pathname === '/focus' })
  const { timeZone, dayStart } = useUserCalendar()
  const today = useToday()
  useInUseLock()

  const announceEnd = useEffectEvent(async (run: Run, kind: Phase['kind']) => {
    const ended = run.stretches.at(-1)?.to ?? 0
    const onBreak = isBreakKind(kind)
    const recorded = onBreak
      ? 'Ready to focus?'
      : `Recorded ${formatDuration(Math.floor(focusedFor(run) / 1_000))}.`
    if (timerNow() - ended > justNow) {
      if (onBreak) toast(`Your break ended ${when(ended)}`)
      else toast(`The focus timer ended ${when(ended)}`, { description: recorded })
      return
    }
    void chime(run.id)
    if (!onTimersPage) toast(endWords(kind), { description: recorded })
    setMissed(isInFront() ? undefined : onBreak ? 'Break is over' : "Time's up!")
    if (!(await isInUse())) notify(run.id, endWords(kind), recorded)
  })
  const when = (ended: Instant) => {
    const time = `at ${clockTime(ended, timeZone)}`
    return dayOf(ended, timeZone, dayStart) === today ? time : `on ${weekday(ended, timeZone)} ${time}`
  }

  useEffect(() => {
    const last = before.current
    before.current = timer
    const ended = last && timer && endedPhase(last, timer)
    if (ended) void announceEnd(ended.run, ended.kind)
    // The timer has moved on, so clear the note. The branch above treats a break that begins by itself as an end.
    else if (timer?.status !== 'finished') setMissed(undefined)
  }, [timer])

  const countdown = useFocusCountdown()
  const asks = countdown?.asks ?? false
  const ask = useEffectEvent(async () => {
    const run = timer?.status === 'running' ? timer.run.id : undefined
    if (run === undefined || !countdown) return
    const description = unansweredWords(countdown)
    void chime(`${run}-asks`)
    if (!onTimersPage) {
      const action = { label: 'Still going', onClick: controls.stillGoing }
      toast('Still focusing?', { id: `asks-${run}`, description, action })
    }
    if (!(await isInUse())) notify(run, 'Still focusing?', description)
  })
  useEffect(() => {
    if (asks) void ask()
  }, [asks])

  useEffect(() => {
    if (missed === undefined) return
    return watchInFront(() => isInFront() && setMissed(undefined))
  }, [missed])

  useEffect(() => onMissed(missed), [missed, onMissed])

  return null
}
