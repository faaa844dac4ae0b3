import type { Shortcut } from '#platform/browser/shortcuts.ts'

export const newTask = { label: 'New task', keys: ['n'] } as const satisfies Shortcut

/** In the field for a new task, and in a title that is being edited. */
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

/** In the manual order. */
export const moveTask = {
  label: 'Move task up or down',
  keys: ['ArrowUp', 'ArrowDown'],
  heldWith: 'alt',
  whileFocused: true,
} as const satisfies Shortcut

/** In Upcoming. */
export const moveTaskByDay = {
  label: 'Move task to the day before or after',
  keys: ['ArrowUp', 'ArrowDown'],
  heldWith: 'alt',
  whileFocused: true,
} as const satisfies Shortcut
