import { addDays } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { pagesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { betweenStretches } from '#platform/database/pacing/work.ts'
import type { FocusOfSubject } from '../focus-by-subject.ts'

/** Looks up the names of to-dos and habits, which belong to other features. Rows that do not exist are missing from the maps. */
export interface SubjectNames {
  todos(user: string, ids: readonly string[]): Promise<Map<string, { name: string; list_id: string | null }>>
  habits(user: string, ids: readonly string[]): Promise<Map<string, string>>
}

/** Days per read. Each day may have hundreds of sessions. */
const readAtOnce = 7
/** Sessions per read when summing one to-do. */
const sessionsAtOnce = 1_000
/** Names per read: few enough that the server can handle other requests between two reads, however long the names are. */
const namedAtOnce = 100

/** The focused seconds of each subject in a range, the most first. */
export async function focusBySubject(
  db: Database,
  user: string,
  range: DayRange,
  names: SubjectNames,
): Promise<FocusOfSubject[]> {
  const sums = await sumsBySubject(db, user, range)
  const todos = await named([...sums.todos.keys()], (ids) => names.todos(user, ids))
  const habits = await named([...sums.habits.keys()], (ids) => names.habits(user, ids))
  const subjects: FocusOfSubject[] = []
  let ofNothing = sums.nothing
  for (const [todo_id, seconds] of sums.todos) {
    const todo = todos.get(todo_id)
    if (todo) subjects.push({ todo_id, habit_id: null, ...todo, seconds })
    else ofNothing += seconds
  }
  for (const [habit_id, seconds] of sums.habits) {
    const name = habits.get(habit_id)
    if (name !== undefined) subjects.push({ todo_id: null, habit_id, name, list_id: null, seconds })
    else ofNothing += seconds
  }
  const nothing = { todo_id: null, habit_id: null, name: null, list_id: null, seconds: ofNothing }
  return [...subjects, ...(ofNothing > 0 ? [nothing] : [])].sort(mostFirst)
}

/** Breaks ties by id, so that every database returns the same order. */
function mostFirst(one: FocusOfSubject, other: FocusOfSubject): number {
  return other.seconds - one.seconds || (keyOf(one) < keyOf(other) ? -1 : 1)
}

function keyOf({ todo_id, habit_id }: FocusOfSubject): string {
  return todo_id ?? habit_id ?? ''
}

async function sumsBySubject(db: Database, user: string, { from, to }: DayRange) {
  const sums = { todos: new Map<string, number>(), habits: new Map<string, number>(), nothing: 0 }
  for (let first = from; first <= to; first = addDays(first, readAtOnce)) {
    const last = addDays(first, readAtOnce - 1)
    const rows = await db.read
      .selectFrom('focus_days')
      // A left join walks along the days. With an inner join, databases would walk through all sessions.
      .leftJoin('focus_sessions', (join) =>
        join
          .onRef('focus_sessions.user_id', '=', 'focus_days.user_id')
          .onRef('focus_sessions.id', '=', 'focus_days.session_id')
          .on('focus_sessions.deleted_at', 'is', null),
      )
      .select(({ fn }) => [
        'focus_sessions.todo_id',
        'focus_sessions.habit_id',
        fn.sum<number>('focus_days.seconds').as('seconds'),
      ])
      .where('focus_days.user_id', '=', user)
      .where('focus_days.day', '>=', first)
      .where('focus_days.day', '<=', last < to ? last : to)
      .where('focus_sessions.id', 'is not', null)
      .groupBy(['focus_sessions.todo_id', 'focus_sessions.habit_id'])
      .execute()
    for (const { todo_id, habit_id, seconds } of rows) {
      if (todo_id !== null) sums.todos.set(todo_id, (sums.todos.get(todo_id) ?? 0) + seconds)
      else if (habit_id !== null) sums.habits.set(habit_id, (sums.habits.get(habit_id) ?? 0) + seconds)
      else sums.nothing += seconds
    }
    await betweenStretches()
  }
  return sums
}

async function named<Name>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<Map<string, Name>>,
): Promise<Map<string, Name>> {
  const names = new Map<string, Name>()
  for (let next = 0; next < ids.length; next += namedAtOnce) {
    for (const [id, name] of await read(ids.slice(next, next + namedAtOnce))) names.set(id, name)
    await betweenStretches()
  }
  return names
}

/** The seconds that were focused on a to-do on the days of a range. */
export async function focusedOnTodo(
  db: Database,
  user: string,
  todo: string,
  { from, to }: DayRange,
): Promise<number> {
  let sum = 0
  const read = (last?: { id: string }) =>
    db.read
      .selectFrom('focus_sessions')
      .select('id')
      .where('user_id', '=', user)
      .where('todo_id', '=', todo)
      .where('deleted_at', 'is', null)
      .where('id', '>', last?.id ?? '')
      .orderBy('id')
      .limit(sessionsAtOnce)
      .execute()
  for await (const sessions of pagesByKey(sessionsAtOnce, read)) {
    for (const batch of inBatches(sessions.map(({ id }) => id))) {
      const days = await db.read
        .selectFrom('focus_days')
        .select(['day', 'seconds'])
        .where('user_id', '=', user)
        .where('session_id', 'in', batch)
        // Order by the key: ordered by day, the query would walk through all sessions of these days.
        .orderBy('session_id')
        .orderBy('day')
        .execute()
      for (const { day, seconds } of days) if (day >= from && day <= to) sum += seconds
    }
    await betweenStretches()
  }
  return sum
}
