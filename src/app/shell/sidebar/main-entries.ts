import { CalendarCheck, ChartNoAxesColumn, ListTodo, Timer } from 'lucide-react'
import type { ComponentType } from 'react'
import { DaySquare } from '#platform/ui/signs/day-square.tsx'

interface MainEntry {
  to: '/today' | '/todos' | '/focus' | '/habits' | '/analytics'
  /** A page without an entry, for which this entry counts as current. */
  also?: '/upcoming'
  label: string
  /** The label under the icon at the bottom of a phone. */
  tab: string
  icon: ComponentType<{ size: number; className?: string }>
}

/** The main screens, in the order of the sidebar. */
export const mainEntries: readonly MainEntry[] = [
  { to: '/today', also: '/upcoming', label: 'Today', tab: 'Today', icon: DaySquare },
  { to: '/todos', label: 'Todos', tab: 'Todos', icon: ListTodo },
  { to: '/focus', label: 'Focus Timer', tab: 'Focus', icon: Timer },
  { to: '/habits', label: 'Habits', tab: 'Habits', icon: CalendarCheck },
  { to: '/analytics', label: 'Analytics', tab: 'Analytics', icon: ChartNoAxesColumn },
]
