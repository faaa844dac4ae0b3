import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

// G and a letter open a screen.

export const goToToday = { label: 'Go to Today', after: 'g', keys: ['t'] } as const satisfies Shortcut
export const goToUpcoming = { label: 'Go to Upcoming', after: 'g', keys: ['u'] } as const satisfies Shortcut
export const goToTodos = { label: 'Go to Todos', after: 'g', keys: ['d'] } as const satisfies Shortcut
export const goToHabits = { label: 'Go to Habits', after: 'g', keys: ['h'] } as const satisfies Shortcut
export const goToFocus = { label: 'Go to the timer', after: 'g', keys: ['f'] } as const satisfies Shortcut
export const goToAnalytics = { label: 'Go to Analytics', after: 'g', keys: ['a'] } as const satisfies Shortcut
