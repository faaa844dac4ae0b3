import { CalendarCheck, ChartNoAxesColumn, ListTodo, Timer } from 'lucide-react'
import { DaySquare } from '#platform/ui/layout/day-square.tsx'

/** The main screens, in the order of the sidebar. `tab`: the word under their sign at the bottom of a phone. */
export const mainEntries = [
  { to: '/today', label: 'Today', tab: 'Today', icon: DaySquare },
  { to: '/todos', label: 'Todos', tab: 'Todos', icon: ListTodo },
  { to: '/focus', label: 'Focus Timer', tab: 'Focus', icon: Timer },
  { to: '/habits', label: 'Habits', tab: 'Habits', icon: CalendarCheck },
  { to: '/analytics', label: 'Analytics', tab: 'Analytics', icon: ChartNoAxesColumn },
] as const

/** For `aria-current`: a page without an entry of its own belongs to another one's. */
export function currentWithin(to: string, pathname: string): 'page' | undefined {
  return to === '/today' && pathname === '/upcoming' ? 'page' : undefined
}
