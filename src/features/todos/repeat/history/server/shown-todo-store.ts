import type { SettledDay } from '#features/todos/repeat/rule/occurrences.ts'
import { earlierOn } from '#features/todos/repeat/rule/repeat.ts'
import { ruleOf } from '#features/todos/repeat/rule/repeat-rule.ts'
import { isLiveParent } from '#features/todos/todo/server/subtask-store.ts'
import { todoRows } from '#features/todos/todo/server/todo-rows.ts'
import { dueOf, shownOn } from '#features/todos/todo/shown-todo.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { reminderInstant } from '#features/todos/todo/todo-reminder.ts'
import { addDays, type Day, instantToWire } from '#platform/calendar/day.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import type { Tables } from '#platform/database/tables.ts'
import { keptOf, toSettledDay } from './occurrence-store.ts'

type Row = Tables['todos']

/** How many days back a subtask's occurrences are sent. The occurrence that is open in its parent is always sent. */
const daysOfSubtasks = 60

/** The person's current day and time zone. */
export interface Present {
  today: Day
  zone: string
}

/**
 * Returns a function that converts batches of to-dos to their state on the person's day `today`, with their occurrences. Accounts
 * without repeating to-dos cost one extra query.
 */
export async function shownTodos(
  db: Database,
  user: string,
  { today, zone }: Present,
  read = db.read,
): Promise<(todos: readonly Todo[]) => Promise<Todo[]>> {
  const [repeating] = await anyRepeating(read, { user })
  return async (todos) => {
    const shown = repeating ? await withShownDays(db, user, todos, today) : todos
    return shown.map((todo) => withInstant(todo, zone))
  }
}

const anyRepeating = compiledOnce<{ user: string }>()((db, param) =>
  db
    .selectFrom('todos')
    .select('id')
    .where('user_id', '=', param('user'))
    .where('repeat', 'is not', null)
    .where('deleted_at', 'is', null)
    .limit(1),
)

/** Whether a to-do is the same on every day and in every zone, so that nobody has to find out what `Present` is. */
export function isShownAsStored({ repeat, parent_id, reminder }: Todo): boolean {
  return repeat === null && parent_id === null && reminder === null
}

/** One to-do as it is on the person's current day. */
export async function shownTodo(db: Database, user: string, todo: Todo, present: Present): Promise<Todo> {
  const [shown = todo] = await fewShownTodos(db, user, [todo], present)
  return shown
}

/** A few to-dos as they are on the person's current day. Costs no query if none of them repeats or has a parent. */
export async function fewShownTodos(
  db: Database,
  user: string,
  todos: readonly Todo[],
  { today, zone }: Present,
): Promise<Todo[]> {
  return (await withShownDays(db, user, todos, today)).map((todo) => withInstant(todo, zone))
}

/** Adds the instant of a reminder tied to the due day, so that clients need no calendar to know when it rings. */
function withInstant(todo: Todo, zone: string): Todo {
  if (todo.reminder === null) return todo
  const at = reminderInstant(todo, zone)
  return { ...todo, remind_at: at === undefined ? null : instantToWire(at) }
}

async function withShownDays(
  db: Database,
  user: string,
  todos: readonly Todo[],
  today: Day,
): Promise<readonly Todo[]> {
  const ids = new Set(
    todos.flatMap(({ id, repeat, parent_id }) => [
      ...(repeat === null ? [] : [id]),
      ...(parent_id === null ? [] : [parent_id]),
    ]),
  )
  const rows = await repeatingRows(db, user, [...ids])
  if (rows.length === 0) return todos
  const days = await recentDays(db, user, rows)
  const standing = new Map(rows.map((row) => [row.id, withOccurrences(row, days.get(row.id) ?? [], today)]))
  const parentOf = ({ parent_id }: Todo) => {
    const parent = parent_id === null ? undefined : standing.get(parent_id)
    return parent?.parent_id === null ? parent : undefined
  }
  const ofSubtasks = await daysBelow(db, user, subtasksOf(todos, parentOf), today)
  const yieldPoint = createYieldPoint()
  const shown: Todo[] = []
  for (const todo of todos) {
    await yieldPoint()
    const parent = parentOf(todo)
    const repeats = todo.repeat === null ? undefined : standing.get(todo.id)
    if (parent) shown.push(shownOn({ ...todo, settled: ofSubtasks.get(todo.id) ?? [] }, parent, today))
    else if (repeats) {
      const { settled, settled_from, done_before, missed_before } = repeats
      const known = { settled, settled_from, done_before, missed_before }
      shown.push(shownOn({ ...todo, ...known }, undefined, today))
    } else shown.push(todo)
  }
  return shown
}

interface Subtask {
  id: string
  parent: Todo
}

function subtasksOf(todos: readonly Todo[], parentOf: (todo: Todo) => Todo | undefined): Subtask[] {
  return todos.flatMap((todo) => {
    const parent = parentOf(todo)
    return parent ? [{ id: todo.id, parent }] : []
  })
}

/** The repeating to-dos among `ids`. A subtask of an existing parent is left out: its own rule has no effect. */
async function repeatingRows(db: Database, user: string, ids: readonly string[]): Promise<Row[]> {
  const found: Row[] = []
  for (const batch of inBatches(ids)) {
    const rows = await db.read
      .selectFrom('todos')
      .leftJoin('todos as parents', (join) =>
        join
          .onRef('parents.user_id', '=', 'todos.user_id')
          .onRef('parents.id', '=', 'todos.parent_id')
          .on(isLiveParent),
      )
      .selectAll('todos')
      .where('parents.id', 'is', null)
      .where('todos.user_id', '=', user)
      .where('todos.repeat', 'is not', null)
      .where('todos.deleted_at', 'is', null)
      .where('todos.id', 'in', batch)
      .execute()
    found.push(...rows)
  }
  return found
}

/** Converts a row to a to-do with its occurrences. `days`: the recent occurrences, which the row's sum does not cover. */
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

/** To-dos per read: few enough to keep the statement short, however many occurrences each to-do has. */
const readAtOnce = 10

/** The recent settled or moved occurrences of each to-do, which the sum in its row does not cover. */
async function recentDays(
  db: Database,
  user: string,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, SettledDay[]>> {
  const days = new Map<string, SettledDay[]>()
  const boundaries = new Map(rows.map(({ id, earlier_before }) => [id, earlier_before]))
  const yieldPoint = createYieldPoint()
  // Sort by `earlier_before`, the day up to which occurrences are summed up. The earliest such day in a batch decides from which
  // day on the whole batch is read.
  const sorted = rows.toSorted((one, other) => (boundaryOf(one) < boundaryOf(other) ? -1 : 1))
  for (const batch of inBatches(sorted, readAtOnce)) {
    await yieldPoint()
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

/** The occurrences of subtasks of repeating to-dos. */
async function daysBelow(
  db: Database,
  user: string,
  subtasks: readonly Subtask[],
  today: Day,
): Promise<ReadonlyMap<string, SettledDay[]>> {
  const days = new Map<string, SettledDay[]>()
  const yieldPoint = createYieldPoint()
  const ago = addDays(today, -daysOfSubtasks)
  const sinceOf = new Map(
    subtasks.map(({ id, parent }) => {
      const open = dueOf(parent, undefined, today)?.open?.day ?? today
      return [id, open < ago ? open : ago]
    }),
  )
  for (const batch of inBatches(subtasks, readAtOnce)) {
    await yieldPoint()
    const since = batch
      .map(({ id }) => sinceOf.get(id) ?? ago)
      .reduce((earliest, day) => (day < earliest ? day : earliest), ago)
    const found = await db.read
      .selectFrom('todo_days')
      .select(['todo_id', 'day', 'state', 'done_on', 'moved_to', 'changed_at'])
      .where('user_id', '=', user)
      .where(
        'todo_id',
        'in',
        batch.map(({ id }) => id),
      )
      .where('day', '>=', since)
      .orderBy('day')
      .execute()
    // A subtask has the same occurrences in every response, whichever others it is read with.
    for (const row of found) {
      if (row.day >= (sinceOf.get(row.todo_id) ?? ago)) add(days, row.todo_id, toSettledDay(row))
    }
  }
  return days
}

function add(days: Map<string, SettledDay[]>, id: string, day: SettledDay): void {
  const others = days.get(id)
  if (others) others.push(day)
  else days.set(id, [day])
}
