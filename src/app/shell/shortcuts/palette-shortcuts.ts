import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

export const openPalette = {
  label: 'Search, or do anything',
  keys: ['k'],
  heldWith: 'ctrl',
} as const satisfies Shortcut
