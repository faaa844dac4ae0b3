import { chartBar, chartEnds } from '#features/analytics/web/chart-shortcuts.ts'
import { startOrPause } from '#features/focus/web/focus-shortcuts.ts'
import { newHabit, stripDay, stripEnds } from '#features/habits/web/habit-shortcuts.ts'
import { cancelEdit, newTask, saveTask } from '#features/todos/web/todo-shortcuts.ts'
import type { Shortcut } from '#platform/browser/shortcuts.ts'
import { yearDay, yearEnds, yearMonth, yearWeek, yearWeekEnds } from '#platform/ui/charts/year-shortcuts.ts'
import { goToNotifications } from '#platform/ui/overlays/toast-shortcuts.ts'
import { showShortcuts, toggleSidebar } from './shell-shortcuts.ts'

interface ShortcutGroup {
  name: string
  shortcuts: readonly Shortcut[]
}

/** Every shortcut, as the dialog lists them. `listed-shortcuts.test.ts` finds any that is missing. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  { name: 'Everywhere', shortcuts: [toggleSidebar, goToNotifications, showShortcuts] },
  { name: 'Tasks', shortcuts: [newTask, saveTask, cancelEdit] },
  { name: 'Habits', shortcuts: [newHabit] },
  { name: 'Focus Timer', shortcuts: [startOrPause] },
  { name: "In a habit's last seven days", shortcuts: [stripDay, stripEnds] },
  { name: 'In a chart', shortcuts: [chartBar, chartEnds] },
  { name: 'In a year view', shortcuts: [yearDay, yearWeek, yearMonth, yearWeekEnds, yearEnds] },
]
