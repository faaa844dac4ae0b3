import { goToAnalytics, goToFocus, goToHabits, goToToday, goToTodos, goToUpcoming } from './go-shortcuts.ts'

/** The screens that G and a letter lead to. */
export const goScreens = [
  { shortcut: goToToday, to: '/today' },
  { shortcut: goToUpcoming, to: '/upcoming' },
  { shortcut: goToTodos, to: '/todos' },
  { shortcut: goToHabits, to: '/habits' },
  { shortcut: goToFocus, to: '/focus' },
  { shortcut: goToAnalytics, to: '/analytics' },
] as const
