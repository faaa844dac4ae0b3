import type { Day } from '#platform/calendar/day.ts'
import { isAmong, listOf } from '#platform/database/among.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import { fewShownTodos, type Present } from '../repeat/history/server/shown-todo-store.ts'
import { firstParents, hiddenTodos, todosAlong } from '../todo/server/subtask-store.ts'
import { todoRows } from '../todo/server/todo-rows.ts'
import type { CompletedTotals, Todo } from '../todo/todo.ts'
import { byCreation, completedCounts, completedTotals, isRecent } from './todo-list-store.ts'

// What a client that already has the to-dos is sent: those that a whole answer would contain, of all whose answer may differ
// because of the rows that writes have told. A subtask depends on its parent: it is hidden with it, listed with it, and shown by
// its occurrences. And an old parent is listed because of its subtasks. Nothing depends on more distant relatives, because a parent
// that names a parent itself doesn't count as one.

type Row = Tables['todos']

/** The most subtasks that are looked at. If there are more, the whole answer is hardly longer. */
const mostBelow = 100
/** The most characters of titles and notes that are sent in one piece; a whole answer is sent while it is read. */
const mostText = 128 * 1024

interface ChangedTodos {
  /** Which to-dos may have changed. */
  ids: string[]
  /** Those of them that a whole answer would contain, as it would contain them, newest first. */
  todos: Todo[]
  /** How many to-dos are completed, if the answer is about recent ones. */
  completed: CompletedTotals | undefined
}

/**
 * `told`: the ids of the rows that writes changed. `since`: with it, a whole answer would contain only what `listRecentTodos`
 * lists. Undefined if so much depends on the rows that a whole answer is better.
 */
export async function changedTodos(
  db: Database,
  user: string,
  told: readonly string[],
  { since, ...present }: Present & { since: Day | undefined },
): Promise<ChangedTodos | undefined> {
  const [rows, below, totals] = await db.readTogether((read) => {
    const these = { user, ids: listOf(read, told) }
    return Promise.all([
      rowsAmong(read, these),
      rowsBelow(read, { ...these, limit: mostBelow + 1 }),
      since && Promise.all([completedCounts(read, user), firstParents(read, user)]),
    ])
  })
  if (below.length > mostBelow) return undefined
  const family = await familyOf(db, user, [...rows, ...below], since)
  const affected = new Map([...rows, ...below, ...family.above].map((row) => [row.id, row]))
  const listed = [...affected.values()].filter(
    (row) =>
      row.deleted_at === null &&
      !family.hidden.has(row.id) &&
      (since === undefined || isRecent(row, since) || family.along.has(row.id)),
  )
  if (listed.reduce((sum, { title, note }) => sum + title.length + note.length, 0) > mostText)
    return undefined
  const todos = listed.toSorted(byCreation).map(todoRows.toWire)
  return {
    ids: [...new Set([...told, ...affected.keys()])],
    todos: await fewShownTodos(db, user, todos, present),
    completed: totals && (await completedTotals(db, user, { counts: totals[0], parents: totals[1] })),
  }
}

const noFamily = { above: [], hidden: new Set<string>(), along: new Set<string>() }

/** The parents of these rows, and which of all these to-dos are hidden, or listed because of a parent or subtask. */
async function familyOf(
  db: Database,
  user: string,
  rows: readonly Row[],
  since: Day | undefined,
): Promise<{ above: readonly Row[]; hidden: ReadonlySet<string>; along: ReadonlySet<string> }> {
  const only = [...new Set(rows.flatMap(({ parent_id }) => parent_id ?? []))]
  if (only.length === 0) return noFamily
  const [above, hidden, along] = await db.readTogether((read) =>
    Promise.all([
      rowsAmong(read, { user, ids: listOf(read, only) }),
      hiddenTodos(read, user, { only }),
      since === undefined ? [] : todosAlong(read, user, since, { only }),
    ]),
  )
  return {
    above: above.filter(({ parent_id }) => parent_id === null),
    hidden,
    along: new Set(along.map(({ id }) => id)),
  }
}

/** These rows, deleted or not. */
const rowsAmong = compiledOnce<{ user: string; ids: ReturnType<typeof listOf> }>()((db, param) =>
  db
    .selectFrom('todos')
    .selectAll()
    .where('user_id', '=', param('user'))
    .where(isAmong(db, 'id', param('ids'))),
)

const rowsBelow = compiledOnce<{ user: string; ids: ReturnType<typeof listOf>; limit: number }>()(
  (db, param) =>
    db
      .selectFrom('todos')
      .selectAll()
      .where('user_id', '=', param('user'))
      .where(isAmong(db, 'parent_id', param('ids')))
      .where('deleted_at', 'is', null)
      .limit(param('limit')),
)
