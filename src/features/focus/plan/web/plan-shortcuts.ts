import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

export const planStep = {
  label: 'More or less',
  keys: ['ArrowUp', 'ArrowDown'],
  whileFocused: true,
} as const satisfies Shortcut
