import type { Transaction } from 'kysely'
import { type Instant, instantFromWire } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/batches.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import type { RowLimit } from '#platform/database/row-kind.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { betweenStretches } from '#platform/database/work.ts'
import { type Adding, writeWithinLimits } from '#platform/database/write-within-limits.ts'
import { createYieldPoint } from '#platform/database/yield-point.ts'
import { sortedTags, storedTags, type TagsEdit, tagKey } from '../tags.ts'
import { byInstant, mergedTags, replayed, type TagChange, type TagPress } from './merged-tags.ts'

// A to-do's row has its tags as readers get them. They follow from the presses in `todo_tags` and from `tag_changes`, and whoever
// adds to either writes them again, with the row locked.

type Row = Tables['todos']
type Columns = Pick<Row, 'tags' | 'tags_at'>
type PressOn = TagPress & { todo_id: string }

const tagLimit: RowLimit = {
  table: 'todo_tags',
  most: 500_000,
  many: 'changes to the tags of tasks',
  room: 'Delete tasks that have tags; they make room 30 days later.',
}

/** Someone who has pressed more often on one to-do is not expected to be offline for that long. */
const mostPresses = 200
/** Of one person, the last so many are kept for tags that were added before, but arrive later. */
const changesForLatecomers = 1_000
/** Older ones are kept while a to-do needs them to know what its tags are called. */
const changeLimit: RowLimit = {
  table: 'tag_changes',
  most: 10_000,
  many: 'renamed and removed tags',
  room: 'Delete tasks that have tags which were renamed; they make room 30 days later.',
}
/** Few enough that other requests hardly wait for one write. */
const changedAtOnce = 100

/**
 * Lets no renaming begin until the write ends, so that each knows of the other. To be called before the write of tags locks any row:
 * whoever waits for a renaming must hold nothing that another write waits for.
 */
export async function holdTagChanges(tx: Transaction<Tables>, user: string): Promise<void> {
  await tx.selectFrom('user').select('id').where('id', '=', user).forShare().execute()
}

/** Stores the tags of a new to-do, and returns what they are: some may have been renamed since `at`. */
export async function addTags(
  tx: Transaction<Tables>,
  adding: Adding,
  { user_id, id, tags_at }: Row,
  tags: readonly string[],
): Promise<Pick<Row, 'tags'>> {
  const presses = pressesOf(id, { add: tags }, tags_at)
  await storePresses(tx, adding, user_id, presses)
  return storedTags.toColumns(mergedTags(presses, await changesSince(tx, user_id, presses)))
}

/** Stores what an edit does to the tags of a locked to-do, and returns what changes in its row. */
export async function editTags(
  tx: Transaction<Tables>,
  adding: Adding,
  { user_id, id, tags_at }: Row,
  edit: TagsEdit,
  at: Instant,
): Promise<Partial<Columns>> {
  if (at < tags_at) return {}
  if (Array.isArray(edit)) {
    await deletePresses(tx, user_id, id, at)
    await storePresses(tx, adding, user_id, pressesOf(id, { add: edit }, at))
  } else await storePresses(tx, adding, user_id, pressesOf(id, edit, at))
  const presses = await pressesOn(tx, { user: user_id, id })
  const changes = await changesSince(tx, user_id, presses)
  return {
    ...storedTags.toColumns(mergedTags(presses, changes)),
    ...(Array.isArray(edit) && { tags_at: at }),
    ...(await forgetOldPresses(tx, user_id, id, presses, changes)),
  }
}

/** Stores the tags of imported to-dos that are new, as they are in the file: no earlier renaming changes them. */
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
  const presses = tagged.flatMap(({ id, tags, updated_at }) =>
    pressesOf(id, { add: tags }, Math.max(Math.min(instantFromWire(updated_at), now), (last ?? -1) + 1)),
  )
  await storePresses(tx, adding, user, presses)
}

/** Renames a tag on all to-dos that had it at that instant, or removes it from them, also on those that arrive later. */
export async function changeTagEverywhere(
  db: Database,
  user: string,
  { tag, renamed_to, at }: { tag: string; renamed_to: string | null; at: Instant },
): Promise<TooManyRows | undefined> {
  const change = { tag: tagKey(tag), renamed_to, changed_at: at }
  // In a write of its own, because it must hold no to-do while it waits. Whoever adds tags holds the changes before they read them:
  // so the change is seen by them, or they are by it. The user's key stays free for writes of new rows, which name it.
  const refused = await writeWithinLimits(db, user, [], async (tx, adding) => {
    await tx.selectFrom('user').select('id').where('id', '=', user).forNoKeyUpdate().execute()
    await tx
      .insertInto('tag_changes')
      .values({ user_id: user, ...change })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'tag', 'changed_at']).doUpdateSet({ renamed_to }),
      )
      .execute()
    await forgetOldChanges(tx, user)
    adding.rows(changeLimit, 1)
  })
  if (refused) return refused
  const changes = await changesOf(db.read, { user })
  for (const former of formerNames(change.tag, changes)) await mergeTagged(db, user, former)
  return undefined
}

const changesOf = compiledOnce<{ user: string }>()<TagChange>((db, param) =>
  db
    .selectFrom('tag_changes')
    .select(['tag', 'renamed_to', 'changed_at'])
    .where('user_id', '=', param('user')),
)

/** Writes the tags of all to-dos again that ever had one of their own. */
async function mergeTagged(db: Database, user: string, tag: string): Promise<void> {
  for (let after = ''; ; ) {
    const page = await db.read
      .selectFrom('todo_tags')
      .select('todo_id')
      .distinct()
      .where('user_id', '=', user)
      .where('tag', '=', tag)
      .where('todo_id', '>', after)
      .orderBy('todo_id')
      .limit(changedAtOnce)
      .execute()
    const last = page.at(-1)
    if (!last) return
    for (const batch of inBatches(page.map(({ todo_id }) => todo_id))) {
      // Read without a lock first: whoever adds a tag from now on sees the change, and most to-dos may lack the tag by now.
      const changed = await differing(db.read, user, batch)
      if (changed.size > 0) await mergeAgain(db, user, [...changed.keys()])
    }
    after = last.todo_id
    await betweenStretches()
  }
}

async function mergeAgain(db: Database, user: string, ids: readonly string[]): Promise<void> {
  await db.writeFor(user, ['todos'], async (tx) => {
    await tx
      .selectFrom('todos')
      .select('id')
      .where('user_id', '=', user)
      .where('id', 'in', ids)
      // Parents before their subtasks, as whoever completes them does: two writes to the same to-dos never deadlock.
      .orderBy(({ eb }) => eb('parent_id', 'is not', null))
      .orderBy('id')
      .forUpdate()
      .execute()
    const changed = Map.groupBy(await differing(tx, user, ids), ([, tags]) => tags)
    for (const [tags, having] of changed) {
      for (const batch of inBatches(having.map(([id]) => id))) {
        // Nobody has changed the to-dos themselves: a deletion that was made before stands.
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

/** Those of the to-dos whose rows have other tags than their presses and the changes leave, and what these are. */
async function differing(
  db: Pick<Transaction<Tables>, 'selectFrom'>,
  user: string,
  ids: readonly string[],
): Promise<Map<string, Row['tags']>> {
  const presses = await db
    .selectFrom('todo_tags')
    .select(['todo_id', 'tag', 'spelling', 'is_on', 'changed_at'])
    .where('user_id', '=', user)
    .where('todo_id', 'in', ids)
    .execute()
  const changes = await changesSince(db, user, presses)
  const rows = await db
    .selectFrom('todos')
    .select(['id', 'tags'])
    .where('user_id', '=', user)
    .where('id', 'in', ids)
    .execute()
  const ofTodo = Map.groupBy(presses, ({ todo_id }) => todo_id)
  const yieldPoint = createYieldPoint()
  const differ = new Map<string, Row['tags']>()
  for (const { id, tags } of rows) {
    await yieldPoint()
    const merged = storedTags.toColumns(mergedTags(ofTodo.get(id) ?? [], changes)).tags
    if (merged !== tags) differ.set(id, merged)
  }
  return differ
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

/** Of very many presses, what the older half left stands as if it had been set at once. */
async function forgetOldPresses(
  tx: Transaction<Tables>,
  user: string,
  id: string,
  presses: readonly TagPress[],
  changes: readonly TagChange[],
): Promise<Partial<Columns>> {
  if (presses.length <= mostPresses) return {}
  const tags_at = presses.toSorted(byInstant)[mostPresses / 2]?.changed_at ?? 0
  const left = replayed(
    presses.filter(({ changed_at }) => changed_at <= tags_at),
    // One of the same instant is yet to come.
    changes.filter(({ changed_at }) => changed_at < tags_at),
  )
  await deletePresses(tx, user, id, tags_at)
  const rows = [...left].map(([tag, spelling]) => ({
    ...{ user_id: user, todo_id: id },
    ...{ tag, spelling, is_on: 1 as const, changed_at: tags_at },
  }))
  for (const batch of inBatches(rows)) await tx.insertInto('todo_tags').values(batch).execute()
  return { tags_at }
}

/** The changes that may concern tags on which somebody pressed. */
async function changesSince(
  db: Pick<Transaction<Tables>, 'selectFrom'>,
  user: string,
  presses: readonly TagPress[],
): Promise<TagChange[]> {
  const found: TagChange[] = []
  const known = new Set<string>()
  for (let tags = new Set(presses.map(({ tag }) => tag)); tags.size > 0; ) {
    const next: TagChange[] = []
    for (const batch of inBatches([...tags])) {
      const changes = await db
        .selectFrom('tag_changes')
        .select(['tag', 'renamed_to', 'changed_at'])
        .where('user_id', '=', user)
        .where('tag', 'in', batch)
        .execute()
      next.push(...changes)
    }
    found.push(...next)
    for (const tag of tags) known.add(tag)
    const names = next.flatMap(({ renamed_to }) => (renamed_to === null ? [] : [tagKey(renamed_to)]))
    tags = new Set(names).difference(known)
  }
  return found
}

/** The tag, and all that were renamed to it, or to one of these. */
function formerNames(tag: string, changes: readonly TagChange[]): Set<string> {
  const names = new Set([tag])
  // A set that grows while it is iterated goes on with what was added.
  for (const name of names) {
    for (const { tag, renamed_to } of changes) {
      if (renamed_to !== null && tagKey(renamed_to) === name) names.add(tag)
    }
  }
  return names
}

/** Forgets what is neither among the last changes nor needed to know what the tags of a to-do are called. */
async function forgetOldChanges(tx: Transaction<Tables>, user: string): Promise<void> {
  const oldest = await tx
    .selectFrom('tag_changes')
    .select('changed_at')
    .where('user_id', '=', user)
    .orderBy('changed_at', 'desc')
    .limit(1)
    .offset(changesForLatecomers)
    .executeTakeFirst()
  if (!oldest) return
  const changes = await changesOf(tx, { user })
  const needed = await pressedTags(tx, user, new Set(changes.map(({ tag }) => tag)))
  const ofTag = Map.groupBy(changes, ({ tag }) => tag)
  // A set that grows while it is iterated goes on with what was added.
  for (const name of needed) {
    for (const { renamed_to } of ofTag.get(name) ?? []) {
      if (renamed_to !== null) needed.add(tagKey(renamed_to))
    }
  }
  const unneeded = new Set(ofTag.keys()).difference(needed)
  for (const batch of inBatches([...unneeded])) {
    await tx
      .deleteFrom('tag_changes')
      .where('user_id', '=', user)
      .where('tag', 'in', batch)
      .where('changed_at', '<=', oldest.changed_at)
      .execute()
  }
}

/** Those of the tags that were ever added to a to-do or removed from it. */
async function pressedTags(
  tx: Transaction<Tables>,
  user: string,
  tags: ReadonlySet<string>,
): Promise<Set<string>> {
  const pressed = new Set<string>()
  for (const batch of inBatches([...tags])) {
    const rows = await tx
      .selectFrom('todo_tags')
      .select('tag')
      .distinct()
      .where('user_id', '=', user)
      .where('tag', 'in', batch)
      .execute()
    for (const { tag } of rows) pressed.add(tag)
  }
  return pressed
}
