import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

export const searchScreen = { label: 'Search this screen', keys: ['/'] } as const satisfies Shortcut

/** In the field that searches the screen. */
export const leaveSearch = {
  label: 'Clear the search',
  keys: ['Escape'],
  whileFocused: true,
} as const satisfies Shortcut
