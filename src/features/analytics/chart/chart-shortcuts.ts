import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

export const chartBar = {
  label: 'Previous or next bar',
  keys: ['ArrowLeft', 'ArrowRight'],
  whileFocused: true,
} as const satisfies Shortcut

export const chartEnds = {
  label: 'First or last bar',
  keys: ['Home', 'End'],
  whileFocused: true,
} as const satisfies Shortcut
