import { type ReactNode, useMemo, useState } from 'react'
import { StartTimerContext } from '#platform/browser/start-timer.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import type { FocusPlan } from '../plan/focus-plan.ts'
import { allowSound } from '../timer/web/allowed-sound.ts'
import { timerNow } from '../timer/web/focus-clock.ts'
import { ControlsContext, CountdownContext, TimerContext } from '../timer/web/focus-timer-context.ts'
import type { TimerControls } from '../timer/web/timer-controls.ts'
import type { ControlsOf, ShownTimer } from './running-timer.tsx'

interface FocusTimerProviderProps {
  /** Whether the person's time zone and day start are known. Until then nothing is recorded automatically. */
  calendarKnown: boolean
  /** The person's current plan. */
  plan: FocusPlan
  children: ReactNode
}

/**
 * Keeps the person's one focus timer running on every screen. Must be inside the SyncProvider and the calendar. The code of the
 * timer loads after the page. Until then no timer is shown, and presses wait; each counts from the instant at which it was made.
 */
export function FocusTimerProvider({ calendarKnown, plan, children }: FocusTimerProviderProps) {
  const [{ timer, countdown }, setShown] = useState<Partial<ShownTimer>>({})
  const [controls, setControls] = useMemo(waitingControls, [])
  const RunningTimer = usePart(LazyRunningTimer, true)

  return (
    <ControlsContext value={controls}>
      <StartTimerContext value={controls.startAbout}>
        <TimerContext value={timer}>
          <CountdownContext value={countdown}>
            {RunningTimer && (
              <RunningTimer
                calendarKnown={calendarKnown}
                plan={plan}
                onShown={setShown}
                onControls={setControls}
              />
            )}
            {children}
          </CountdownContext>
        </TimerContext>
      </StartTimerContext>
    </ControlsContext>
  )
}

const LazyRunningTimer = lazyPart(() => import('./running-timer.tsx'), 'RunningTimer', 'with the screen')

/** Returns controls that hold presses until the real controls are loaded, and a function that sets the real controls. */
function waitingControls(): readonly [TimerControls, (controlsOf: ControlsOf) => void] {
  let real: TimerControls | undefined
  let waiting: { press: (controls: TimerControls) => void; pressed: Instant }[] = []
  const pass = (press: (controls: TimerControls) => void) => {
    if (real) return press(real)
    // Browsers allow sound only during the press itself, so do not wait for the real controls.
    allowSound()
    waiting.push({ press, pressed: timerNow() })
  }
  const controls: TimerControls = {
    start: () => pass((to) => to.start()),
    pause: () => pass((to) => to.pause()),
    reset: () => pass((to) => to.reset()),
    save: () => pass((to) => to.save()),
    startBreak: () => pass((to) => to.startBreak()),
    startFocus: () => pass((to) => to.startFocus()),
    lengthenBreak: (minutes) => pass((to) => to.lengthenBreak(minutes)),
    stillGoing: () => pass((to) => to.stillGoing()),
    countUp: (up) => pass((to) => to.countUp(up)),
    chooseSubject: (subject) => pass((to) => to.chooseSubject(subject)),
    startAbout: (subject) => pass((to) => to.startAbout(subject)),
  }
  const setControls = (controlsOf: ControlsOf) => {
    real = controlsOf()
    const before = waiting
    waiting = []
    for (const { press, pressed } of before) press(controlsOf(pressed))
  }
  return [controls, setControls]
}
