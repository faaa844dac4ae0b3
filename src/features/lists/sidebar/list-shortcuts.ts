import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

/** On a list in the sidebar. */
export const moveList = {
  label: 'Move a list up or down',
  keys: ['ArrowUp', 'ArrowDown'],
  heldWith: 'alt',
  whileFocused: true,
} as const satisfies Shortcut

/** In the field for a new list, and in a name that is being edited. */
export const leaveListName = {
  label: 'Cancel editing a name',
  keys: ['Escape'],
  whileFocused: true,
} as const satisfies Shortcut
