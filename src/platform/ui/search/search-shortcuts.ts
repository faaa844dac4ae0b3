import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

export const searchScreen = { label: 'Search this screen', keys: ['/'] } as const satisfies Shortcut

/** The browser would find only the rows that are built. A second press, in the field, is for the browser. */
export const findInList = {
  label: 'Search a long list, then with the browser',
  keys: ['f'],
  heldWith: 'ctrl',
} as const satisfies Shortcut

/** The keys that work in the field that searches the screen. */
export const leaveSearch = {
  label: 'Clear the search',
  keys: ['Escape'],
  whileFocused: true,
} as const satisfies Shortcut
