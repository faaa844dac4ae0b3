import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

// The keys that work in the field of the search dialog.

export const nearbyResult = {
  label: 'Result above or below',
  keys: ['ArrowUp', 'ArrowDown'],
  whileFocused: true,
} as const satisfies Shortcut

export const openResult = { label: 'Open', keys: ['Enter'], whileFocused: true } as const satisfies Shortcut

export const tickResult = {
  label: 'Complete or reopen',
  keys: ['Enter'],
  heldWith: 'ctrl',
  whileFocused: true,
} as const satisfies Shortcut
