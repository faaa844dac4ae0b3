import type { Shortcut } from '#platform/ui/shortcuts.ts'

export const newTask = { label: 'New task', keys: ['n'] } as const satisfies Shortcut

/** In the field of a new one, and in a title that is edited. */
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
