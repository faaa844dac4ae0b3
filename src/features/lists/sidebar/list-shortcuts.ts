import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

/** The keys that move a list while its entry in the sidebar has the focus. */
export const moveList = {
  label: 'Move a list up or down',
  keys: ['ArrowUp', 'ArrowDown'],
  heldWith: 'alt',
  whileFocused: true,
} as const satisfies Shortcut

/** The key that cancels typing a list's name, for a new list or an existing one. */
export const leaveListName = {
  label: 'Cancel editing a name',
  keys: ['Escape'],
  whileFocused: true,
} as const satisfies Shortcut
