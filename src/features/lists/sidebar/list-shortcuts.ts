import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

/** While an entry of a list in the sidebar has the focus. */
export const moveList = {
  label: 'Move a list up or down',
  keys: ['ArrowUp', 'ArrowDown'],
  heldWith: 'alt',
  whileFocused: true,
} as const satisfies Shortcut

/** While a list's name is being typed, new or edited. */
export const leaveListName = {
  label: 'Cancel editing a name',
  keys: ['Escape'],
  whileFocused: true,
} as const satisfies Shortcut
