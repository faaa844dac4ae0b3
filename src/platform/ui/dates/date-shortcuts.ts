import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

export const calendarDay = {
  label: 'Previous or next day',
  keys: ['ArrowLeft', 'ArrowRight'],
  whileFocused: true,
} as const satisfies Shortcut

export const calendarWeek = {
  label: 'Previous or next week',
  keys: ['ArrowUp', 'ArrowDown'],
  whileFocused: true,
} as const satisfies Shortcut

export const calendarMonth = {
  label: 'Previous or next month',
  keys: ['PageUp', 'PageDown'],
  whileFocused: true,
} as const satisfies Shortcut

export const calendarWeekEnds = {
  label: 'First or last day of the week',
  keys: ['Home', 'End'],
  whileFocused: true,
} as const satisfies Shortcut

export const timeStep = {
  label: 'A quarter of an hour later or earlier',
  keys: ['ArrowUp', 'ArrowDown'],
  whileFocused: true,
} as const satisfies Shortcut
