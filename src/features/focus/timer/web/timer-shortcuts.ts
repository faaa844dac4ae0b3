import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

export const startOrPause = { label: 'Start or pause', keys: [' '] } as const satisfies Shortcut
