import type { Selectable, Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Tables } from '#platform/database/tables.ts'

// The statements of nearly every write of a todo, and of the list.

export type Row = Selectable<Tables['todos']>

type NewRow = Pick<
  Row,
  'user_id' | 'id' | 'title' | 'completed' | 'completed_on' | 'completed_at' | 'due_day' | 'remind_at'
> & { at: Instant }

/** All of whose fields were last changed `at`. Undefined where there is one of the id. */
export async function insertRow(tx: Transaction<Tables>, row: NewRow): Promise<Row | undefined> {
  const [added] = await insertion(tx, row)
  return added
}

/** The row as nobody else can change it until the write ends. */
export async function lockRow(tx: Transaction<Tables>, user: string, id: string): Promise<Row | undefined> {
  const [row] = await selection(tx, { user, id })
  return row
}

/** Stores the named fields of the row. */
export async function storeRow(tx: Transaction<Tables>, row: Row, fields: readonly string[]): Promise<void> {
  await updateOf(fields)(tx, row)
}

/** The first rows of the list, the newest first. */
export const newestRows = compiledOnce<{ user: string; limit: number }>()((db, given) =>
  db
    .selectFrom('todos')
    .selectAll()
    .where('user_id', '=', given('user'))
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(given('limit')),
)

/** Those that follow in it on the row of this instant and id, neither of which ever changes. */
export const rowsAfter = compiledOnce<{ user: string; created_at: Instant; id: string; limit: number }>()(
  (db, given) =>
    db
      .selectFrom('todos')
      .selectAll()
      .where('user_id', '=', given('user'))
      .where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(given('created_at'), given('id'))))
      .where('deleted_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(given('limit')),
)

const insertion = compiledOnce<NewRow>()((db, given) =>
  db
    .insertInto('todos')
    .values({
      user_id: given('user_id'),
      id: given('id'),
      title: given('title'),
      title_at: given('at'),
      completed: given('completed'),
      completed_on: given('completed_on'),
      completed_at: given('completed_at'),
      completed_changed_at: given('at'),
      due_day: given('due_day'),
      due_day_at: given('at'),
      remind_at: given('remind_at'),
      remind_changed_at: given('at'),
      reminded_at: null,
      created_at: given('at'),
      updated_at: given('at'),
      deleted_at: null,
      deletion_changed_at: given('at'),
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
    .returningAll(),
)

const selection = compiledOnce<{ user: string; id: string }>()((db, given) =>
  db
    .selectFrom('todos')
    .selectAll()
    .where('user_id', '=', given('user'))
    .where('id', '=', given('id'))
    .forUpdate(),
)

type Update = (tx: Transaction<Tables>, row: Row) => Promise<unknown>

/** By the names of what they set: few of all that there could be are ever asked for. */
const updates = new Map<string, Update>()

function updateOf(fields: readonly string[]): Update {
  const name = fields.join()
  const known = updates.get(name)
  if (known) return known
  const update = compiledOnce<Row & Record<string, unknown>>()((db, given) =>
    db
      .updateTable('todos')
      .set(Object.fromEntries(fields.map((field) => [field, given(field)])))
      .where('user_id', '=', given('user_id'))
      .where('id', '=', given('id')),
  )
  updates.set(name, update)
  return update
}
