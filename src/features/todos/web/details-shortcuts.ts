import type { Shortcut } from '#platform/browser/shortcuts.ts'

// In the details of a task.

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
