import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tagKey } from '#features/todos/todo/tags.ts'
import { runs } from '#testing/runs.ts'
import { byInstant, followed, type TagChange, type TagPress } from './merged-tags.ts'

// Few names and instants: so most of them meet, and many fall on one instant.
const spelling = fc.constantFrom('a', 'A', 'b', 'c', 'C', 'd', 'e', 'f')
const instant = fc.integer({ min: 0, max: 12 })

const presses = fc.uniqueArray(
  fc
    .record({ spelling, is_on: fc.constantFrom<0 | 1>(1, 1, 0), changed_at: instant })
    .map((press): TagPress => ({ ...press, tag: tagKey(press.spelling) })),
  { selector: ({ tag, changed_at }) => `${tag} ${changed_at}`, maxLength: 12, size: 'max' },
)
const changes = fc.uniqueArray(
  fc.record({ from: spelling, to: fc.option(spelling, { freq: 6 }), changed_at: instant }).map(
    ({ from, to, changed_at }): TagChange => ({
      tag: tagKey(from),
      to: to === null ? null : { tag: tagKey(to), spelling: to },
      changed_at,
    }),
  ),
  { selector: ({ tag, changed_at }) => `${tag} ${changed_at}`, maxLength: 25, size: 'max' },
)

test('tags are what remains when everything that was done is done again, one after another', async () => {
  await fc.assert(
    fc.asyncProperty(presses, changes, async (pressed, changed) => {
      const follow = await followed(changed, async () => {})
      expect(Object.fromEntries(follow(pressed))).toEqual(Object.fromEntries(doneAgain(pressed, changed)))
    }),
    { numRuns: runs(200_000, 2_000) },
  )
})

/** The model: one step after another. Of the same instant, a tag that is added is renamed. */
function doneAgain(presses: readonly TagPress[], changes: readonly TagChange[]): Map<string, string> {
  const tags = new Map<string, string>()
  const inOrder = changes.toSorted(
    (one, other) => one.changed_at - other.changed_at || (one.tag < other.tag ? -1 : 1),
  )
  let next = 0
  const followBefore = (end: number) => {
    for (let change = inOrder[next]; change && change.changed_at < end; change = inOrder[++next]) {
      if (tags.delete(change.tag) && change.to) tags.set(change.to.tag, change.to.spelling)
    }
  }
  for (const { tag, spelling, is_on, changed_at } of presses.toSorted(byInstant)) {
    followBefore(changed_at)
    if (is_on) tags.set(tag, spelling)
    else tags.delete(tag)
  }
  followBefore(Number.POSITIVE_INFINITY)
  return tags
}
