import type { Instant } from '#platform/calendar/day.ts'
import type { AnyWrite } from '#platform/sync/collections/write.ts'
import { changedTags, tagKey } from '../todo/tags.ts'
import type { Todo } from '../todo/todo.ts'
import { todoCollection } from '../todo/web/todo-queries.ts'

// The rules of `docs/merging.md` for to-dos, written again and simpler than in the product. With them, a model of the server
// reaches the same state whatever order the changes of several devices arrive in.

interface Stored {
  row: Todo
  /** When each part was last changed. */
  changed: ReadonlyMap<string, Instant>
  updated: Instant
  isDeleted: boolean
  deletionChanged: Instant
}

/** A model of the server that keeps deleted to-dos, and the last change of each part of a to-do. */
export class MergingTodos {
  #rows: Map<string, Stored>

  constructor(rows: readonly Todo[]) {
    this.#rows = new Map(
      rows.map((row) => {
        const at = Date.parse(row.created_at)
        return [row.id, { row, changed: new Map(), updated: at, isDeleted: false, deletionChanged: 0 }]
      }),
    )
  }

  /** The to-dos that exist: neither deleted nor hidden by the deletion of their parent. */
  get visible(): readonly Todo[] {
    return this.#rows
      .values()
      .filter((each) => !each.isDeleted && !this.#isHidden(each))
      .map(({ row }) => row)
      .toArray()
  }

  take(write: AnyWrite, vars: unknown, at: Instant): void {
    const id = write.subject(vars)
    const stored = this.#rows.get(id)
    if (!stored) {
      const [row] = applied(write, [], vars)
      if (row && write.name === 'todos.add')
        this.#rows.set(id, { row, changed: new Map(), updated: at, isDeleted: false, deletionChanged: 0 })
      return
    }
    if (write.name === 'todos.delete') this.#delete(stored, at)
    else if (write.name === 'todos.restore') this.#restore(stored, at)
    else this.#edit(stored, write, vars, at)
  }

  #edit(stored: Stored, write: AnyWrite, vars: unknown, at: Instant): void {
    const { id } = stored.row
    const [said] = applied(write, [stored.row], vars)
    if (!said) return
    const named = partsNamedBy(write.name, vars).filter((part) => at >= (stored.changed.get(part) ?? 0))
    const row = named.reduce((row, part) => withPart(row, said, part), stored.row)
    if (stored.isDeleted) this.#restore(stored, at)
    this.#put(id, { row, changed: changedAt(stored, named, at), updated: at })
    if (row.completed === 1 && named.includes('completed')) this.#completeBelow(row, at)
  }

  #delete({ row, isDeleted, deletionChanged, updated }: Stored, at: Instant): void {
    if (at < (isDeleted ? deletionChanged : updated)) return
    this.#put(row.id, { isDeleted: true, deletionChanged: at, updated: at })
  }

  #restore({ row, deletionChanged }: Stored, at: Instant): void {
    if (at >= deletionChanged) this.#put(row.id, { isDeleted: false, deletionChanged: at, updated: at })
  }

  #completeBelow({ id, completed_at }: Todo, at: Instant): void {
    for (const stored of [...this.#rows.values()]) {
      const { row, changed } = stored
      const isOpen = row.parent_id === id && row.completed === 0
      const [opened = 0, given = 0] = ['completed', 'parent_id'].map((part) => changed.get(part))
      if (!isOpen || Math.max(opened, given, Date.parse(row.created_at)) > at) continue
      this.#put(row.id, {
        row: { ...row, completed: 1, completed_at },
        changed: changedAt(stored, ['completed'], at),
      })
    }
  }

  #put(id: string, values: Partial<Stored>): void {
    const stored = this.#rows.get(id)
    if (!stored) return
    const updated = Math.max(stored.updated, values.updated ?? 0)
    this.#rows.set(id, { ...stored, ...values, updated })
  }

  /** A subtask that was changed after its parent was deleted stays visible. */
  #isHidden({ row, updated }: Stored): boolean {
    const parent = this.#rows.get(row.parent_id ?? '')
    return parent?.isDeleted === true && updated <= parent.deletionChanged
  }
}

function applied(write: AnyWrite, rows: readonly Todo[], vars: unknown): readonly Todo[] {
  return todoCollection.rows({ todos: write.apply(rows, vars) })
}

function changedAt({ changed }: Stored, parts: readonly string[], at: Instant): ReadonlyMap<string, Instant> {
  return new Map([...changed, ...parts.map((part) => [part, at] as const)])
}

/** The parts of a to-do that a write sets, even if a value stays the same. */
function partsNamedBy(name: string, vars: unknown): readonly string[] {
  const { changes, occurrence, day }: Record<string, unknown> = Object(vars)
  if (name === 'todos.rename') return ['title']
  if (name === 'todos.note') return ['note']
  if (name === 'todos.complete') return ['completed']
  if (name === 'todos.day') return [`day ${day}`]
  return Object.entries(Object(changes)).flatMap(([field, value]) => {
    if (field === 'due_day') return [occurrence === undefined ? 'due_day' : `moved ${occurrence}`]
    if (field === 'remind_at' || field === 'reminder') return ['reminder']
    if (field !== 'tags') return [field]
    const { add = [], remove = [] }: { add?: string[]; remove?: string[] } = Object(value)
    return [...add, ...remove].map((tag) => `tag ${tagKey(tag)}`)
  })
}

/** The row with one part taken from another row. */
function withPart(row: Todo, other: Todo, part: string): Todo {
  const [kind = '', which = ''] = part.split(' ')
  if (kind === 'completed') return { ...row, completed: other.completed, completed_at: other.completed_at }
  if (kind === 'reminder') return { ...row, reminder: other.reminder, remind_at: other.remind_at }
  if (kind === 'tag') {
    const has = other.tags.filter((tag) => tagKey(tag) === which)
    const had = row.tags.filter((tag) => tagKey(tag) === which)
    return { ...row, tags: changedTags(row.tags, { remove: has.length === 0 ? had : [], add: has }) }
  }
  if (kind === 'repeat') {
    // The sums under the old rule do not apply to the new rule.
    const { settled_from, done_before, missed_before, ...rest } = row
    return { ...rest, repeat: other.repeat }
  }
  if (kind !== 'day' && kind !== 'moved')
    return Object.assign(
      { ...row },
      Object.fromEntries(Object.entries(other).filter(([name]) => name === kind)),
    )
  const is = other.settled?.find(({ day }) => day === which)
  const was = row.settled?.find(({ day }) => day === which)
  if (!is) return { ...row, settled: row.settled?.filter(({ day }) => day !== which) }
  const { state, done_on, moved_to } = is
  const base = was ?? { ...is, state: 'open' as const, done_on: null, moved_to: null }
  const merged = kind === 'day' ? { ...base, state, done_on } : { ...base, moved_to }
  return { ...row, settled: [...(row.settled ?? []).filter(({ day }) => day !== which), merged] }
}
