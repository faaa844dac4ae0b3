import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

/** What 'New list' in the sidebar does. No key does it, only what performs it by name. */
export const newList = { label: 'New list', keys: [] } as const satisfies Shortcut
