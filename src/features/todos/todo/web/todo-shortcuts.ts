import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

export const newTask = { label: 'New task', keys: ['n'] } as const satisfies Shortcut

/** Works in the field for a new task, and in a title that is being edited. */
export const saveTask = {
  label: 'Save task',
  keys: ['Enter'],
  whileFocused: true,
} as const satisfies Shortcut

export const cancelEdit = {
  label: 'Cancel editing',
  keys: ['Escape'],
  whileFocused: true,
} as const satisfies Shortcut

/** Works while tasks are in the manual order. */
export const moveTask = {
  label: 'Move task up or down',
  keys: ['ArrowUp', 'ArrowDown'],
  heldWith: 'alt',
  whileFocused: true,
} as const satisfies Shortcut

/** Works in Upcoming. */
export const moveTaskByDay = {
  label: 'Move task to the day before or after',
  keys: ['ArrowUp', 'ArrowDown'],
  heldWith: 'alt',
  whileFocused: true,
} as const satisfies Shortcut

// The next shortcuts work on the checkbox of a row in the list.

export const openTask = {
  label: 'Open details',
  keys: ['Enter'],
  whileFocused: true,
} as const satisfies Shortcut

export const nearbyTask = {
  label: 'Task above or below',
  keys: ['ArrowUp', 'ArrowDown'],
  whileFocused: true,
} as const satisfies Shortcut

export const nextTask = { label: 'Next or previous task', keys: ['j', 'k'] } as const satisfies Shortcut

export const editTask = { label: 'Edit title', keys: ['e'] } as const satisfies Shortcut

export const dueDateOfTask = { label: 'Due date', keys: ['d'] } as const satisfies Shortcut

export const listOfTask = { label: 'Move to a list', keys: ['l'] } as const satisfies Shortcut

export const priorityOfTask = { label: 'Next priority', keys: ['p'] } as const satisfies Shortcut

export const timerForTask = { label: 'Start the timer', keys: ['f'] } as const satisfies Shortcut

export const subtaskOfTask = { label: 'Add a subtask', keys: ['s'] } as const satisfies Shortcut

export const menuOfTask = {
  label: 'More actions',
  keys: ['F10'],
  heldWith: 'shift',
  whileFocused: true,
} as const satisfies Shortcut

export const deleteTask = {
  label: 'Delete task',
  keys: ['Delete', 'Backspace'],
  whileFocused: true,
} as const satisfies Shortcut

// The next shortcuts work on the checkbox of a row. With several rows selected, Space, D and L act on all of them.

export const extendChoice = {
  label: 'Select the next or previous task, too',
  keys: ['ArrowUp', 'ArrowDown'],
  heldWith: 'shift',
  whileFocused: true,
} as const satisfies Shortcut

export const chooseAll = {
  label: 'Select all tasks',
  keys: ['a'],
  heldWith: 'ctrl',
  whileFocused: true,
} as const satisfies Shortcut

export const tagChosen = { label: 'Tag selected tasks', keys: ['t'] } as const satisfies Shortcut

export const deleteChosen = {
  label: 'Delete selected tasks',
  keys: ['Delete', 'Backspace'],
  whileFocused: true,
} as const satisfies Shortcut

export const endChoice = {
  label: 'Clear the selection',
  keys: ['Escape'],
  whileFocused: true,
} as const satisfies Shortcut

// The next shortcuts work in the details of a task.

export const closeDetails = {
  label: 'Close',
  keys: ['Escape'],
  whileFocused: true,
} as const satisfies Shortcut

export const nextSubtask = {
  label: 'Next subtask',
  keys: ['Enter'],
  whileFocused: true,
} as const satisfies Shortcut

export const removeSubtask = {
  label: 'Remove an empty subtask',
  keys: ['Backspace'],
  whileFocused: true,
} as const satisfies Shortcut

export const moveSubtask = {
  label: 'Move subtask up or down',
  keys: ['ArrowUp', 'ArrowDown'],
  heldWith: 'alt',
  whileFocused: true,
} as const satisfies Shortcut

// Works on a day in the history of a task.

export const skipDay = { label: 'Skip', keys: ['s'], whileFocused: true } as const satisfies Shortcut
