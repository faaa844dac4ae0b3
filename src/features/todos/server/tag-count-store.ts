import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import { betweenStretches } from '#platform/database/work.ts'
import { storedTags, type TagCount, tagKey } from '../tags.ts'
import { hiddenTodos } from './subtask-store.ts'

/** Few enough that other requests hardly wait for one read. */
const readAtOnce = 1_000

/** Every tag in use, without those of deleted to-dos, in the order in which they are shown. */
export async function tagCounts(db: Database, user: string): Promise<TagCount[]> {
  const hidden = await hiddenTodos(db, user)
  const counts = new Map<string, Map<string, number>>()
  for (let after = ''; ; ) {
    const rows = await taggedRows(db.read, { user, after, limit: readAtOnce })
    for (const { id, tags } of rows) {
      if (hidden.has(id)) continue
      for (const tag of storedTags.fromColumns({ tags })) {
        const spellings = counts.get(tagKey(tag)) ?? new Map<string, number>()
        counts.set(tagKey(tag), spellings.set(tag, (spellings.get(tag) ?? 0) + 1))
      }
    }
    const last = rows.at(-1)
    if (!last || rows.length < readAtOnce) break
    after = last.id
    await betweenStretches()
  }
  return [...counts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, spellings]) => ({
      tag: mostUsed(spellings),
      count: spellings.values().reduce((sum, count) => sum + count, 0),
    }))
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

/** How it is spelled most often. */
function mostUsed(spellings: ReadonlyMap<string, number>): string {
  const [first] = [...spellings].toSorted(
    ([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1),
  )
  return first?.[0] ?? ''
}
