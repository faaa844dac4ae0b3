import { chartBar, chartEnds } from '#features/analytics/chart/chart-shortcuts.ts'
import { planStep } from '#features/focus/plan/web/plan-shortcuts.ts'
import { startOrPause } from '#features/focus/timer/web/timer-shortcuts.ts'
import {
  editHabitDay,
  moveHabit,
  nearbyHabit,
  newHabit,
  nextHabit,
  skipHabitDay,
  stripDay,
  stripEnds,
} from '#features/habits/habit/web/habit-shortcuts.ts'
import { leaveListName, moveList } from '#features/lists/sidebar/list-shortcuts.ts'
import {
  cancelEdit,
  chooseAll,
  closeDetails,
  deleteChosen,
  deleteTask,
  dueDateOfTask,
  editTask,
  endChoice,
  extendChoice,
  listOfTask,
  menuOfTask,
  moveSubtask,
  moveTask,
  moveTaskByDay,
  nearbyTask,
  newTask,
  nextSubtask,
  nextTask,
  openTask,
  priorityOfTask,
  removeSubtask,
  saveTask,
  skipDay,
  subtaskOfTask,
  tagChosen,
  timerForTask,
} from '#features/todos/todo/web/todo-shortcuts.ts'
import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { yearDay, yearEnds, yearMonth, yearWeek, yearWeekEnds } from '#platform/ui/charts/year-shortcuts.ts'
import {
  calendarDay,
  calendarMonth,
  calendarWeek,
  calendarWeekEnds,
  timeStep,
} from '#platform/ui/dates/date-shortcuts.ts'
import { nearbyResult, openResult, tickResult } from '#platform/ui/search/search-dialog-shortcuts.ts'
import { findInList, leaveSearch, searchScreen } from '#platform/ui/search/search-shortcuts.ts'
import { goToNotifications } from '#platform/ui/toasts/toast-shortcuts.ts'
import { goToAnalytics, goToFocus, goToHabits, goToToday, goToTodos, goToUpcoming } from './go-shortcuts.ts'
import { openPalette } from './palette-shortcuts.ts'
import { showShortcuts, toggleSidebar } from './shell-shortcuts.ts'
import { redo, undo } from './undo-shortcuts.ts'

interface ShortcutGroup {
  name: string
  shortcuts: readonly Shortcut[]
}

/** Every shortcut, as the dialog lists them. `listed-shortcuts.test.ts` reports any that is missing. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    name: 'Everywhere',
    shortcuts: [openPalette, searchScreen, undo, redo, toggleSidebar, goToNotifications, showShortcuts],
  },
  {
    name: 'Screens',
    shortcuts: [goToToday, goToUpcoming, goToTodos, goToHabits, goToFocus, goToAnalytics],
  },
  { name: 'In a search', shortcuts: [findInList, nearbyResult, openResult, tickResult, leaveSearch] },
  { name: 'Tasks', shortcuts: [newTask, saveTask, cancelEdit, moveTask] },
  { name: 'In Upcoming', shortcuts: [moveTaskByDay] },
  {
    name: 'On the checkbox of a task',
    shortcuts: [
      openTask,
      nearbyTask,
      nextTask,
      editTask,
      dueDateOfTask,
      listOfTask,
      priorityOfTask,
      subtaskOfTask,
      timerForTask,
      menuOfTask,
      deleteTask,
    ],
  },
  {
    name: 'Several tasks',
    shortcuts: [extendChoice, chooseAll, tagChosen, deleteChosen, endChoice],
  },
  {
    name: 'In the details of a task',
    shortcuts: [closeDetails, nextSubtask, removeSubtask, moveSubtask],
  },
  { name: "In a task's history", shortcuts: [skipDay] },
  { name: 'In a calendar', shortcuts: [calendarDay, calendarWeek, calendarMonth, calendarWeekEnds] },
  { name: 'In a time', shortcuts: [timeStep] },
  { name: 'Lists in the sidebar', shortcuts: [moveList, leaveListName] },
  { name: 'Habits', shortcuts: [newHabit, nearbyHabit, nextHabit, moveHabit] },
  { name: 'Focus Timer', shortcuts: [startOrPause] },
  { name: 'In the plan of the focus timer', shortcuts: [planStep] },
  { name: "In a habit's last seven days", shortcuts: [stripDay, stripEnds, skipHabitDay, editHabitDay] },
  { name: 'In a chart', shortcuts: [chartBar, chartEnds] },
  { name: 'In a year view', shortcuts: [yearDay, yearWeek, yearMonth, yearWeekEnds, yearEnds] },
]
