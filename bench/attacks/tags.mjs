// Attacks by tags that were renamed again and again.
import { instantToWire } from '../../src/platform/calendar/day.ts'
import { addAttacker, addRows, addTodos } from './accounts.mjs'
import { declare } from './attack.mjs'
import { address } from './requests.mjs'

/** @typedef {import('../../src/platform/database/database.ts').Database} Database */

const tagged = 10
/** The tags of one task that a request can name, and the presses that are kept of one task. */
const [mostTags, mostPresses] = [50, 200]
/** When the tags were added, and when they were renamed, one after another. */
const pressedAt = Date.now() - 7_200_000
const renamedAt = Date.now() - 3_600_000

const endOfChain = declare({
  name: 'renaming at the end of a chain of 3,000 renamed tags',
  async prepare(database, name) {
    const { user, cookie } = await addAttacker(database, name)
    await addChain(database, user, 3_000)
    const todos = await addTagged(database, user, tagName(3_000))
    await addPresses(database, user, todos, () => [tagName(0)])
    return { cookie }
  },
  async attack(siege, { cookie }) {
    let last = 3_000
    await siege.keepAsking(4, () => {
      const path = `/api/tags/${tagName(last)}`
      last += 1
      return { method: 'PUT', path, cookie, address, body: { tag: tagName(last) } }
    })
  },
})

const chained = 500

const chainedTags = declare({
  name: '500 chained tags on ten to-dos, added and removed',
  async prepare(database, name) {
    const { user, cookie } = await addAttacker(database, name)
    await addChain(database, user, chained)
    const todos = await addTagged(database, user, tagName(chained))
    await addPresses(database, user, todos, (place) => tagsFrom(place * mostTags, mostPresses))
    return { cookie, todos }
  },
  attack: (siege, { cookie, todos }) =>
    siege.keepAsking(tagged, (connection, turn) => {
      const from = (connection + 2 * turn) * mostTags
      const tags = { add: tagsFrom(from, mostTags), remove: tagsFrom(from + mostTags, mostTags) }
      // Later than all that is known of the task, and earlier than the renamings: so each tag follows the chain.
      const at = instantToWire(pressedAt + 1 + turn)
      const path = `/api/todos/${todos[connection]}/edit`
      return { method: 'PUT', path, cookie, address, body: { tags, at } }
    }),
})

export const tags = [endOfChain, chainedTags]

/** Each tag was renamed to the next one, up to this number. @param {Database} database @param {string} user @param {number} length */
async function addChain(database, user, length) {
  const changes = Array.from({ length }, (_, place) => ({
    tag: tagName(place),
    renamed_to: tagName(place + 1),
    changed_at: renamedAt + place,
  }))
  await addRows(database, user, 'tag_changes', changes)
}

/** Tasks that show this tag. @param {Database} database @param {string} user @param {string} tag */
function addTagged(database, user, tag) {
  return addTodos(database, user, tagged, 20, { tags: JSON.stringify([tag]), tags_at: pressedAt })
}

/**
 * @param {Database} database
 * @param {string} user
 * @param {string[]} todos
 * @param {(place: number) => string[]} tagsOf the task at this place
 */
async function addPresses(database, user, todos, tagsOf) {
  const presses = todos.flatMap((todo_id, place) =>
    tagsOf(place).map((tag) => ({ todo_id, tag, spelling: tag, is_on: 1, changed_at: pressedAt })),
  )
  await addRows(database, user, 'todo_tags', presses)
}

/** So many of the chained tags in a row, from this place on. @param {number} from @param {number} count */
function tagsFrom(from, count) {
  return Array.from({ length: count }, (_, place) => tagName((from + place) % chained))
}

/** @param {number} number */
function tagName(number) {
  return `tag-${number}`
}
