import type { ExportedList } from '#features/lists/list/exported-list.ts'
import type { ListColor, TodoSort } from '#features/lists/list/list-row.ts'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import { newestLast } from '#platform/order/position.ts'
import { type DemoDay, instantAt, seededRandom } from './demo-days.ts'

export type DemoListName = 'Home' | 'Work' | 'Garden' | 'Two weeks in Norway'

interface Recipe {
  name: DemoListName
  color: ListColor
  sort: TodoSort
  /** Days before today on which the list was created. */
  began: number
  archived?: number
}

const recipes: readonly Recipe[] = [
  { name: 'Home', color: 1, sort: 'manual', began: 364 },
  { name: 'Work', color: 3, sort: 'due', began: 363 },
  { name: 'Garden', color: 2, sort: 'manual', began: 240 },
  { name: 'Two weeks in Norway', color: 4, sort: 'manual', began: 170, archived: 120 },
]

/** The person's lists, including the archived one. */
export function demoLists(
  days: readonly DemoDay[],
  now: Instant,
  zone: string,
): (ExportedList & { name: DemoListName })[] {
  const at = (daysAgo: number, minutes: number) => {
    const day = days.at(-1 - daysAgo)
    if (!day) throw new Error('A list of the demo has to begin on one of its days')
    return Math.min(instantAt(day.day, minutes, zone), now)
  }
  return recipes.map(({ name, color, sort, began, archived }) => {
    const created = at(began, 7 * 60)
    const id = seededRandom('list', name).id(created)
    const archivedAt = archived === undefined ? null : at(archived, 20 * 60)
    return {
      id,
      name,
      color,
      sort,
      position: newestLast({ id, created }),
      archived_at: archivedAt === null ? null : instantToWire(archivedAt),
      created_at: instantToWire(created),
      updated_at: instantToWire(archivedAt ?? created),
    }
  })
}
