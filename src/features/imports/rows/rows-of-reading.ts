import { type ExportedAccount, type FileCollection, fileRows } from '#features/your-data/exported-account.ts'
import { instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import { newestFirst, newestLast } from '#platform/order/position.ts'
import { emptyCollections, type FileRows } from '#platform/wire/file-rows.ts'
import { derivedId } from '#platform/wire/ids/derived-id.ts'
import { assembled } from '#platform/wire/synced-row.ts'
import {
  dayKey,
  type ReaderContext,
  type ReadHabit,
  type Reading,
  type ReadSession,
  type ReadTodo,
} from '../reading/reading.ts'
import { kindOfRow, kindsOf, refusedRow } from './fit-reading.ts'

/** The rows to import, as an exported account contains them. */
export type RowsToImport = Pick<ExportedAccount, FileCollection>

export interface ReadyReading {
  reading: Reading
  account: RowsToImport
  /**
   * For each row of the reading, the id of the row that it becomes in Daymark. For a day of a habit, the habit's id and the day.
   */
  targets: (string | undefined)[]
}

/**
 * Makes the rows of a reading. Their ids are computed from the source and the keys, so importing a file again makes the same
 * rows. A row that the server would refuse is refused here, so that it does not prevent others from being imported.
 */
export function rowsOfReading(reading: Reading, source: string, context: ReaderContext): ReadyReading {
  const maker = new RowMaker(source, context)
  const account = {
    ...emptyCollections(fileRows),
    lists: reading.lists.map((list, place) => maker.list(list, place)),
    todos: reading.todos.map((todo, place) => maker.todo(todo, place)),
    habits: reading.habits.map((habit, place) => maker.habit(habit, place)),
    focus_sessions: reading.sessions.map((session) => maker.session(session)),
  }
  const { kept, refused } = checked(account)
  const kinds = kindsOf(reading)
  const rows = reading.rows.map((row) => {
    if (row.becomes === undefined) return row
    const problem = refused.get(maker.idOfRow(kindOfRow(row, kinds), row.becomes).slice(0, idLength))
    return problem === undefined ? row : refusedRow(row, problem)
  })
  const targets = rows.map((row) =>
    row.becomes === undefined ? undefined : maker.idOfRow(kindOfRow(row, kinds), row.becomes),
  )
  return { reading: { ...reading, rows }, account: kept, targets }
}

const idLength = 36

/** The rows that the schemas accept, and for each refused row its id and the reason. */
function checked(account: Record<FileCollection, readonly { id: string }[]>): {
  kept: RowsToImport
  refused: ReadonlyMap<string, string>
} {
  const refused = new Map<string, string>()
  const collections = Object.entries<FileRows>(fileRows).map(([collection, { row: schema }]) => {
    const rows = account[collection as FileCollection].flatMap((row) => {
      const { data, error } = schema.safeParse(row)
      if (error) refused.set(row.id, `Daymark can't keep it: ${error.issues[0]?.message ?? 'it is damaged'}`)
      return error ? [] : [data]
    })
    return [collection, rows] as const
  })
  return { kept: assembled(Object.fromEntries(collections)), refused }
}

/** Makes the rows of one source, all at the same instant. */
class RowMaker {
  readonly #source: string
  readonly #now: number
  readonly #ids = new Map<string, string>()

  constructor(source: string, { now }: ReaderContext) {
    this.#source = source
    this.#now = now
  }

  id(kind: string, key: string): string {
    const name = `${kind} ${key}`
    const known = this.#ids.get(name)
    if (known !== undefined) return known
    const id = derivedId('import', this.#source, kind, key)
    this.#ids.set(name, id)
    return id
  }

  idOfRow(kind: 'list' | 'todo' | 'habit' | 'session' | 'day', key: string): string {
    if (kind !== 'day') return this.id(kind, key)
    const day = key.lastIndexOf('#')
    return `${this.id('habit', key.slice(0, day))}${key.slice(day)}`
  }

  list({ key, name, color, archived }: Reading['lists'][number], place: number) {
    const id = this.id('list', key)
    const now = instantToWire(this.#now)
    return {
      id,
      name,
      color,
      sort: 'manual',
      archived_at: archived ? now : null,
      position: newestLast({ id, created: this.#now + place }),
      created_at: now,
      updated_at: now,
    }
  }

  /** A to-do. The imported to-dos come above the existing ones, in the order of the file. */
  todo(todo: ReadTodo, place: number) {
    const { key, title, note, priority, tags, due, reminder, repeat, estimate, completed, days } = todo
    const id = this.id('todo', key)
    const at = completed ? instantToWire(completed.at) : null
    return {
      id,
      title,
      note,
      priority,
      tags,
      completed: completed ? 1 : 0,
      completed_at: at,
      completed_on: completed?.on ?? null,
      due_day: due ?? null,
      reminder: reminder ?? null,
      remind_at: null,
      list_id: todo.list === undefined ? null : this.id('list', todo.list),
      parent_id: todo.parent === undefined ? null : this.id('todo', todo.parent),
      position: newestFirst({ id, created: this.#now - place }),
      estimate: estimate ?? null,
      repeat: repeat ?? null,
      created_at: instantToWire(todo.created ?? this.#now - place),
      updated_at: instantToWire(this.#now),
      ...(days && {
        days: days.map((each) => ({ ...each, moved_to: null, at: this.#noonOf(each.done_on) })),
      }),
    }
  }

  habit(habit: ReadHabit, place: number) {
    const { key, name, description, start, archived, rhythms, completions, skips, notes, reminder } = habit
    const id = this.id('habit', key)
    const now = instantToWire(this.#now)
    const nth = new Map<string, number>()
    return {
      id,
      name,
      description,
      start_date: start,
      reminder: reminder ?? null,
      position: newestLast({ id, created: this.#now + place }),
      archived_at: archived ? now : null,
      created_at: habit.created === undefined ? now : instantToWire(habit.created),
      rhythms,
      completions,
      skips,
      notes,
      amounts: habit.amounts.map(({ day, value }) => {
        const ofDay = (nth.get(day) ?? 0) + 1
        nth.set(day, ofDay)
        return {
          id: derivedId('import', this.#source, 'amount', dayKey(key, day), String(ofDay)),
          day,
          value,
          set: value === 0,
          settles: [],
          at: this.#noonOf(day),
        }
      }),
    }
  }

  /** A focus session. Focus time without a known start ends at noon of its day, or now if that is earlier. */
  session({ key, kind, start, end, duration, days, todo, habit }: ReadSession) {
    const last = days.at(-1)?.day
    const ended = end ?? (last && instantFromWire(this.#noonOf(last))) ?? this.#now
    return {
      id: this.id('session', key),
      kind,
      duration,
      days,
      todo_id: todo === undefined ? null : this.id('todo', todo),
      habit_id: habit === undefined ? null : this.id('habit', habit),
      started_at: start === undefined ? null : instantToWire(start),
      ended_at: instantToWire(Math.min(ended, this.#now)),
    }
  }

  /** The instant for a day that has no time of its own: noon, but never in the future. */
  #noonOf(day: string): string {
    return instantToWire(Math.min(instantFromWire(`${day}T12:00:00.000Z`), this.#now))
  }
}
