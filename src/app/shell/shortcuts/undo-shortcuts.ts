import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

export const undo = { label: 'Undo', keys: ['z'], heldWith: 'ctrl' } as const satisfies Shortcut

export const redo = { label: 'Redo', keys: ['z'], heldWith: 'ctrl+shift' } as const satisfies Shortcut
