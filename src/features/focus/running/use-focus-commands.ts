import { Pause, Play, RotateCcw } from 'lucide-react'
import type { Command } from '#platform/ui/command.ts'
import { isBreakKind } from '../timer/phase.ts'
import type { Shown } from '../timer/timer.ts'
import { useFocusCountdown, useFocusTimer } from '../timer/web/focus-timer-context.ts'
import { startOrPause } from '../timer/web/timer-shortcuts.ts'

/** The commands for the focus timer that are available now. */
export function useFocusCommands(): Command[] {
  const timer = useFocusTimer()
  const countdown = useFocusCountdown()
  const status = countdown?.status
  const isBegun = status === 'running' || status === 'paused'
  // A break cannot be paused. During a break the command starts the next focus phase.
  const onBreak = countdown !== undefined && isBegun && isBreakKind(countdown.kind)
  const startOrPauseIt: Command =
    status === 'running' && !onBreak
      ? { id: 'pause-timer', label: 'Pause the timer', icon: Pause, run: timer.pause }
      : { id: 'start-timer', label: startWords(status, onBreak), icon: Play, run: timer.startFocus }
  return [
    { ...startOrPauseIt, also: 'focus', shortcut: startOrPause },
    ...(isBegun
      ? [{ id: 'reset-timer', label: 'Reset the timer', also: 'focus', icon: RotateCcw, run: timer.reset }]
      : []),
  ]
}

function startWords(status: Shown['status'] | undefined, onBreak: boolean): string {
  if (onBreak) return 'Start focus'
  return status === 'paused' ? 'Resume the timer' : 'Start the timer'
}
