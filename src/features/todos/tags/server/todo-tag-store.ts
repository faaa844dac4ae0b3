import type { Kysely, Transaction } from 'kysely'
import { sortedTags, storedTags, tagKey } from '#features/todos/todo/tags.ts'
import type { TagsEdit } from '#features/todos/todo/todo-requests.ts'
import { type Instant, instantFromWire } from '#platform/calendar/day.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { pagesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { betweenStretches } from '#platform/database/pacing/work.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import { rowsChanged } from '#platform/database/revisions/changed-rows.ts'
import type { RowLimit } from '#platform/database/row-kind.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { changedSince, keepAsItIs } from '#platform/database/rows/later-changes.ts'
import { type Adding, writeWithinLimits } from '#platform/database/rows/write-within-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { byInstant, type Follow, followed, mergedTags, type TagChange, type TagPress } from './merged-tags.ts'

// A to-do's row holds its tags as readers get them. They follow from the presses (single additions and removals) in `todo_tags`
// and from the renamings in `tag_changes`. A write that adds to either also rewrites the row, while it holds the row's lock.

type Row = Tables['todos']
type Columns = Pick<Row, 'tags' | 'tags_at'>
type PressOn = TagPress & { todo_id: string }

const tagLimit: RowLimit = {
  table: 'todo_tags',
  most: 500_000,
  many: 'changes to the tags of tasks',
  room: 'Delete tasks that have tags; they make room 30 days later.',
}

/** The most presses kept per to-do. A device is not expected to be offline for more changes than that. */
const mostPresses = 200
/** How many renamings and removals per person are kept for devices that may still send tags which they added before. */
const changesForLatecomers = 1_000
/**
 * Limits the stored renamings and removals. Older ones are kept only while they are needed to know the current names of a to-do's
 * tags.
 */
const changeLimit: RowLimit = {
  table: 'tag_changes',
  most: 10_000,
  many: 'renamed and removed tags',
  room: 'Delete tasks that have tags which were renamed; they make room 30 days later.',
}
/** To-dos per write: few enough that other requests hardly wait. */
const changedAtOnce = 100
/** Rows per read: few enough that other requests hardly wait. */
const readAtOnce = 1_000
/** To-dos per read, since each may have hundreds of presses. */
const todosAtOnce = 10

/**
 * Keeps renamings of tags from starting until this write ends: either the renaming sees the tags of this write, or the write sees
 * the renaming. Call it before the write locks any row, because a write that waits for a renaming must not hold up others.
 */
export async function holdTagChanges(tx: Transaction<Tables>, user: string): Promise<void> {
  await tx.selectFrom('user').select('id').where('id', '=', user).forShare().execute()
}

/** Stores the tags of a new to-do, and returns its `tags` column. Tags that were renamed since `tags_at` get their new names. */
export async function addTags(
  tx: Transaction<Tables>,
  adding: Adding,
  { user_id, id, tags_at }: Row,
  tags: readonly string[],
): Promise<Pick<Row, 'tags'>> {
  const presses = pressesOf(id, { add: tags }, tags_at)
  await storePresses(tx, adding, user_id, presses)
  await meetTagChanges(tx, user_id, presses, tags_at)
  return storedTags.toColumns(mergedTags(presses, await followOn(tx, user_id, [id])))
}

/** Stores an edit to the tags of a locked to-do, and returns the columns of its row that change. */
export async function editTags(
  tx: Transaction<Tables>,
  adding: Adding,
  row: Row,
  edit: TagsEdit,
  at: Instant,
): Promise<Partial<Columns>> {
  const { user_id, id, tags_at } = row
  if (changedSince(tags_at, at)) {
    if (isOtherwise(storedTags.fromColumns({ tags: row.tags }), edit)) keepAsItIs('tags')
    return {}
  }
  if (Array.isArray(edit)) {
    await deletePresses(tx, user_id, id, at)
    await storePresses(tx, adding, user_id, pressesOf(id, { add: edit }, at))
  } else await storePresses(tx, adding, user_id, pressesOf(id, edit, at))
  const presses = await pressesOn(tx, { user: user_id, id })
  await meetTagChanges(tx, user_id, presses, at)
  if (presses.some((press) => isWantedOtherwise(press, edit) && changedSince(press.changed_at, at))) {
    keepAsItIs('tags')
  }
  return {
    ...storedTags.toColumns(mergedTags(presses, await followOn(tx, user_id, [id]))),
    ...(Array.isArray(edit) && { tags_at: at }),
    ...(await forgetOldPresses(tx, user_id, id, presses)),
  }
}

/** Whether an edit asks for other tags than the to-do has. */
function isOtherwise(tags: unknown, edit: TagsEdit): boolean {
  const there = new Set(Array.isArray(tags) ? tags.map((tag) => tagKey(String(tag))) : [])
  if (Array.isArray(edit)) {
    const wanted = new Set(edit.map(tagKey))
    return wanted.size !== there.size || [...wanted].some((tag) => !there.has(tag))
  }
  const { add = [], remove = [] } = edit
  return add.some((tag) => !there.has(tagKey(tag))) || remove.some((tag) => there.has(tagKey(tag)))
}

/** Calls `changedSince` only for its check: it throws if the instant of the last change of these tags must not be trusted. */
async function meetTagChanges(
  tx: Transaction<Tables>,
  user: string,
  presses: readonly TagPress[],
  at: Instant,
): Promise<void> {
  if (presses.length === 0) return
  const { last } = await tx
    .selectFrom('tag_changes')
    .select(({ fn }) => fn.max('changed_at').as('last'))
    .where('user_id', '=', user)
    .where('tag', 'in', [...new Set(presses.map(({ tag }) => tag))])
    .executeTakeFirstOrThrow()
  changedSince(last ?? 0, at)
}

function isWantedOtherwise({ tag, is_on }: Pick<TagPress, 'tag' | 'is_on'>, edit: TagsEdit): boolean {
  const { add = [], remove = [] } = Array.isArray(edit) ? { add: edit } : edit
  return (is_on ? remove : add).some((each) => tagKey(each) === tag)
}

/** Stores the tags of newly imported to-dos as they are in the file: earlier renamings do not apply to them. */
export async function importTags(
  tx: Transaction<Tables>,
  adding: Adding,
  user: string,
  todos: readonly { id: string; tags: readonly string[]; updated_at: string }[],
  now: Instant,
): Promise<void> {
  const tagged = todos.filter(({ tags }) => tags.length > 0)
  if (tagged.length === 0) return
  const { last } = await tx
    .selectFrom('tag_changes')
    .select(({ fn }) => fn.max('changed_at').as('last'))
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow()
  const presses: PressOn[] = []
  const yieldPoint = createYieldPoint()
  for (const { id, tags, updated_at } of tagged) {
    await yieldPoint()
    const at = Math.max(Math.min(instantFromWire(updated_at), now), (last ?? -1) + 1)
    presses.push(...pressesOf(id, { add: tags }, at))
  }
  await storePresses(tx, adding, user, presses)
}

/** Renames or removes a tag on all to-dos that had it at that instant, including to-dos that arrive later. */
export async function changeTagEverywhere(
  db: Database,
  user: string,
  { tag, renamed_to, at }: { tag: string; renamed_to: string | null; at: Instant },
): Promise<TooManyRows | undefined> {
  const change = { tag: tagKey(tag), renamed_to, changed_at: at }
  // Store the change in a write of its own, which locks no to-do while it waits. Writes that add tags first take a lock that
  // conflicts with this one (`holdTagChanges`), so either they see this change, or it sees their tags. The lock still lets other
  // writes insert rows that refer to the user.
  const yieldPoint = createYieldPoint()
  const stored = await writeWithinLimits(db, user, [], async (tx, adding) => {
    await tx.selectFrom('user').select('id').where('id', '=', user).forNoKeyUpdate().execute()
    for (const table of ['todo_tags', 'tag_changes'] as const) {
      const { last } = await tx
        .selectFrom(table)
        .select(({ fn }) => fn.max('changed_at').as('last'))
        .where('user_id', '=', user)
        .where('tag', '=', change.tag)
        .executeTakeFirstOrThrow()
      changedSince(last ?? 0, at)
    }
    await tx
      .insertInto('tag_changes')
      .values({ user_id: user, ...change })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'tag', 'changed_at']).doUpdateSet({ renamed_to }),
      )
      .execute()
    const known = {
      changes: await changesOf(tx, user, yieldPoint),
      pressed: await pressedTags(tx, user, yieldPoint),
    }
    await forgetOldChanges(tx, user, known, yieldPoint)
    adding.rows(changeLimit, 1)
    return known
  })
  if (stored instanceof TooManyRows) return stored
  const names = formerNames(change.tag, stored.changes).intersection(stored.pressed)
  const follow = await followed(stored.changes, yieldPoint)
  for await (const ids of todosTagged(db, user, [...names])) {
    // Read without a lock first, because most to-dos may no longer have the tag. Writes that add the tag from now on see the
    // change.
    const changed = await differing(db.read, user, ids, follow)
    if (changed.size > 0) await mergeAgain(db, user, [...changed.keys()])
    // A stored change must reach all to-dos, even if nobody waits for the response any more.
    await betweenStretches().catch(() => {})
  }
  return undefined
}

/** The to-dos to which one of the tags was ever added, or from which it was removed, each once, a batch at a time. */
async function* todosTagged(db: Database, user: string, tags: readonly string[]): AsyncGenerator<string[]> {
  const seen = new Set<string>()
  let next: string[] = []
  const yieldPoint = createYieldPoint()
  for await (const presses of pressesWith(db, user, tags)) {
    await yieldPoint()
    for (const { todo_id } of presses) {
      if (seen.has(todo_id)) continue
      seen.add(todo_id)
      next.push(todo_id)
      if (next.length < changedAtOnce) continue
      yield next
      next = []
    }
  }
  yield* inBatches(next)
}

async function* pressesWith(
  db: Database,
  user: string,
  tags: readonly string[],
): AsyncGenerator<Pick<PressOn, 'todo_id'>[]> {
  for (const batch of inBatches(tags)) {
    // Not sorted: some databases would find all rows first in order to sort them.
    const few = await db.read
      .selectFrom('todo_tags')
      .select('todo_id')
      .where('user_id', '=', user)
      .where('tag', 'in', batch)
      .limit(readAtOnce + 1)
      .execute()
    if (few.length <= readAtOnce) yield few
    else for (const tag of batch) yield* pressesWithTag(db, user, tag)
  }
}

function pressesWithTag(db: Database, user: string, tag: string): AsyncGenerator<Pick<PressOn, 'todo_id'>[]> {
  return pagesByKey(changedAtOnce, (last?: Pick<PressOn, 'todo_id'>) =>
    db.read
      .selectFrom('todo_tags')
      .select('todo_id')
      .distinct()
      .where('user_id', '=', user)
      .where('tag', '=', tag)
      .where('todo_id', '>', last?.todo_id ?? '')
      .orderBy('todo_id')
      .limit(changedAtOnce)
      .execute(),
  )
}

async function mergeAgain(db: Database, user: string, ids: readonly string[]): Promise<void> {
  await db.writeFor(user, ['todos'], async (tx) => {
    await holdTagChanges(tx, user)
    await tx
      .selectFrom('todos')
      .select('id')
      .where('user_id', '=', user)
      .where('id', 'in', ids)
      // Lock parents before their subtasks, as completing them does: then two writes to the same to-dos never deadlock.
      .orderBy(({ eb }) => eb('parent_id', 'is not', null))
      .orderBy('id')
      .forUpdate()
      .execute()
    // Read the changes again: another renaming may have been stored meanwhile.
    const follow = await followOn(tx, user, ids)
    const differ = await differing(tx, user, ids, follow)
    rowsChanged(tx, 'todos', differ.keys())
    const changed = Map.groupBy(differ, ([, tags]) => tags)
    for (const [tags, having] of changed) {
      for (const batch of inBatches(having.map(([id]) => id))) {
        // Leave `updated_at` alone: nobody has changed the to-dos themselves, and an earlier deletion must still win.
        await tx
          .updateTable('todos')
          .set({ tags })
          .where('user_id', '=', user)
          .where('id', 'in', batch)
          .execute()
      }
    }
  })
}

/** The to-dos with stored tags that differ from what their presses and the renamings give, each with its correct tags. */
async function differing(
  db: Kysely<Tables>,
  user: string,
  ids: readonly string[],
  follow: Follow,
): Promise<Map<string, Row['tags']>> {
  const rows = await db
    .selectFrom('todos')
    .select(['id', 'tags'])
    .where('user_id', '=', user)
    .where('id', 'in', ids)
    .execute()
  const yieldPoint = createYieldPoint()
  const presses = await pressesOnEach(db, user, ids, yieldPoint)
  const ofTodo = Map.groupBy(presses, ({ todo_id }) => todo_id)
  const differ = new Map<string, Row['tags']>()
  for (const { id, tags } of rows) {
    await yieldPoint()
    const merged = storedTags.toColumns(mergedTags(ofTodo.get(id) ?? [], follow)).tags
    if (merged !== tags) differ.set(id, merged)
  }
  return differ
}

async function pressesOnEach(
  db: Kysely<Tables>,
  user: string,
  ids: readonly string[],
  yieldPoint: () => Promise<void>,
): Promise<PressOn[]> {
  const pressesOnAll = (some: readonly string[]) =>
    db
      .selectFrom('todo_tags')
      .select(['todo_id', 'tag', 'spelling', 'is_on', 'changed_at'])
      .where('user_id', '=', user)
      .where('todo_id', 'in', some)
  const few = await pressesOnAll(ids)
    .limit(readAtOnce + 1)
    .execute()
  if (few.length <= readAtOnce) return few
  const presses: PressOn[] = []
  for (const batch of inBatches(ids, todosAtOnce)) {
    await yieldPoint()
    presses.push(...(await pressesOnAll(batch).execute()))
  }
  return presses
}

function pressesOf(
  todo_id: string,
  { add = [], remove = [] }: { add?: readonly string[] | undefined; remove?: readonly string[] | undefined },
  at: Instant,
): PressOn[] {
  const pressOf = (spelling: string, is_on: 0 | 1): [string, PressOn] => {
    const tag = tagKey(spelling)
    return [tag, { todo_id, tag, spelling, is_on, changed_at: at }]
  }
  const removed = remove.map((tag) => pressOf(tag, 0))
  return [...new Map([...removed, ...sortedTags(add).map((tag) => pressOf(tag, 1))]).values()]
}

async function storePresses(
  tx: Transaction<Tables>,
  adding: Adding,
  user: string,
  presses: readonly PressOn[],
): Promise<void> {
  const yieldPoint = createYieldPoint()
  for (const batch of inBatches(presses)) {
    await yieldPoint()
    await tx
      .insertInto('todo_tags')
      .values(batch.map((press) => ({ user_id: user, ...press })))
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'todo_id', 'tag', 'changed_at']).doUpdateSet(({ ref }) => ({
          spelling: ref('excluded.spelling'),
          is_on: ref('excluded.is_on'),
        })),
      )
      .execute()
  }
  adding.rows(tagLimit, presses.length)
}

const pressesOn = compiledOnce<{ user: string; id: string }>()<TagPress>((db, param) =>
  db
    .selectFrom('todo_tags')
    .select(['tag', 'spelling', 'is_on', 'changed_at'])
    .where('user_id', '=', param('user'))
    .where('todo_id', '=', param('id')),
)

async function deletePresses(
  tx: Transaction<Tables>,
  user: string,
  id: string,
  until: Instant,
): Promise<void> {
  await tx
    .deleteFrom('todo_tags')
    .where('user_id', '=', user)
    .where('todo_id', '=', id)
    .where('changed_at', '<=', until)
    .execute()
}

/** If there are too many presses, replaces the older half with the tags that they left, as if these had been set at once. */
async function forgetOldPresses(
  tx: Transaction<Tables>,
  user: string,
  id: string,
  presses: readonly TagPress[],
): Promise<Partial<Columns>> {
  if (presses.length <= mostPresses) return {}
  const tags_at = presses.toSorted(byInstant)[mostPresses / 2]?.changed_at ?? 0
  // A renaming at the same instant counts as later.
  const follow = await followOn(tx, user, [id], ({ changed_at }) => changed_at < tags_at)
  const left = follow(presses.filter(({ changed_at }) => changed_at <= tags_at))
  await deletePresses(tx, user, id, tags_at)
  const rows = [...left].map(([tag, spelling]) => ({
    user_id: user,
    todo_id: id,
    tag,
    spelling,
    is_on: 1 as const,
    changed_at: tags_at,
  }))
  for (const batch of inBatches(rows)) await tx.insertInto('todo_tags').values(batch).execute()
  return { tags_at }
}

/**
 * Returns a function that applies the changes which may concern the tags of these to-dos. `counts` selects some of the changes.
 */
async function followOn(
  db: Kysely<Tables>,
  user: string,
  ids: readonly string[],
  counts: (change: TagChange) => boolean = () => true,
): Promise<Follow> {
  const yieldPoint = createYieldPoint()
  const pressed = db
    .selectFrom('todo_tags')
    .select('tag')
    .where('user_id', '=', user)
    .where('todo_id', 'in', ids)
  const rows = await db
    .selectFrom('tag_changes')
    .select(['tag', 'renamed_to', 'changed_at'])
    .where('user_id', '=', user)
    .where('tag', 'in', pressed)
    .limit(readAtOnce)
    .execute()
  const leadOn = rows.length === readAtOnce || rows.some(({ renamed_to }) => renamed_to !== null)
  // Following a chain of renamings step by step could take thousands of queries, so read all changes.
  const changes = leadOn ? await changesOf(db, user, yieldPoint) : rows.map(toChange)
  return followed(changes.filter(counts), yieldPoint)
}

/** All tag changes of one person. */
async function changesOf(
  db: Kysely<Tables>,
  user: string,
  yieldPoint: () => Promise<void>,
): Promise<readonly TagChange[]> {
  const changes: TagChange[] = []
  const read = (last?: { tag: string; changed_at: Instant }) =>
    changesAfter(db, { user, tag: last?.tag ?? '', at: last?.changed_at ?? 0, limit: readAtOnce })
  for await (const page of pagesByKey(readAtOnce, read, yieldPoint)) {
    for (const each of page) changes.push(toChange(each))
  }
  return changes
}

const changesAfter = compiledOnce<{ user: string; tag: string; at: Instant; limit: number }>()((db, param) =>
  db
    .selectFrom('tag_changes')
    .select(['tag', 'renamed_to', 'changed_at'])
    .where('user_id', '=', param('user'))
    .where((eb) => eb(eb.refTuple('tag', 'changed_at'), '>', eb.tuple(param('tag'), param('at'))))
    .orderBy('tag')
    .orderBy('changed_at')
    .limit(param('limit')),
)

function toChange({ tag, renamed_to, changed_at }: Omit<Tables['tag_changes'], 'user_id'>): TagChange {
  const to = renamed_to === null ? null : { tag: tagKey(renamed_to), spelling: renamed_to }
  return { tag, to, changed_at }
}

/** The tag, and every tag that was renamed to it, directly or in several steps. */
function formerNames(tag: string, changes: readonly TagChange[]): Set<string> {
  const leadingTo = Map.groupBy(changes, ({ to }) => to?.tag)
  const names = new Set([tag])
  // Iterating over a set includes the names that are added meanwhile.
  for (const name of names) for (const { tag } of leadingTo.get(name) ?? []) names.add(tag)
  return names
}

/** Deletes changes that are neither among the latest ones nor needed to know the names of a to-do's tags. */
async function forgetOldChanges(
  tx: Transaction<Tables>,
  user: string,
  { changes, pressed }: { changes: readonly TagChange[]; pressed: ReadonlySet<string> },
  yieldPoint: () => Promise<void>,
): Promise<void> {
  const instants = changes.map(({ changed_at }) => changed_at).toSorted((one, other) => other - one)
  const oldest = instants[changesForLatecomers]
  if (oldest === undefined) return
  const ofTag = Map.groupBy(changes, ({ tag }) => tag)
  const needed = new Set(pressed)
  // Iterating over a set includes the names that are added meanwhile.
  for (const name of needed) {
    await yieldPoint()
    for (const { to } of ofTag.get(name) ?? []) if (to) needed.add(to.tag)
  }
  const old = new Set(changes.filter(({ changed_at }) => changed_at <= oldest).map(({ tag }) => tag))
  for (const batch of inBatches([...old.difference(needed)])) {
    await yieldPoint()
    await tx
      .deleteFrom('tag_changes')
      .where('user_id', '=', user)
      .where('tag', 'in', batch)
      .where('changed_at', '<=', oldest)
      .execute()
  }
}

/** The renamed or removed tags that were ever put on a to-do or taken off one. */
async function pressedTags(
  tx: Transaction<Tables>,
  user: string,
  yieldPoint: () => Promise<void>,
): Promise<Set<string>> {
  const pressed = new Set<string>()
  const read = (last?: { tag: string }) =>
    tagsWithOnePress(tx, { user, after: last?.tag ?? '', limit: readAtOnce })
  for await (const page of pagesByKey(readAtOnce, read, yieldPoint)) {
    for (const { tag, todo_id } of page) if (todo_id !== null) pressed.add(tag)
  }
  return pressed
}

const tagsWithOnePress = compiledOnce<{ user: string; after: string; limit: number }>()((db, param) =>
  db
    .selectFrom('tag_changes')
    .select((eb) => [
      'tag',
      // One row is enough, because a tag may be on very many to-dos.
      eb
        .selectFrom('todo_tags')
        .select('todo_id')
        .where('todo_tags.user_id', '=', param('user'))
        .whereRef('todo_tags.tag', '=', 'tag_changes.tag')
        .limit(1)
        .as('todo_id'),
    ])
    .where('user_id', '=', param('user'))
    .where('tag', '>', param('after'))
    .groupBy('tag')
    .orderBy('tag')
    .limit(param('limit')),
)
