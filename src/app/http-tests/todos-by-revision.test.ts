import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { todos } from '#features/todos/testing/todos.ts'
import { todoRows } from '#features/todos/todo/server/todo-rows.ts'
import type { CompletedTotals, Todo } from '#features/todos/todo/todo.ts'
import type { Database } from '#platform/database/database.ts'
import { purgeDeleted } from '#platform/database/rows/delete-rows.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { longestPosition } from '#platform/order/position.ts'
import { runs } from '#testing/runs.ts'
import { type Application, openApplication } from '../testing/application.ts'

const aDay = 86_400_000
const noon = Date.parse('2026-11-20T12:00:00.000Z')
const text = (at: number) => new Date(at).toISOString()
const dayAt = (at: number) => text(at).slice(0, 10)
const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
const lists = [id(901), id(902), null]
const tags = ['home', 'Garden', 'errand']
const paths = ['/api/todos?done=recent', '/api/todos'] as const

/** Writes that change few rows, and say which. */
const small = [
  'add',
  'add below',
  'add again',
  'rename',
  'complete',
  'complete long ago',
  'reopen',
  'give a parent',
  'give a parent',
  'take the parent away',
  'repeat',
  'stop repeating',
  'settle',
  'open',
  'move the due day',
  'tag',
  'rename a tag',
  'put into a list',
  'move by hand',
  'move into a gap',
  'delete',
  'delete',
  'restore',
  'restore',
  'change what is not there',
] as const
/** What may change any row, or what no write says. */
const large = ['import', 'undo', 'delete late', 'purge', 'let hours pass', 'let a day pass'] as const

const step = fc.record({
  what: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...small) }, fc.constantFrom(...large)),
  which: fc.nat({ max: 8 }),
  other: fc.nat({ max: 8 }),
})

/** Each kind of dependence at least once, whatever is tried besides. */
const story: Step[] = [
  { what: 'take the parent away', which: 3, other: 0 },
  { what: 'give a parent', which: 3, other: 1 },
  { what: 'give a parent', which: 3, other: 0 },
  { what: 'give a parent', which: 3, other: 1 },
  { what: 'complete long ago', which: 3, other: 4 },
  { what: 'reopen', which: 3, other: 0 },
  { what: 'delete', which: 3, other: 0 },
  { what: 'restore', which: 3, other: 0 },
  { what: 'delete', which: 1, other: 0 },
  { what: 'rename', which: 3, other: 0 },
  { what: 'restore', which: 1, other: 0 },
  { what: 'complete', which: 1, other: 0 },
  { what: 'put into a list', which: 1, other: 0 },
  { what: 'settle', which: 5, other: 0 },
  { what: 'settle', which: 4, other: 0 },
  { what: 'complete', which: 4, other: 0 },
  { what: 'reopen', which: 4, other: 0 },
  { what: 'delete', which: 4, other: 0 },
  { what: 'restore', which: 4, other: 0 },
  { what: 'give a parent', which: 4, other: 0 },
  { what: 'tag', which: 0, other: 1 },
  { what: 'tag', which: 5, other: 1 },
  { what: 'rename a tag', which: 1, other: 2 },
  { what: 'move into a gap', which: 0, other: 4 },
  { what: 'move into a gap', which: 2, other: 5 },
  { what: 'move into a gap', which: 3, other: 3 },
]
/** A row that is purged before a device has asked what depended on it. */
const lateStory: Step[] = [
  { what: 'delete late', which: 4, other: 0 },
  { what: 'purge', which: 0, other: 0 },
  { what: 'purge', which: 0, other: 0 },
  { what: 'rename', which: 0, other: 0 },
]

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** What a device has read. */
interface Known {
  tag: string
  rows: readonly Todo[]
  completed: CompletedTotals | undefined
}

describeEachEngine('to-dos that are read by revision', (openEmpty) => {
  let database: Database
  let daymark: Application
  let now = noon
  let people = 0
  beforeAll(async () => {
    database = await openEmpty()
    daymark = openApplication(database, { clock: () => now })
  })

  async function someone() {
    people += 1
    const { cookie } = await daymark.signUp(`Ada${people}`)
    return (method: string, path: string, body?: unknown) => {
      // No two changes are made at the same instant.
      now += 1
      return daymark.ask(method, path, { cookie, body })
    }
  }
  type Ask = Awaited<ReturnType<typeof someone>>

  it('are the same as when all are read, whatever is done to them', async () => {
    const told = { parts: 0, wholes: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
        now = noon
        const ask = await someone()
        const devices = paths.map((path) => deviceOf(ask, path, told))
        await prepare(ask)
        for (const device of devices) await device.read()
        let added = 0
        let imported: string | undefined
        for (const taken of steps) {
          added += 1
          if (taken.what === 'import') imported = id(700 + added)
          await take(ask, taken, { added, imported })
          const isSmall = small.some((each) => each === taken.what)
          for (const device of devices) await device.compare(isSmall)
        }
      }),
      { numRuns: runs(400, 4), examples: [[story], [lateStory]] },
    )
    expect(told.parts).toBeGreaterThan(told.wholes)
  })

  /** A device that reads by `path`, and remembers what it read before. */
  function deviceOf(ask: Ask, path: (typeof paths)[number], told: { parts: number; wholes: number }) {
    let known: Known[] = []
    async function read(): Promise<Known> {
      const { body, headers } = await ask('GET', path)
      const tag = (headers.get('etag') ?? '').replaceAll(/^W\/|"/g, '')
      return { tag, rows: body.todos, completed: body.completed }
    }
    async function since({ tag, rows, completed }: Known, mayBePart: 'surely' | 'perhaps') {
      const { body } = await ask(
        'GET',
        `${path}${path.includes('?') ? '&' : '?'}since=${encodeURIComponent(tag)}`,
      )
      if (body.since === undefined) {
        expect(mayBePart, 'a write did not say what it changed').toBe('perhaps')
        told.wholes += 1
        return { rows: body.todos, completed: body.completed }
      }
      told.parts += 1
      expect(body.since).toBe(tag)
      expect(body.completed === undefined).toBe(completed === undefined)
      const byId = new Map(rows.map((row) => [row.id, row]))
      for (const gone of body.left) byId.delete(gone)
      for (const row of body.todos) byId.set(row.id, row)
      return { rows: [...byId.values()].toSorted(newestFirst), completed: body.completed }
    }
    return {
      async read() {
        known = [await read()]
      },
      async compare(isSmall: boolean) {
        const whole = await read()
        for (const [place, each] of known.entries()) {
          if (each.tag === whole.tag) continue
          const isLast = place === known.length - 1
          const { rows, completed } = await since(each, isSmall && isLast ? 'surely' : 'perhaps')
          expect({ rows, completed }).toEqual({ rows: whole.rows, completed: whole.completed })
        }
        if (known.at(-1)?.tag !== whole.tag) known = [...known.slice(known.length > 3 ? 1 : 0), whole]
      },
    }
  }

  /**
   * The lists, and a few to-dos from long ago: 1 was completed soon after that, but its subtask 3 is open again; 4 repeats and has
   * the subtask 5.
   */
  async function prepare(ask: Ask): Promise<void> {
    const at = text(now - 60 * aDay)
    for (const list of lists) if (list) await ask('POST', '/api/lists', { id: list, name: 'List' })
    const weekly = { freq: 'week', every: 1, mode: 'due', from: dayAt(now - 50 * aDay) }
    const given: Record<number, object> = {
      3: { parent_id: id(1) },
      4: { repeat: weekly },
      5: { parent_id: id(4) },
    }
    for (let number = 0; number < 6; number += 1) {
      await ask('POST', '/api/todos', { id: id(number), title: `Old ${number}`, at, ...given[number] })
    }
    const long = { completed: 1, completed_at: text(now - 40 * aDay), day: dayAt(now - 40 * aDay) }
    await ask('PUT', `/api/todos/${id(1)}`, long)
    await ask('PUT', `/api/todos/${id(3)}`, { completed: 0 })
  }

  async function take(
    ask: Ask,
    { what, which, other }: Step,
    { added, imported }: { added: number; imported: string | undefined },
  ): Promise<void> {
    const path = `/api/todos/${id(which)}`
    const edit = (changes: object) => ask('PUT', `${path}/edit`, changes)
    const more = { list_id: lists[other % 3], tags: tags.slice(0, other % 3), priority: other % 4 }
    const rule = {
      freq: other % 3 ? 'day' : 'week',
      every: 1 + (other % 2),
      from: dayAt(now - other * 9 * aDay),
    }
    switch (what) {
      case 'add':
        await ask('POST', '/api/todos', { id: id(which), title: 'New', completed: other % 2, ...more })
        break
      case 'add below':
        await ask('POST', '/api/todos', {
          title: 'Below',
          parent_id: id(which),
          completed: other % 2,
          ...more,
        })
        break
      case 'add again':
        await ask('POST', '/api/todos', { id: id(which), title: 'Again' })
        break
      case 'rename':
        await edit({ title: `Renamed ${added}`, note: 'A note' })
        break
      case 'complete':
        await ask('PUT', path, { completed: 1, at: text(now) })
        break
      case 'complete long ago': {
        const then = now - (20 + 5 * (other % 4)) * aDay
        await ask('PUT', path, { completed: 1, completed_at: text(then), day: dayAt(then), at: text(now) })
        break
      }
      case 'reopen':
        await ask('PUT', path, { completed: 0 })
        break
      case 'give a parent':
        await edit({ parent_id: id(other) })
        break
      case 'take the parent away':
        await edit({ parent_id: null })
        break
      case 'repeat':
        await edit({
          repeat: { ...rule, mode: other % 4 ? 'due' : 'done' },
          reminder: { days_before: 0, time: 540 },
        })
        break
      case 'stop repeating':
        await edit({ repeat: null })
        break
      case 'settle':
      case 'open':
        await ask('PUT', `${path}/days/${dayAt(now - (other % 6) * aDay)}`, {
          state: what === 'open' ? 'open' : other % 2 ? 'done' : 'skipped',
        })
        break
      case 'move the due day':
        await edit({ due_day: other === 0 ? null : dayAt(now + (other - 5) * aDay) })
        break
      case 'tag':
        await edit({ tags: other % 2 ? { add: [tags[other % 3]] } : { remove: [tags[other % 3]] } })
        break
      case 'rename a tag':
        await ask('PUT', `/api/tags/${tags[which % 3]}`, { tag: tags[other % 3] })
        break
      case 'put into a list':
        await edit({ list_id: lists[other % 3] })
        break
      case 'move by hand':
        await edit({ position: `a${other % 10}` })
        break
      case 'move into a gap':
        await edit({ position: `a0${'0'.repeat(longestPosition)}${1 + (other % 9)}` })
        break
      case 'delete':
        await ask('DELETE', path)
        break
      case 'delete late':
        await ask('DELETE', `${path}?at=${text(now - 32 * aDay)}`)
        break
      case 'restore':
        await ask('POST', `${path}/restore`)
        break
      case 'change what is not there':
        await ask('PUT', `/api/todos/${id(800 + which)}/edit`, { title: 'Nothing' })
        await ask('DELETE', `/api/todos/${id(800 + which)}`)
        await ask('POST', `/api/todos/${id(800 + which)}/restore`)
        break
      case 'import': {
        const file = (number: number, values: object) => {
          const at = text(now - other * aDay)
          return todos.file({ id: id(number), title: 'Brought', created_at: at, updated_at: at, ...values })
        }
        const brought = [file(which, {}), file(40 + added, { parent_id: id(which), tags: tags.slice(0, 1) })]
        const days = [{ day: dayAt(now), state: 'done', done_on: dayAt(now), moved_to: null, at: text(now) }]
        await ask('POST', '/api/import', {
          todos: brought,
          todo_days: [{ todo_id: id(which), days }],
          import: { id: imported, source: 'todoist', file: 'todoist.csv' },
        })
        break
      }
      case 'undo':
        if (imported) await ask('POST', `/api/imports/${imported}/undo`, {})
        break
      case 'purge':
        await purgeDeleted(database, todoRows, now - 30 * aDay, { rest: 0 })
        break
      case 'let hours pass':
        now += 5 * 3_600_000
        break
      case 'let a day pass':
        now += (other % 3 ? 1 : 31) * aDay
        break
    }
  }
})

function newestFirst(one: Todo, other: Todo): number {
  const [created, ofOther] = [Date.parse(one.created_at), Date.parse(other.created_at)]
  return ofOther - created || (one.id < other.id ? 1 : -1)
}
