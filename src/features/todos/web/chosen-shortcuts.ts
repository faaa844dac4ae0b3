import type { Shortcut } from '#platform/browser/shortcuts.ts'

// On the checkbox of a row. With several rows selected, Space, D and L do to all of them what they do to one.

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
