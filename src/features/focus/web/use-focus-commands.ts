import { Pause, Play, RotateCcw } from 'lucide-react'
import type { Command } from '#platform/ui/command.ts'
import { startOrPause } from './focus-shortcuts.ts'
import { useFocusCountdown, useFocusTimer } from './focus-timer-context.ts'

/** What the focus timer can be told to do now. */
export function useFocusCommands(): Command[] {
  const timer = useFocusTimer()
  const status = useFocusCountdown()?.status
  const runs = status === 'running'
  const isBegun = runs || status === 'paused'
  const startOrPauseIt: Command = runs
    ? { id: 'pause-timer', label: 'Pause the timer', icon: Pause, run: timer.pause }
    : {
        id: 'start-timer',
        label: status === 'paused' ? 'Resume the timer' : 'Start the timer',
        icon: Play,
        run: timer.start,
      }
  return [
    { ...startOrPauseIt, also: 'focus', shortcut: startOrPause },
    ...(isBegun
      ? [{ id: 'reset-timer', label: 'Reset the timer', also: 'focus', icon: RotateCcw, run: timer.reset }]
      : []),
  ]
}
