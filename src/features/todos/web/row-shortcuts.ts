import type { Shortcut } from '#platform/browser/shortcuts.ts'

// On the checkbox of a row in the list.

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
