import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

export const toggleSidebar = {
  label: 'Show or hide the sidebar',
  keys: ['b'],
  heldWith: 'ctrl',
} as const satisfies Shortcut

export const showShortcuts = { label: 'Show these shortcuts', keys: ['?'] } as const satisfies Shortcut
