import { type ReactNode, useMemo, useState } from 'react'
import { useTitleNote } from '#platform/browser/window-title.ts'
import { digits } from '#platform/format/format-time.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import type { FocusPlan } from '../focus-plan.ts'
import type { Shown } from '../timer.ts'
import { ControlsContext, CountdownContext, TimerContext } from './focus-timer-context.ts'
import { useArmedChime } from './use-armed-chime.ts'
import { useCountdown } from './use-countdown.ts'
import { useOneTimer } from './use-one-timer.ts'
import { useTimerControls } from './use-timer-controls.ts'

interface FocusTimerProviderProps {
  /** Whether the person's own zone and day start are known: until then nothing is recorded automatically. */
  calendarKnown: boolean
  /** The person's plan now. */
  plan: FocusPlan
  children: ReactNode
}

/**
 * Keeps the person's one focus timer going on every screen: its end is noticed and recorded whichever page is open.
 * Must be inside the SyncProvider and the calendar.
 */
export function FocusTimerProvider({ calendarKnown, plan, children }: FocusTimerProviderProps) {
  const { timer, press, notice, refetch } = useOneTimer(calendarKnown, plan)
  const controls = useTimerControls(press)
  const finding = useMemo(
    () => (calendarKnown ? { notice, refetch } : undefined),
    [calendarKnown, notice, refetch],
  )
  const countdown = useCountdown(timer, plan, finding)
  useArmedChime(timer?.status === 'running')
  const [missed, setMissed] = useState(false)
  const AnnounceEnd = usePart(LazyAnnounceEnd, false)
  useTitleNote(missed ? "Time's up!" : countdown && titleOf(countdown))

  return (
    <ControlsContext value={controls}>
      <TimerContext value={timer}>
        {AnnounceEnd && <AnnounceEnd onMissed={setMissed} />}
        <CountdownContext value={countdown}>{children}</CountdownContext>
      </TimerContext>
    </ControlsContext>
  )
}

function titleOf({ status, secondsLeft }: Shown): string | undefined {
  if (status === 'running') return digits(secondsLeft)
  return status === 'paused' ? `Paused ${digits(secondsLeft)}` : undefined
}

const LazyAnnounceEnd = lazyPart(() => import('./announce-end.tsx'), 'AnnounceEnd', 'with the screen')
