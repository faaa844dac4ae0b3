import { isCounted } from '#app/testing/convergence/people/habit-person.ts'
import type { PlayedDevice } from '#app/testing/convergence/play/device.ts'
import type { Observer } from '#app/testing/convergence/play/play.ts'
import type { Tab } from '#app/testing/convergence/play/tab.ts'
import type { Change } from '#app/testing/convergence/rules/rule.ts'
import type { HabitFacts } from '#features/habits/habit/habit-facts.ts'
import type { List } from '#features/lists/list/list.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { type Day, dayOf, daysFrom } from '#platform/calendar/day.ts'
import type { HistoryEvent, Value } from './guarantees/history.ts'

/** The fields of each row that people type, tick and set. */
const valuesOf = {
  lists: ({ name, color, sort }: List) => ({ name, color, sort }),
  todos: ({ title, note, completed, due_day, priority, list_id }: Todo) => ({
    title,
    note,
    completed,
    due_day,
    priority,
    list_id,
  }),
  habits: (habit: HabitFacts, today: Day) => ({
    name: habit.name,
    description: habit.description,
    ...(isCounted(habit) ? {} : daysOf(habit, today)),
  }),
} as const

type Values = ReadonlyMap<string, Value>

interface Page {
  number: number
  /** The rows that it shows, by collection and id. */
  shown: Map<string, { collection: string; row: string; values: Values }>
}

/** Records a history: of every page what it shows, each time as far as that differs from the moment before. */
export class Recorder implements Observer {
  readonly events: HistoryEvent[] = []
  #pages = new Map<Tab, Page>()
  #changed = new Set<Tab>()

  opened({ place, stored }: PlayedDevice, tab: Tab): void {
    const page = { number: this.#pages.size, shown: new Map() }
    this.#pages.set(tab, page)
    this.events.push({ kind: 'opened', page: page.number, device: place, stored: new Set(stored) })
  }

  made(tab: Tab, change: Change): void {
    this.events.push({ kind: 'made', page: this.#page(tab).number, change: change.number, writes: change })
  }

  /** Looks when everything has been told that was read together, as a screen renders only then. */
  rendered(device: PlayedDevice, tab: Tab): void {
    if (this.#changed.has(tab)) return
    this.#changed.add(tab)
    queueMicrotask(() => {
      this.#changed.delete(tab)
      this.#look(device, tab)
    })
  }

  #look(device: PlayedDevice, tab: Tab): void {
    const page = this.#page(tab)
    const today = dayOf(device.now, 'UTC', 0)
    const { lists, todos, habits } = tab.view()
    if (lists) this.#see(page, 'lists', lists, valuesOf.lists)
    if (todos) this.#see(page, 'todos', todos, valuesOf.todos)
    if (habits) this.#see(page, 'habits', habits, (habit) => valuesOf.habits(habit, today))
  }

  #see<Row extends { id: string }>(
    { number: page, shown }: Page,
    collection: string,
    rows: readonly Row[],
    valuesOf: (row: Row) => Readonly<Record<string, Value>>,
  ): void {
    const gone = new Set(
      [...shown.values()].filter((each) => each.collection === collection).map(({ row }) => row),
    )
    for (const row of rows) {
      gone.delete(row.id)
      const values = new Map(Object.entries(valuesOf(row)))
      const key = `${collection} ${row.id}`
      if (isSame(values, shown.get(key)?.values)) continue
      shown.set(key, { collection, row: row.id, values })
      this.events.push({ kind: 'shown', page, collection, row: row.id, values })
    }
    for (const row of gone) {
      shown.delete(`${collection} ${row}`)
      this.events.push({ kind: 'shown', page, collection, row, values: undefined })
    }
  }

  #page(tab: Tab): Page {
    const page = this.#pages.get(tab)
    if (!page) throw new Error('Every tab was opened')
    return page
  }
}

/** The days that a habit tells one by one. */
function daysOf({ since, skipped, earlier }: HabitFacts, today: Day): Record<string, string> {
  const stateOf = (day: Day) => (since.includes(day) ? 'done' : skipped.includes(day) ? 'skipped' : 'none')
  return Object.fromEntries(daysFrom(earlier.from, today).map((day) => [day, stateOf(day)]))
}

function isSame(one: Values, other: Values | undefined): boolean {
  return other?.size === one.size && [...one].every(([name, value]) => other.get(name) === value)
}
