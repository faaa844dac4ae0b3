import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

export const newHabit = { label: 'New habit', keys: ['n'] } as const satisfies Shortcut

/** Moves from the tick of one habit to that of the next. */
export const nearbyHabit = {
  label: 'Habit above or below',
  keys: ['ArrowUp', 'ArrowDown'],
  whileFocused: true,
} as const satisfies Shortcut

export const nextHabit = { label: 'Next or previous habit', keys: ['j', 'k'] } as const satisfies Shortcut

/** Keys in the strip of the last seven days. */
export const stripDay = {
  label: 'Previous or next day',
  keys: ['ArrowLeft', 'ArrowRight'],
  whileFocused: true,
} as const satisfies Shortcut

export const stripEnds = {
  label: 'First or last day',
  keys: ['Home', 'End'],
  whileFocused: true,
} as const satisfies Shortcut

export const skipHabitDay = {
  label: 'Skip the day, or take that back',
  keys: ['s'],
  whileFocused: true,
} as const satisfies Shortcut

export const editHabitDay = {
  label: 'Amount and note of the day',
  keys: ['e'],
  whileFocused: true,
} as const satisfies Shortcut

export const moveHabit = {
  label: 'Move habit up or down',
  keys: ['ArrowUp', 'ArrowDown'],
  heldWith: 'alt',
  whileFocused: true,
} as const satisfies Shortcut
