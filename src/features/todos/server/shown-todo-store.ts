import { addDays, type Day, instantToWire } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/batches.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import { countWalked } from '#platform/database/work.ts'
import type { SettledDay } from '../occurrences.ts'
import { earlierOn } from '../repeat.ts'
import { ruleOf } from '../repeat-rule.ts'
import { dueOf, shownOn } from '../shown-todo.ts'
import type { Todo } from '../todo.ts'
import { reminderInstant } from '../todo-reminder.ts'
import { keptOf, toSettledDay } from './occurrence-store.ts'
import { todoRows } from './todo-rows.ts'

type Row = Tables['todos']

/** The occurrences of a subtask are sent for so many days, and for the one that is open in its parent. */
const daysOfSubtasks = 60

/** The day of a person, and their zone. */
interface Present {
  today: Day
  zone: string
}

/** How to-dos are shown on the day of their person, with their occurrences. Who has none that repeat pays for one look. */
export async function shownTodos(
  db: Database,
  user: string,
  { today, zone }: Present,
): Promise<(todo: Todo) => Todo> {
  const show = await showing(db, user, await repeatingRows(db, user), today)
  return (todo) => withInstant(show(todo), zone)
}

/** One to-do as it is shown on the day of its person. */
export async function shownTodo(
  db: Database,
  user: string,
  todo: Todo,
  { today, zone }: Present,
): Promise<Todo> {
  if (todo.repeat === null && todo.parent_id === null) return withInstant(todo, zone)
  const ids = [todo.id, ...(todo.parent_id === null ? [] : [todo.parent_id])]
  const show = await showing(db, user, await repeatingRows(db, user, ids), today, todo.id)
  return withInstant(show(todo), zone)
}

/** With the instant of a reminder that goes with the due day: older clients know only that. */
function withInstant(todo: Todo, zone: string): Todo {
  if (todo.reminder === null) return todo
  const at = reminderInstant(todo, zone)
  return { ...todo, remind_at: at === undefined ? null : instantToWire(at) }
}

/** Those that repeat, each with whether it stands below another one, which its own repeat then gives way to. */
async function repeatingRows(
  db: Database,
  user: string,
  ids?: readonly string[],
): Promise<(Row & { below: string | null })[]> {
  const rows = await db.read
    .selectFrom('todos')
    .leftJoin('todos as parents', (join) =>
      join
        .onRef('parents.user_id', '=', 'todos.user_id')
        .onRef('parents.id', '=', 'todos.parent_id')
        .on('parents.parent_id', 'is', null)
        .on('parents.deleted_at', 'is', null),
    )
    .selectAll('todos')
    .select('parents.id as below')
    .where('todos.user_id', '=', user)
    .where('todos.repeat', 'is not', null)
    .where('todos.deleted_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('todos.id', 'in', ids ?? []))
    .execute()
  countWalked(rows.length)
  return rows
}

async function showing(
  db: Database,
  user: string,
  rows: readonly (Row & { below: string | null })[],
  today: Day,
  only?: string,
): Promise<(todo: Todo) => Todo> {
  if (rows.length === 0) return (todo) => todo
  const repeating = rows.filter(({ below }) => below === null)
  const days = await recentDays(db, user, repeating)
  const standing = new Map(
    repeating.map((row) => [row.id, withOccurrences(row, days.get(row.id) ?? [], today)]),
  )
  const ofSubtasks = await daysBelow(db, user, [...standing.values()], today, only)
  return (todo) => {
    const parent = todo.parent_id === null ? undefined : standing.get(todo.parent_id)
    if (parent && parent.parent_id === null) {
      return shownOn({ ...todo, settled: ofSubtasks.get(todo.id) ?? [] }, parent, today)
    }
    const repeats = todo.repeat === null ? undefined : standing.get(todo.id)
    if (!repeats) return todo
    const { settled, settled_from, done_before, missed_before } = repeats
    return shownOn({ ...todo, settled, settled_from, done_before, missed_before }, undefined, today)
  }
}

/** `days`: what became of those that are not summed up. */
export function withOccurrences(row: Row, days: readonly SettledDay[], today: Day): Todo {
  const todo = todoRows.toWire(row)
  const rule = todo.repeat && ruleOf(todo.repeat)
  const kept = keptOf(row)
  if (!kept || !rule) return { ...todo, settled: [...days], settled_from: null }
  const { done, missed } = earlierOn(today, rule, kept)
  return {
    ...todo,
    settled: [...(kept.last ? [kept.last] : []), ...days],
    settled_from: kept.before,
    done_before: done,
    missed_before: missed,
  }
}

/** What became of their occurrences that are not summed up. */
async function recentDays(
  db: Database,
  user: string,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, SettledDay[]>> {
  const days = new Map<string, SettledDay[]>()
  const boundaries = new Map(rows.map(({ id, earlier_before }) => [id, earlier_before]))
  // Those with the same boundary beside each other: the earliest one of a batch says from when on its rows are read.
  const sorted = rows.toSorted((one, other) => (boundaryOf(one) < boundaryOf(other) ? -1 : 1))
  for (const batch of inBatches(sorted)) {
    const since = batch[0]?.earlier_before ?? null
    const found = await db.read
      .selectFrom('todo_days')
      .select(['todo_id', 'day', 'state', 'done_on', 'moved_to', 'changed_at'])
      .where('user_id', '=', user)
      .where(
        'todo_id',
        'in',
        batch.map(({ id }) => id),
      )
      .$if(since !== null, (query) => query.where('day', '>=', since))
      .orderBy('day')
      .execute()
    countWalked(found.length)
    for (const row of found) {
      const boundary = boundaries.get(row.todo_id) ?? null
      if (boundary === null || row.day >= boundary) add(days, row.todo_id, toSettledDay(row))
    }
  }
  return days
}

function boundaryOf({ earlier_before }: Row): string {
  return earlier_before ?? ''
}

/** The occurrences of the subtasks of to-dos that repeat, or of only one of these subtasks. */
async function daysBelow(
  db: Database,
  user: string,
  parents: readonly Todo[],
  today: Day,
  only: string | undefined,
): Promise<ReadonlyMap<string, SettledDay[]>> {
  const days = new Map<string, SettledDay[]>()
  const since = parents
    .map((parent) => dueOf(parent, undefined, today)?.open?.day ?? today)
    .reduce((earliest, day) => (day < earliest ? day : earliest), addDays(today, -daysOfSubtasks))
  for (const batch of inBatches(parents)) {
    const found = await db.read
      .selectFrom('todos as subtasks')
      .innerJoin('todo_days', (join) =>
        join
          .onRef('todo_days.user_id', '=', 'subtasks.user_id')
          .onRef('todo_days.todo_id', '=', 'subtasks.id'),
      )
      .selectAll('todo_days')
      .where('subtasks.user_id', '=', user)
      .where(
        'subtasks.parent_id',
        'in',
        batch.map(({ id }) => id),
      )
      .where('todo_days.day', '>=', since)
      .$if(only !== undefined, (query) => query.where('subtasks.id', '=', only ?? ''))
      .orderBy('todo_days.day')
      .execute()
    countWalked(found.length)
    for (const row of found) add(days, row.todo_id, toSettledDay(row))
  }
  return days
}

function add(days: Map<string, SettledDay[]>, id: string, day: SettledDay): void {
  const others = days.get(id)
  if (others) others.push(day)
  else days.set(id, [day])
}
