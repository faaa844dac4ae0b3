import type { Shortcut } from '#platform/browser/shortcuts.ts'

// On a day in the history of a task.

export const skipDay = { label: 'Skip', keys: ['s'], whileFocused: true } as const satisfies Shortcut
