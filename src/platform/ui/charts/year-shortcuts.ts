import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

// The keys of a year whose columns are weeks: the year of a habit, and the year in analytics.

export const yearDay = {
  label: 'Previous or next day',
  keys: ['ArrowUp', 'ArrowDown'],
  whileFocused: true,
} as const satisfies Shortcut

export const yearWeek = {
  label: 'Previous or next week',
  keys: ['ArrowLeft', 'ArrowRight'],
  whileFocused: true,
} as const satisfies Shortcut

export const yearMonth = {
  label: 'Previous or next month',
  keys: ['PageUp', 'PageDown'],
  whileFocused: true,
} as const satisfies Shortcut

export const yearWeekEnds = {
  label: 'First or last week',
  keys: ['Home', 'End'],
  whileFocused: true,
} as const satisfies Shortcut

export const yearEnds = {
  label: 'First or last day',
  keys: ['Home', 'End'],
  heldWith: 'ctrl',
  whileFocused: true,
} as const satisfies Shortcut
