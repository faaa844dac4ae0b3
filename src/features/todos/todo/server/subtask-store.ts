import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely'
import type { Day, Instant } from '#platform/calendar/day.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { pagesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { betweenStretches } from '#platform/database/pacing/work.ts'
import { neverRestored } from '#platform/database/rows/deletion.ts'
import type { Tables } from '#platform/database/tables.ts'

// How subtasks (`../subtasks.ts`) are listed and counted on the server. The subtasks of a deleted to-do are hidden, unless they
// were changed after that deletion: then they become tasks of their own. Hiding writes nothing to the subtasks, so every reader
// has to leave them out. Accounts without subtasks cost one lookup in an index that is empty for them.

/** Rows per read: few enough that other requests hardly wait. */
const readAtOnce = 1_000

/** The ids of the subtasks that are hidden because their parent is deleted. */
export async function hiddenTodos(
  read: Kysely<Tables>,
  user: string,
  of?: Parents,
): Promise<ReadonlySet<string>> {
  const hidden = new Set<string>()
  for await (const parents of parentsOf(read, user, of)) {
    const rows = await read
      .selectFrom('todos')
      .select('todos.id')
      .where('todos.user_id', '=', user)
      .where('todos.parent_id', 'in', parents)
      .where('todos.deleted_at', 'is', null)
      .where(isHidden)
      .execute()
    for (const { id } of rows) hidden.add(id)
  }
  return hidden
}

/**
 * To-dos completed before `since` that must be listed with newer ones: subtasks of a parent that is open or was completed since
 * then, and parents of such subtasks.
 */
export async function todosAlong(
  read: Kysely<Tables>,
  user: string,
  since: Day,
  of?: Parents,
): Promise<{ id: string; created_at: Instant }[]> {
  const along = new Map<string, { id: string; created_at: Instant }>()
  for await (const parents of parentsOf(read, user, of)) {
    const pairs = await read
      .selectFrom('todos as subtasks')
      .innerJoin('todos as parents', (join) =>
        join.onRef('parents.user_id', '=', 'subtasks.user_id').onRef('parents.id', '=', 'subtasks.parent_id'),
      )
      .select([
        'subtasks.id',
        'subtasks.created_at',
        'subtasks.completed_on',
        'parents.id as parent',
        'parents.created_at as parent_created_at',
      ])
      .where('subtasks.user_id', '=', user)
      .where('subtasks.parent_id', 'in', parents)
      .where('subtasks.deleted_at', 'is', null)
      .where(isLiveParent)
      .where(({ eb, fn, val }) => {
        // An open to-do counts as completed later than any day.
        const doneOn = (column: 'subtasks.completed_on' | 'parents.completed_on') =>
          fn.coalesce(column, val('9999-12-31'))
        return eb.or([
          eb.and([
            eb(doneOn('subtasks.completed_on'), '<', since),
            eb(doneOn('parents.completed_on'), '>=', since),
          ]),
          eb.and([
            eb(doneOn('subtasks.completed_on'), '>=', since),
            eb(doneOn('parents.completed_on'), '<', since),
          ]),
        ])
      })
      .execute()
    for (const { id, created_at, completed_on, parent, parent_created_at } of pairs) {
      const isOld = completed_on !== null && completed_on < since
      if (isOld) along.set(id, { id, created_at })
      else along.set(parent, { id: parent, created_at: parent_created_at })
    }
  }
  return [...along.values()]
}

/** How many completed subtasks count for their parent's list instead of their own, or are hidden. */
export async function completedSubtasks(
  read: Kysely<Tables>,
  user: string,
  first?: FirstParents,
): Promise<{ list_id: string | null; parents_list: string | null; hidden: 0 | 1; count: number }[]> {
  const counts = []
  for await (const parents of parentsOf(read, user, first)) {
    const hidden = sql<0 | 1>`case when parents.deleted_at is null then 0 else 1 end`
    const ofThese = await read
      .selectFrom('todos as subtasks')
      .innerJoin('todos as parents', (join) =>
        join.onRef('parents.user_id', '=', 'subtasks.user_id').onRef('parents.id', '=', 'subtasks.parent_id'),
      )
      .select(({ fn }) => [
        'subtasks.list_id',
        'parents.list_id as parents_list',
        hidden.as('hidden'),
        fn.countAll<number>().as('count'),
      ])
      .where('subtasks.user_id', '=', user)
      .where('subtasks.parent_id', 'in', parents)
      .where('subtasks.completed', '=', 1)
      .where('subtasks.deleted_at', 'is', null)
      .where('parents.parent_id', 'is', null)
      .where(({ eb, or, ref }) =>
        or([
          eb('parents.deleted_at', 'is', null),
          eb('parents.updated_at', '>=', ref('subtasks.updated_at')),
        ]),
      )
      .groupBy(['subtasks.list_id', 'parents.list_id', hidden])
      .execute()
    counts.push(...ofThese)
  }
  return counts
}

/** Whose subtasks to look at: those of every parent, of which the first page may be known, or only those of these to-dos. */
type Parents = FirstParents | { only: readonly string[] }

/** The ids of these parents, or of all to-dos named as parents, in batches that fit into one statement. */
async function* parentsOf(read: Kysely<Tables>, user: string, of?: Parents): AsyncGenerator<string[]> {
  if (of && 'only' in of) {
    yield* inBatches(of.only)
    return
  }
  const page = async (last?: { parent_id: string | null }) =>
    last
      ? parentsAfter(read, { user, after: last.parent_id ?? '', limit: readAtOnce })
      : (of ?? firstParents(read, user))
  for await (const rows of pagesByKey(readAtOnce, page, betweenStretches)) {
    yield* inBatches(rows.flatMap(({ parent_id }) => parent_id ?? []))
  }
}

type FirstParents = { parent_id: string | null }[]

/**
 * The first page of to-dos named as parents, which is nearly always empty. Several functions can share it. It can be read together
 * with other rows, unlike what follows from it: who walks through many pages may have to rest, and keeps no connection meanwhile.
 */
export function firstParents(read: Kysely<Tables>, user: string): Promise<FirstParents> {
  return parentsAfter(read, { user, after: '', limit: readAtOnce })
}

const parentsAfter = compiledOnce<{ user: string; after: string; limit: number }>()((db, param) =>
  db
    .selectFrom('todos')
    .select('parent_id')
    .distinct()
    .where('user_id', '=', param('user'))
    .where('parent_id', '>', param('after'))
    .orderBy('parent_id')
    .limit(param('limit')),
)

/**
 * Whether a to-do is hidden because its parent is deleted. A parent that itself names a parent does not count as a parent, and
 * hides nothing.
 */
export function isHidden({ exists, selectFrom }: ExpressionBuilder<Tables, 'todos'>) {
  return exists(
    selectFrom('todos as parents')
      .select('parents.id')
      .whereRef('parents.user_id', '=', 'todos.user_id')
      .whereRef('parents.id', '=', 'todos.parent_id')
      .where('parents.parent_id', 'is', null)
      .where('parents.deleted_at', 'is not', null)
      // `updated_at` of a deleted row is the instant of its deletion. Do not use `deletion_changed_at`, because a purge moves it
      // forward.
      .whereRef('parents.updated_at', '>=', 'todos.updated_at'),
  )
}

/**
 * Whether the row `parents`, found by its id, is neither deleted nor a subtask. Written as one expression: two plain conditions
 * would match an index of the live to-dos, and PostgreSQL without statistics would walk all of it for each parent.
 */
export const isLiveParent = sql<boolean>`
  case when parents.parent_id is null and parents.deleted_at is null then 1 else 0 end = 1`

const parent = sql`
  from todos as parents
  where parents.user_id = todos.user_id and parents.id = todos.parent_id and ${isLiveParent}`

/** The list of a to-do, or of its parent if it is a subtask. */
export const listStoodIn = sql<string | null>`
  case
    when todos.parent_id is null then todos.list_id
    when exists (select 1 ${parent}) then (select parents.list_id ${parent})
    else todos.list_id
  end`

/**
 * Marks up to `most` subtasks that are hidden by the deletion of a to-do, so that the next purge deletes them for good. They can
 * no longer be restored, because nothing can bring back their parent. A subtask that somebody is changing right now is left out,
 * and becomes a task of its own. Returns how many are marked.
 */
export async function deleteHidden(
  tx: Transaction<Tables>,
  { user_id, id }: { user_id: string; id: string },
  most: number,
): Promise<number> {
  const hidden = await tx
    .selectFrom('todos')
    .select('todos.id')
    .where('todos.user_id', '=', user_id)
    .where('todos.parent_id', '=', id)
    .where('todos.deleted_at', 'is', null)
    .where(isHidden)
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute()
  for (const batch of inBatches(hidden)) {
    await tx
      .updateTable('todos')
      .set({
        deleted_at: sql<Instant>`(select parents.deleted_at from todos as parents where parents.user_id = ${user_id} and parents.id = ${id})`,
        deletion_changed_at: neverRestored,
      })
      .where('user_id', '=', user_id)
      .where(
        'id',
        'in',
        batch.map((row) => row.id),
      )
      .execute()
  }
  return hidden.length
}

/** The imported to-dos with a subtask that was added or changed after the import. */
export async function withChangedSubtasks(
  tx: Transaction<Tables>,
  user: string,
  todos: readonly Pick<Tables['todos'], 'id' | 'imported_at'>[],
  importId: string,
): Promise<Set<string>> {
  const importedAt = new Map(todos.map(({ id, imported_at }) => [id, imported_at]))
  const changed = new Set<string>()
  for (const batch of inBatches([...importedAt.keys()])) {
    const subtasks = await tx
      .selectFrom('todos')
      .select(['parent_id', 'updated_at', 'import_id', 'imported_at'])
      .where('user_id', '=', user)
      .where('parent_id', 'in', batch)
      .execute()
    for (const { parent_id, updated_at, import_id, imported_at } of subtasks) {
      if (parent_id === null) continue
      const since = import_id === importId ? imported_at : importedAt.get(parent_id)
      if (updated_at > (since ?? 0)) changed.add(parent_id)
    }
  }
  return changed
}

/** The lists that contain to-dos; with `changedSince`, only to-dos that were changed or imported since then. */
export async function listsWithTodos(
  tx: Transaction<Tables>,
  user: string,
  lists: readonly string[],
  changedSince?: Instant,
): Promise<Set<string>> {
  const used = new Set<string>()
  for (const batch of inBatches(lists)) {
    const rows = await tx
      .selectFrom('todos')
      .select('list_id')
      .distinct()
      .where('user_id', '=', user)
      .where('list_id', 'in', batch)
      .where('deleted_at', 'is', null)
      .$if(changedSince !== undefined, (query) =>
        query.where((eb) =>
          eb.or([
            eb('updated_at', '>', changedSince ?? 0),
            // An import can bring rows that were changed long ago.
            eb('imported_at', '>=', changedSince ?? 0),
          ]),
        ),
      )
      .execute()
    for (const { list_id } of rows) if (list_id !== null) used.add(list_id)
  }
  return used
}
