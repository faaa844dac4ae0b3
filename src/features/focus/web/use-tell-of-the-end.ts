import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { toast } from '#platform/ui/toast.ts'
import { useUserCalendar } from '#platform/ui/user-calendar.tsx'
import type { FocusTimer, Run } from '../timer.ts'
import { chime } from './chime.ts'
import { notify } from './notification.ts'
import { clockTime } from './time-in-words.ts'

/** Whoever comes back later than this has missed the end: nothing rings, they are told when it was. */
const justNow = 60_000

/** By sound, by notification to someone who looks elsewhere, and on other pages by a toast. */
export function useTellOfTheEnd(timer: FocusTimer | undefined): void {
  const before = useRef<FocusTimer>(undefined)
  const onTimersPage = useLocation({ select: ({ pathname }) => pathname === '/focus' })
  const { timeZone } = useUserCalendar()

  const tell = useEffectEvent((run: Run) => {
    const ended = run.stretches.at(-1)?.to ?? 0
    if (Date.now() - ended > justNow) {
      toast(`The focus timer ended at ${clockTime(ended, timeZone)}`, { description: '25 min are recorded.' })
      return
    }
    void chime(run.id)
    notify(run.id, "Time's up! Great work!", '25 min are recorded.')
    if (!onTimersPage) toast("Time's up! Great work!", { description: '25 min are recorded.' })
  })

  useEffect(() => {
    const last = before.current
    before.current = timer
    if (last?.status === 'running' && timer?.status === 'finished' && last.run.id === timer.run.id)
      tell(timer.run)
  }, [timer])
}
