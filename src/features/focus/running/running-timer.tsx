import { useEffect, useMemo, useState } from 'react'
import { useTitleNote } from '#platform/browser/device/window-title.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { AnnounceEnd } from '../phase-end/announce-end.tsx'
import { useArmedChime } from '../phase-end/use-armed-chime.ts'
import type { FocusPlan } from '../plan/focus-plan.ts'
import { isBreakKind } from '../timer/phase.ts'
import type { FocusTimer, Shown } from '../timer/timer.ts'
import { type TimerControls, timerControls } from '../timer/web/timer-controls.ts'
import { timerDigits } from '../timer/web/timer-digits.ts'
import { useOneTimer } from '../timer/web/use-one-timer.ts'
import { useCountdown } from './use-countdown.ts'

/** The state of the timer that other parts of the app show. */
export interface ShownTimer {
  timer: FocusTimer | undefined
  countdown: Shown | undefined
}

/** Returns the controls for presses made at the instant `pressed`, or made now if it is left out. */
export type ControlsOf = (pressed?: Instant) => TimerControls

interface RunningTimerProps {
  calendarKnown: boolean
  plan: FocusPlan
  onShown(shown: ShownTimer): void
  onControls(controlsOf: ControlsOf): void
}

/** The timer itself: notices the end of a phase on every page, and hands its state and controls to the provider around it. */
export function RunningTimer({ calendarKnown, plan, onShown, onControls }: RunningTimerProps) {
  const { timer, press, notice, refetch } = useOneTimer(calendarKnown, plan)
  const finding = useMemo(
    () => (calendarKnown ? { notice, refetch } : undefined),
    [calendarKnown, notice, refetch],
  )
  const countdown = useCountdown(timer, plan, finding)
  useEffect(() => onControls((pressed) => timerControls(press, pressed)), [press, onControls])
  useEffect(() => onShown({ timer, countdown }), [timer, countdown, onShown])
  useArmedChime(timer?.status === 'running')
  const [missed, setMissed] = useState<string>()
  useTitleNote(missed ?? (countdown && titleOf(countdown)))
  return <AnnounceEnd onMissed={setMissed} />
}

function titleOf(shown: Shown): string | undefined {
  const { status, kind } = shown
  if (status === 'running') return `${isBreakKind(kind) ? 'Break ' : ''}${timerDigits(shown)}`
  return status === 'paused' ? `Paused ${timerDigits(shown)}` : undefined
}
