import { hiddenTodos } from '#features/todos/todo/server/subtask-store.ts'
import { storedTags, type TagCount, tagKey } from '#features/todos/todo/tags.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import { pagesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { betweenStretches } from '#platform/database/pacing/work.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'

/** Rows per read: few enough that other requests hardly wait. */
const readAtOnce = 1_000

/** Every tag in use with its count, in the order in which tags are shown. Deleted to-dos do not count. */
export async function tagCounts(db: Database, user: string): Promise<TagCount[]> {
  const hidden = await hiddenTodos(db.read, user)
  const counts = new Map<string, number>()
  const yieldPoint = createYieldPoint()
  const read = (last?: { id: string }) =>
    taggedRows(db.read, { user, after: last?.id ?? '', limit: readAtOnce })
  for await (const rows of pagesByKey(readAtOnce, read, betweenStretches)) {
    for (const { id, tags } of rows) {
      if (hidden.has(id)) continue
      await yieldPoint()
      for (const tag of storedTags.fromColumns({ tags })) counts.set(tag, (counts.get(tag) ?? 0) + 1)
    }
  }
  const byKey = new Map<string, Map<string, number>>()
  for (const [tag, count] of counts) {
    await yieldPoint()
    const key = tagKey(tag)
    const spellings = byKey.get(key)
    if (spellings) spellings.set(tag, count)
    else byKey.set(key, new Map([[tag, count]]))
  }
  const shown: TagCount[] = []
  for (const [, spellings] of await sortedByKey(byKey)) {
    await yieldPoint()
    const count = spellings.values().reduce((sum, each) => sum + each, 0)
    shown.push({ tag: mostUsed(spellings), count })
  }
  return shown
}

const taggedRows = compiledOnce<{ user: string; after: string; limit: number }>()((db, param) =>
  db
    .selectFrom('todos')
    .select(['id', 'tags'])
    .where('user_id', '=', param('user'))
    .where('id', '>', param('after'))
    .where('tags', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(param('limit')),
)

/** Sorts in runs and merges them: sorting hundreds of thousands of tags in one go would keep other requests waiting. */
async function sortedByKey<Value>(values: ReadonlyMap<string, Value>): Promise<[string, Value][]> {
  const yieldPoint = createYieldPoint()
  const all = [...values]
  let runs: [string, Value][][] = []
  for (let from = 0; from < all.length; from += readAtOnce) {
    await yieldPoint()
    runs.push(all.slice(from, from + readAtOnce).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  }
  while (runs.length > 1) {
    const merged: typeof runs = []
    for (let place = 0; place < runs.length; place += 2) {
      merged.push(await mergedRuns(runs[place] ?? [], runs[place + 1] ?? [], yieldPoint))
    }
    runs = merged
  }
  return runs[0] ?? []
}

async function mergedRuns<Value>(
  one: readonly [string, Value][],
  other: readonly [string, Value][],
  yieldPoint: () => Promise<void>,
): Promise<[string, Value][]> {
  const merged: [string, Value][] = []
  let place = 0
  for (const entry of one) {
    for (let next = other[place]; next && next[0] < entry[0]; next = other[++place]) merged.push(next)
    merged.push(entry)
    if (merged.length % readAtOnce === 0) await yieldPoint()
  }
  return merged.concat(other.slice(place))
}

/** The most frequent spelling of a tag. */
function mostUsed(spellings: ReadonlyMap<string, number>): string {
  const [first] = [...spellings].toSorted(
    ([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1),
  )
  return first?.[0] ?? ''
}
