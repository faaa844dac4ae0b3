import { expect, test } from 'vitest'
import { ChangedLists, type ChangedListsParts, revisionIn } from './changed-lists.ts'
import { turn } from './testing/notes.ts'

const first = '11111111-1111-4111-8111-111111111111'
const second = '22222222-2222-4222-8222-222222222222'
const paths = { todos: '/api/todos', habits: '/api/habits', focus: '/api/focus', timer: '/api/focus/timer' }

/** A tab that shows these lists, each read at the first revision. */
function showing(parts: Partial<ChangedListsParts> = {}) {
  const read: string[] = []
  const tags = new Map(Object.keys(paths).map((name) => [name, `"${first}-build"`]))
  const { signal } = new AbortController()
  const changed = new ChangedLists({
    lists: () => Object.entries(paths).map(([name, path]) => ({ name, path })),
    readHere: (name) => name !== 'habits',
    busy: () => false,
    tag: (name) => tags.get(name),
    refresh: async (name) => {
      read.push(name)
      await turn()
      tags.set(name, `"${second}-build"`)
      return true
    },
    pause: () => turn(),
    ...parts,
  })
  return {
    changed,
    read,
    tags,
    heed: (told: Parameters<typeof changed.heed>[0]) => changed.heed(told, signal),
  }
}

test('what was named is read again, with what is under it, and nothing else', async () => {
  const { read, heed } = showing()
  await heed({ revision: second, lists: ['todos'] })
  expect(read).toEqual(['todos'])
  await heed({ revision: second, lists: ['focus', 'account'] })
  expect(read).toEqual(['todos', 'focus', 'timer'])
})

test('where anything may have changed, all that this tab has read is read again', async () => {
  const { read, heed } = showing()
  await heed({ revision: second })
  expect(read).toEqual(['todos', 'focus', 'timer'])
})

test('what is known at that revision already is not read again', async () => {
  const { read, tags, heed } = showing()
  await heed({ revision: first, lists: ['todos'] })
  tags.set('todos', `W/"${second}-2026-11-21-build"`)
  await heed({ revision: second, lists: ['todos'] })
  expect(read).toEqual([])
})

test('a change of this very device is left to whoever sends it, and a burst of them is read once', async () => {
  let sending = true
  const { read, tags, heed } = showing({ busy: () => sending })
  const heeded = Array.from({ length: 20 }, () => heed({ revision: second, lists: ['todos'] }))
  for (let turns = 0; turns < 5; turns += 1) await turn()
  tags.set('todos', `"${second}-build"`)
  sending = false
  await Promise.all(heeded)
  expect(read).toEqual([])
})

test('but writes that do not get through hold up nothing for longer than two seconds', async () => {
  let waited = 0
  const { read, heed } = showing({
    busy: () => true,
    async pause(milliseconds) {
      waited += milliseconds
      await turn()
    },
  })
  await heed({ revision: second, lists: ['todos'] })
  expect({ read, waited }).toEqual({ read: ['todos'], waited: 2_000 })
})

test('a change that comes while its list is being read is read as well', async () => {
  const third = '33333333-3333-4333-8333-333333333333'
  const { read, heed } = showing()
  const early = heed({ revision: second, lists: ['todos'] })
  await Promise.all([early, heed({ revision: third, lists: ['todos'] })])
  expect(read).toEqual(['todos', 'todos'])
})

test('it is told when one of the lists could not be read', async () => {
  const { heed } = showing({ refresh: async (name) => name !== 'focus' })
  expect(await heed({ revision: second, lists: ['todos', 'focus'] })).toBe(false)
  expect(await heed({ revision: second, lists: ['todos'] })).toBe(true)
})

test('all is known at a revision only when every list that was read is, and none is being read', () => {
  const { changed, tags } = showing()
  expect(changed.readAt).toBe(first)
  tags.set('focus', `"${second}-build"`)
  expect(changed.readAt).toBeUndefined()
  expect(showing({ busy: (name) => name === 'todos' }).changed.readAt).toBeUndefined()
  expect(showing({ readHere: () => false }).changed.readAt).toBeUndefined()
})

test.each([
  [`"${first}-build"`, first],
  [`W/"${first}-2026-11-21-2026-11-22-build"`, first],
  ['"another-server"', undefined],
  [undefined, undefined],
])('of the tag %s the revision is %s', (tag, revision) => {
  expect(revisionIn(tag)).toBe(revision)
})
