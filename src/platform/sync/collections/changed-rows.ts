import type { ReadState } from '../local-store/local-store.ts'
import type { NewerResponse } from '../local-store/queued-write.ts'
import type { TabReplica } from '../local-store/tab-replica.ts'
import type { Collection } from './collection.ts'
import { type ServerSnapshot, snapshotOf } from './server-snapshot.ts'

// Responses that say only what has changed since a state that this device has: the rows that are new or another, `left`, the ids
// of those that are not in the answer any more, and the totals. They say nothing about any other state, and the tag of a state
// tells which one it is.

/** A stored response with the changes behind it. Throws if there are only changes, of other rows than the current ones. */
export function storedSnapshot<Row, Totals>(
  collection: Collection<Row, Totals>,
  { answer, since, tick, tag, changes = [] }: NewerResponse,
  current: ServerSnapshot<Row, Totals> | undefined,
): ServerSnapshot<Row, Totals> {
  // Its own tick is unknown, but only that of the last change counts.
  const base = answer === undefined ? current : snapshotOf(collection, answer, { tick: 0, tag: since })
  if (!base) throw new Error('There are changes of rows that this tab does not have')
  let reached = base.tag
  const answers: unknown[] = []
  for (const change of changes) {
    if (change.since !== reached) continue
    answers.push(change.answer)
    reached = change.tag
  }
  return withChanges(collection, base, answers, { tick: reached === tag ? tick : base.tick, tag: reached })
}

/** What a tab has not used yet, if anything, with what was stored since. */
export function joined(before: NewerResponse | undefined, newer: NewerResponse): NewerResponse {
  if (!before || newer.answer !== undefined) return newer
  const { tick, tag, changes = [] } = newer
  return { ...before, tick, tag, changes: [...(before.changes ?? []), ...changes] }
}

interface TakenChange<Row, Totals> {
  collection: Collection<Row, Totals>
  replica: TabReplica
  /** The rows that the server was told of. */
  asked: ServerSnapshot<Row, Totals>
  /** What has changed since; `asked` itself if nothing has. */
  body: object
  read: ReadState
  /** Whether an event carried it. */
  isCarried?: boolean
  show(snapshot: ServerSnapshot<Row, Totals>): void
}

/** Shows and stores what has changed. Returns undefined if it cannot be taken, because what is stored is in another state. */
export async function takeChange<Row, Totals>({
  collection,
  replica,
  asked,
  body,
  read,
  isCarried,
  show,
}: TakenChange<Row, Totals>): Promise<ServerSnapshot<Row, Totals> | undefined> {
  const answer = body === asked ? undefined : body
  const snapshot = answer ? changedSnapshot(collection, asked, answer, read) : { ...asked, ...read }
  if (!snapshot) return undefined
  const { name } = collection
  const isStored = await replica.storeRead(
    name,
    read,
    (store, account, incarnation) =>
      store.storeChange(account, incarnation, name, { since: asked.tag, answer, isCarried, ...read }),
    () => show(snapshot),
  )
  return isStored === false ? undefined : snapshot
}

function changedSnapshot<Row, Totals>(
  collection: Collection<Row, Totals>,
  asked: ServerSnapshot<Row, Totals>,
  answer: object,
  read: ReadState,
): ServerSnapshot<Row, Totals> | undefined {
  if (`"${Reflect.get(answer, 'since')}"` !== asked.tag) return undefined
  try {
    return withChanges(collection, asked, [answer], read)
  } catch (error) {
    console.warn(`The changes of ${collection.name} have an unknown form; it is read anew`, error)
    return undefined
  }
}

/** The ids of the rows that a response says have changed or are gone; none if its form is unknown. */
export function changedIds(collection: Collection<unknown>, response: unknown): string[] {
  const ids = [...leftOf(response), ...rowsOf(collection, response).map(idOf)]
  return ids.filter((id) => typeof id === 'string')
}

function rowsOf(collection: Collection<unknown>, response: unknown): unknown[] {
  try {
    return collection.rows(response)
  } catch {
    return []
  }
}

/** All other rows stay the same objects. */
function withChanges<Row, Totals>(
  collection: Collection<Row, Totals>,
  { rows, totals }: ServerSnapshot<Row, Totals>,
  answers: readonly unknown[],
  read: ReadState,
): ServerSnapshot<Row, Totals> {
  if (answers.length === 0) return { rows, totals, ...read }
  const changed = new Map<unknown, Row | undefined>()
  for (const answer of answers) {
    for (const id of leftOf(answer)) changed.set(id, undefined)
    for (const row of collection.rows(answer)) changed.set(idOf(row), row)
  }
  const inOrder = (one: Row, other: Row) => collection.order?.(one, other) ?? 0
  const incoming = [...changed.values()].filter((row) => row !== undefined).sort(inOrder)
  const merged: Row[] = []
  let next = 0
  for (const row of rows) {
    if (changed.has(idOf(row))) continue
    for (let first = incoming[next]; first !== undefined && inOrder(first, row) < 0; first = incoming[++next])
      merged.push(first)
    merged.push(row)
  }
  merged.push(...incoming.slice(next))
  return { rows: merged, totals: collection.totals?.(answers.at(-1)), ...read }
}

function leftOf(answer: unknown): readonly unknown[] {
  const left: unknown = Reflect.get(Object(answer), 'left')
  return Array.isArray(left) ? left : []
}

function idOf(row: unknown): unknown {
  return Reflect.get(Object(row), 'id')
}
