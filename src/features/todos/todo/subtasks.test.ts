import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '#testing/runs.ts'
import { todos } from '../testing/todos.ts'
import { listIdOf, parentOf, progressOf, subtasksOf } from './subtasks.ts'

const family = (parents: Record<string, string | null>) =>
  Object.entries(parents).map(([id, parent_id]) => todos.wire({ id, parent_id }))

/** What is shown: each of the top with those below it. */
function shown(parents: Record<string, string | null>) {
  const { top, byParent } = subtasksOf(family(parents))
  return Object.fromEntries(top.map(({ id }) => [id, (byParent.get(id) ?? []).map((each) => each.id)]))
}

describe('where a to-do stands', () => {
  it('a subtask stands below its parent, in the order in which they are given', () => {
    expect(shown({ b: 'trip', trip: null, a: 'trip', milk: null })).toEqual({ trip: ['b', 'a'], milk: [] })
  })

  it('one whose parent is not there stands alone', () => {
    expect(shown({ a: 'gone' })).toEqual({ a: [] })
  })

  it('a subtask of a subtask stands alone: there is no third level', () => {
    expect(shown({ trip: null, pack: 'trip', socks: 'pack' })).toEqual({ trip: ['pack'], socks: [] })
  })

  it('two that name each other both stand alone, and so does one that names itself', () => {
    expect(shown({ a: 'b', b: 'a', c: 'c' })).toEqual({ a: [], b: [], c: [] })
  })

  it('whatever they name as their parents, each is shown once', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f']
    const parent = fc.option(fc.constantFrom(...ids, 'gone'), { nil: null })
    const parents = fc.uniqueArray(fc.tuple(fc.constantFrom(...ids), parent), { selector: ([id]) => id })
    fc.assert(
      fc.property(parents, (pairs) => {
        const rows = family(Object.fromEntries(pairs))
        const { top, byParent } = subtasksOf(rows)
        const below = top.flatMap(({ id }) => byParent.get(id) ?? [])
        const all = [...top, ...below].map(({ id }) => id)
        expect(all.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
        const topIds = new Set(top.map(({ id }) => id))
        const byId = new Map(rows.map((row) => [row.id, row]))
        for (const row of rows) expect(parentOf(row, byId) === undefined).toBe(topIds.has(row.id))
      }),
      { numRuns: runs(10_000, 500) },
    )
  })
})

it('a subtask is in the list of its parent, whatever it names itself', () => {
  const trip = todos.wire({ id: 'trip', list_id: 'home' })
  const pack = todos.wire({ id: 'pack', list_id: 'work', parent_id: 'trip' })
  const byId = new Map([trip, pack].map((todo) => [todo.id, todo]))
  expect(listIdOf(pack, byId)).toBe('home')
  expect(listIdOf(pack, new Map([['pack', pack]]))).toBe('work')
  expect(listIdOf(pack, byId.set('trip', { ...trip, list_id: null }))).toBe(null)
})

it('the progress is how many of the subtasks are done', () => {
  expect(progressOf(([0, 1, 1] as const).map((completed) => todos.wire({ completed })))).toEqual({
    done: 2,
    of: 3,
  })
})
