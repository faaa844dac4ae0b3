import { expect, test } from 'vitest'
import { eventLoopTurn } from '../testing/notes.ts'
import { ChangedCollections, type ChangedCollectionsParts, revisionOfTag } from './changed-collections.ts'

const first = '11111111-1111-4111-8111-111111111111'
const second = '22222222-2222-4222-8222-222222222222'
const paths = { todos: '/api/todos', habits: '/api/habits', focus: '/api/focus', timer: '/api/focus/timer' }

const carried = { path: paths.todos, tag: `${second}-build`, response: { since: `${first}-build` } }

/** A tab that shows these collections, each read at the first revision. */
function showing(parts: Partial<ChangedCollectionsParts> = {}) {
  const read: string[] = []
  const tags = new Map(Object.keys(paths).map((name) => [name, `"${first}-build"`]))
  const { signal } = new AbortController()
  const changed = new ChangedCollections({
    collections: () => Object.entries(paths).map(([name, path]) => ({ name, path })),
    hasRead: (name) => name !== 'habits',
    isBusy: () => false,
    tagOf: (name) => tags.get(name),
    take: async () => false,
    refresh: async (name) => {
      read.push(name)
      await eventLoopTurn()
      tags.set(name, `"${second}-build"`)
      return true
    },
    now: () => 0,
    pause: () => eventLoopTurn(),
    ...parts,
  })
  return {
    changed,
    read,
    tags,
    handle: (message: Parameters<typeof changed.handle>[0]) => changed.handle(message, signal),
    handleCarried: (message: Parameters<typeof changed.handle>[0]) =>
      changed.handle(message, signal, [carried]),
  }
}

test('only what was named is read again, including what lies under its path', async () => {
  const { read, handle } = showing()
  await handle({ revision: second, lists: ['todos'] })
  expect(read).toEqual(['todos'])
  await handle({ revision: second, lists: ['focus', 'account'] })
  expect(read).toEqual(['todos', 'focus', 'timer'])
})

test('if anything may have changed, everything that this tab has read is read again', async () => {
  const { read, handle } = showing()
  await handle({ revision: second })
  expect(read).toEqual(['todos', 'focus', 'timer'])
})

test('what has already been read at that revision is not read again', async () => {
  const { read, tags, handle } = showing()
  await handle({ revision: first, lists: ['todos'] })
  tags.set('todos', `W/"${second}-2026-11-21-build"`)
  await handle({ revision: second, lists: ['todos'] })
  expect(read).toEqual([])
})

test('a collection that takes long to be read is read again only after a rest, and a short one at once', async () => {
  let now = 0
  const long = 2_000
  const paused: number[] = []
  const { read, handle } = showing({
    now: () => now,
    async refresh(name) {
      read.push(name)
      now += name === 'todos' ? long : 900
      return true
    },
    async pause(milliseconds) {
      paused.push(milliseconds)
      now += milliseconds
      await eventLoopTurn()
    },
  })
  await handle({ revision: second, lists: ['focus/timer'] })
  await handle({ revision: second, lists: ['focus/timer'] })
  expect(Math.max(...paused)).toBe(0)
  await handle({ revision: second, lists: ['todos'] })
  const burst = Array.from({ length: 20 }, () => handle({ revision: second, lists: ['todos'] }))
  await Promise.all(burst)
  expect(Math.max(...paused)).toBe(3 * long)
  expect(read).toEqual(['timer', 'timer', 'todos', 'todos'])
  // The clock was ahead, and is set right.
  now -= 24 * 60 * 60_000
  paused.length = 0
  await handle({ revision: second, lists: ['todos'] })
  expect(Math.max(...paused)).toBe(0)
})

test('what an event carries is taken at once, even while this device sends changes, and needs no read', async () => {
  let sending = true
  const { read, tags, handleCarried } = showing({
    isBusy: () => sending,
    async take(name, { tag }) {
      tags.set(name, `"${tag}"`)
      return true
    },
  })
  const handled = handleCarried({ revision: second, lists: ['todos'] })
  await eventLoopTurn()
  expect(tags.get('todos')).toBe(`"${second}-build"`)
  sending = false
  expect(await handled).toBe(true)
  expect(read).toEqual([])
})

test('what an event carried is read again if an earlier read has taken its place meanwhile', async () => {
  let reading = true
  const { read, tags, handleCarried } = showing({
    isBusy: () => reading,
    async take(name, { tag }) {
      tags.set(name, `"${tag}"`)
      return true
    },
  })
  const handled = handleCarried({ revision: second, lists: ['todos'] })
  await eventLoopTurn()
  tags.set('todos', `"${first}-build"`)
  reading = false
  await handled
  expect(read).toEqual(['todos'])
})

test('what an event carries of other rows, or of an earlier revision, is not enough', async () => {
  const { read, handleCarried } = showing()
  await handleCarried({ revision: second, lists: ['todos', 'focus/timer'] })
  expect(read.toSorted()).toEqual(['timer', 'todos'])
  const earlier = showing({
    async take(name) {
      earlier.tags.set(name, `"${first}-build"`)
      return true
    },
  })
  await earlier.handleCarried({ revision: second, lists: ['todos'] })
  expect(earlier.read).toEqual(['todos'])
})

test("this device's own changes are left to the tab that sends them, and a burst is read once", async () => {
  let sending = true
  const { read, tags, handle } = showing({ isBusy: () => sending })
  const handled = Array.from({ length: 20 }, () => handle({ revision: second, lists: ['todos'] }))
  for (let turns = 0; turns < 5; turns += 1) await eventLoopTurn()
  tags.set('todos', `"${second}-build"`)
  sending = false
  await Promise.all(handled)
  expect(read).toEqual([])
})

test('but writes that do not get through delay a read by at most two seconds', async () => {
  let waited = 0
  const { read, handle } = showing({
    isBusy: () => true,
    async pause(milliseconds) {
      waited += milliseconds
      await eventLoopTurn()
    },
  })
  await handle({ revision: second, lists: ['todos'] })
  expect({ read, waited }).toEqual({ read: ['todos'], waited: 2_000 })
})

test('a change that arrives while its collection is being read is read as well', async () => {
  const third = '33333333-3333-4333-8333-333333333333'
  const { read, handle } = showing()
  const early = handle({ revision: second, lists: ['todos'] })
  await Promise.all([early, handle({ revision: third, lists: ['todos'] })])
  expect(read).toEqual(['todos', 'todos'])
})

test('the caller learns if one of the collections could not be read', async () => {
  const { handle } = showing({ refresh: async (name) => name !== 'focus' })
  expect(await handle({ revision: second, lists: ['todos', 'focus'] })).toBe(false)
  expect(await handle({ revision: second, lists: ['todos'] })).toBe(true)
})

test('the tab is at a revision only if it has read every collection at it and no read is due', () => {
  const { changed, tags } = showing()
  expect(changed.readRevision).toBe(first)
  tags.set('focus', `"${second}-build"`)
  expect(changed.readRevision).toBeUndefined()
  expect(showing({ isBusy: (name) => name === 'todos' }).changed.readRevision).toBeUndefined()
  expect(showing({ hasRead: () => false }).changed.readRevision).toBeUndefined()
})

test.each([
  [`"${first}-build"`, first],
  [`W/"${first}-2026-11-21-2026-11-22-build"`, first],
  ['"another-server"', undefined],
  [undefined, undefined],
])('of the tag %s the revision is %s', (tag, revision) => {
  expect(revisionOfTag(tag)).toBe(revision)
})
