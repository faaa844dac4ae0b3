import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

/** The command behind 'New list' in the sidebar. It has no key and is only run by name. */
export const newList = { label: 'New list', keys: [] } as const satisfies Shortcut
