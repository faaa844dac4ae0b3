import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { removeTag } from '#features/todos/tags/web/tag-writes.ts'
import { todos } from '#features/todos/testing/todos.ts'
import { idOf, today, World } from '#features/todos/testing/world.ts'
import { dayFromNumber, dayNumber, daySchema, type Instant } from '#platform/calendar/day.ts'
import type { QueueWrite } from '#platform/sync/collections/write.ts'
import { deviceTimeOf } from '#platform/sync/local-store/change-timestamp.ts'
import { runs } from '#testing/runs.ts'
import { parentOf, subtasksOf } from '../subtasks.ts'
import type { Todo } from '../todo.ts'
import {
  addTodo,
  deleteTodo,
  editTodo,
  openSubtasks,
  renameTodo,
  setTodoCompleted,
  settleOccurrence,
  type TodoChanges,
  writeNote,
} from './todo-queries.ts'

/** What a person sees of to-dos, part by part. */
function seen(rows: readonly Todo[]): Map<string, Map<string, unknown>> {
  return new Map(rows.map((row) => [row.id, seenIn(row)]))
}

function seenIn({ tags, settled = [], reminder, remind_at, due_day, ...row }: Todo): Map<string, unknown> {
  const { title, note, completed, parent_id, list_id, position, priority, estimate, repeat } = row
  const fields = { title, note, completed, parent_id, list_id, position, priority, estimate, repeat }
  return new Map<string, unknown>([
    ...Object.entries(fields),
    ['reminder', reminder ?? remind_at],
    ...(repeat === null ? [['due', due_day] as const] : []),
    ...tags.map((tag) => [`tag ${tag.toLowerCase()}`, tag] as const),
    ...settled
      .filter(({ state }) => state !== 'open')
      .map(({ day, state, done_on }) => [`settled ${day}`, [state, done_on]] as const),
    ...settled
      .filter(({ moved_to }) => repeat !== null && moved_to !== null)
      .map(({ day, moved_to }) => [`moved ${day}`, moved_to] as const),
  ])
}

type Seen = ReturnType<typeof seen>

/** What should be seen once a change from `from` to `to` is taken back where `now` still is as it made it. */
function expected(now: Seen, { from, to }: { from: Seen; to: Seen }): Seen {
  const result = new Map(now)
  const mayGo = [...to].flatMap(([id, is]) => {
    const current = now.get(id)
    return !from.has(id) && current && sameButPlace(is, current) ? [id] : []
  })
  for (const id of mayGo) {
    // What somebody else has put below it would go, too.
    const below = [...now].filter(([, parts]) => parts.get('parent_id') === id)
    if (below.every(([other]) => mayGo.includes(other))) result.delete(id)
  }
  for (const id of new Set([...from.keys(), ...to.keys()])) {
    const [was, is, current] = [from.get(id), to.get(id), now.get(id)]
    if (was && !is && !current) result.set(id, was)
    if (!was || !is || !current) continue
    const parts = new Map(current)
    const isUndone = (part: string) =>
      !isSame(was.get(part), is.get(part)) && isSame(current.get(part), is.get(part))
    // Only one that repeats has occurrences to move, and only one that does not has a due day of its own.
    const hasOtherDays = (part: string) =>
      current.get('repeat') === null ? part.startsWith('moved') : part === 'due'
    for (const part of new Set([...was.keys(), ...is.keys()])) {
      if (!isUndone(part)) continue
      if (hasOtherDays(part) && !isUndone('repeat')) continue
      if (was.has(part)) parts.set(part, was.get(part))
      else parts.delete(part)
    }
    result.set(id, parts)
  }
  return result
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function sameButPlace(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean {
  return [...new Set([...one.keys(), ...other.keys()])].every(
    (part) => part === 'position' || isSame(one.get(part), other.get(part)),
  )
}

/** With a rule, or without one, a to-do has dates of another kind. */
function withoutDates(view: Seen, ids: readonly string[]): Seen {
  return new Map(
    [...view].map(([id, parts]) => [
      id,
      ids.includes(id) ? new Map([...parts].filter(([part]) => !/^(due|moved)/.test(part))) : parts,
    ]),
  )
}

/** The rows that the person changed last, as the server has them. */
function lastChanged({ server }: World, done: readonly { from: Seen; to: Seen }[]): readonly Todo[] {
  const last = done.at(-1)
  return server.filter(
    ({ id }) => last && !isSame([...(last.from.get(id) ?? [])], [...(last.to.get(id) ?? [])]),
  )
}

/** In no order, as JSON compares them. */
function plain(view: Seen) {
  return Object.fromEntries([...view].map(([id, parts]) => [id, Object.fromEntries(parts)]))
}

const startingRows: readonly Todo[] = [
  todos.wire({ id: idOf(6), title: 'Map', parent_id: idOf(1) }),
  todos.wire({ id: idOf(1), title: 'Trip', tags: ['Home', 'Fun'], due_day: today }),
  todos.wire({ id: idOf(2), title: 'Pack', parent_id: idOf(1) }),
  todos.wire({ id: idOf(3), title: 'Book', parent_id: idOf(1) }),
  todos.wire({ id: idOf(4), title: 'Tax', completed: 1, completed_at: '2026-11-20T12:00:00.000Z' }),
  todos.wire({
    id: idOf(5),
    title: 'Water',
    due_day: today,
    repeat: { freq: 'day', every: 1, mode: 'due', from: '2026-11-20' },
    settled: [{ day: daySchema.parse('2026-11-23'), state: 'done', done_on: today, moved_to: null, at: '' }],
    settled_from: daySchema.parse('2026-11-22'),
  }),
]

const day = fc.integer({ min: -2, max: 3 }).map((days) => dayFromNumber(dayNumber(today) + days))
const changesArbitrary: fc.Arbitrary<TodoChanges> = fc.oneof(
  fc.record({ due_day: fc.option(day) }),
  fc.record({ priority: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const) }),
  fc.record({ list_id: fc.option(fc.constantFrom('home', 'work')) }),
  fc.record({ position: fc.constantFrom('b', 'c', 'd') }),
  fc.record({ estimate: fc.option(fc.constantFrom(5, 60)) }),
  fc.record({
    remind_at: fc.option(fc.constantFrom('2026-11-26T08:00:00.000Z', '2026-11-27T08:00:00.000Z')),
  }),
  fc.record({ tags: fc.record({ add: fc.subarray(['home', 'Fun', 'New']) }) }),
  fc.record({ tags: fc.record({ remove: fc.subarray(['Home', 'fun', 'New']) }) }),
  fc.record({ due_day: fc.option(day), priority: fc.constantFrom(1 as const, 2 as const) }),
)
const text = fc.constantFrom('A', 'B', 'C')
const which = fc.nat({ max: 11 })
const state = fc.constantFrom('done' as const, 'skipped' as const, 'open' as const)

const doing = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    title: text,
    parent: fc.option(which),
    due: fc.option(day),
  }),
  fc.record({ kind: fc.constant('rename' as const), which, title: text }),
  fc.record({ kind: fc.constant('note' as const), which, title: text }),
  fc.record({ kind: fc.constant('edit' as const), which, changes: changesArbitrary }),
  fc.record({ kind: fc.constant('edit all' as const), changes: changesArbitrary }),
  fc.record({ kind: fc.constant('complete' as const), which }),
  fc.record({ kind: fc.constant('delete' as const), which }),
  fc.record({ kind: fc.constant('settle' as const), which, day, state }),
  fc.record({ kind: fc.constant('move occurrence' as const), which, day, to: day }),
  fc.record({ kind: fc.constant('repeat' as const), which, on: fc.boolean() }),
)
type Doing = typeof doing extends fc.Arbitrary<infer Value> ? Value : never

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ by: fc.constant('person' as const), doing }) },
  {
    weight: 3,
    arbitrary: fc.record({
      by: fc.constant('another device' as const),
      doing,
      toTheSame: fc.boolean(),
      knowingAll: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('connection' as const) }) },
  { weight: 4, arbitrary: fc.record({ by: fc.constantFrom('undo' as const, 'redo' as const) }) },
)

/** Queues what it takes, and leaves out what cannot be done. */
function perform(write: QueueWrite, world: World, rows: readonly Todo[], doing: Doing): void {
  const at = world.at()
  const row = 'which' in doing ? rows[doing.which % Math.max(1, rows.length)] : undefined
  const named = row && { id: row.id, title: row.title, at }
  if (doing.kind === 'add') {
    // Below one that is completed: to complete that once more would complete what was undone below it, too (decision 73).
    const top = subtasksOf(rows).top.filter(({ completed }) => completed === 0)
    const parent = doing.parent === null ? undefined : top[doing.parent % Math.max(1, top.length)]
    const parent_id = parent && parent.parent_id === null ? parent.id : null
    void write(addTodo, { id: world.newId(), title: doing.title, parent_id, due_day: doing.due, at })
  }
  if (doing.kind === 'edit all')
    for (const { id, title } of rows) void write(editTodo, { id, title, changes: doing.changes, at })
  if (!row || !named) return
  const family = [row, ...(subtasksOf(rows).byParent.get(row.id) ?? [])]
  const repeats = (parentOf(row, new Map(rows.map((each) => [each.id, each]))) ?? row).repeat !== null
  if (doing.kind === 'rename') void write(renameTodo, { ...named, title: doing.title })
  if (doing.kind === 'note') void write(writeNote, { ...named, note: doing.title })
  if (doing.kind === 'edit') {
    const { changes } = doing
    if (!(repeats && 'due_day' in changes)) void write(editTodo, { ...named, changes })
  }
  if (doing.kind === 'complete' && !repeats) {
    const completed = row.completed === 1 ? 0 : 1
    const subtasks = completed === 1 ? openSubtasks(rows, row.id) : []
    void write(setTodoCompleted, { ...named, completed, day: today, subtasks })
  }
  if (doing.kind === 'delete') void write(deleteTodo, named)
  if (doing.kind === 'settle' && row.repeat !== null) {
    const done_on = doing.state === 'open' ? null : today
    const is = row.settled?.find(({ day }) => day === doing.day)
    // Of a day that is summed up, the history of the task knew what it was.
    const was = { was: is?.state ?? ('open' as const), was_on: is?.done_on ?? null }
    void write(settleOccurrence, { ...named, day: doing.day, state: doing.state, done_on, ...was })
  }
  if (doing.kind === 'move occurrence' && row.repeat !== null && doing.day >= (row.settled_from ?? ''))
    void write(editTodo, { ...named, changes: { due_day: doing.to }, occurrence: doing.day })
  if (doing.kind === 'repeat' && family.every(({ parent_id, settled }) => parent_id === null && !settled)) {
    const repeat = doing.on ? { freq: 'day', every: 1, mode: 'due', from: '2026-11-24' } : null
    void write(editTodo, { ...named, changes: { repeat, due_day: row.due_day } })
  }
}

describe('undo and redo against a list of states', () => {
  test('bring back each state, whatever is sent in between', async () => {
    const own = fc.oneof(
      { weight: 5, arbitrary: fc.record({ by: fc.constant('person' as const), doing }) },
      { weight: 1, arbitrary: fc.record({ by: fc.constant('connection' as const) }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(own, { maxLength: 30, size: 'max' }), async (steps) => {
        const world = new World(startingRows)
        const states: Seen[] = [seen(world.shown)]
        for (const each of steps) {
          if (each.by === 'connection') {
            world.sync()
            continue
          }
          const before = world.changes.next('undo')
          await world.act((write) => perform(write, world, world.shown, each.doing))
          if (world.changes.next('undo') !== before) states.push(seen(world.shown))
        }
        // Of the last 20 changes alone something is known.
        const oldest = Math.max(0, states.length - 1 - 20)
        for (let state = states.length - 2; state >= oldest; state--) {
          await world.undoOrRedo('undo')
          expect(plain(seen(world.shown))).toEqual(plain(states[state] ?? new Map()))
        }
        expect(await world.undoOrRedo('undo')).toBeUndefined()
        for (const state of states.slice(oldest + 1)) {
          await world.undoOrRedo('redo')
          expect(plain(seen(world.shown))).toEqual(plain(state))
        }
        world.sync()
        expect(plain(seen(world.server))).toEqual(plain(states.at(-1) ?? new Map()))
      }),
      { numRuns: runs(20_000, 80) },
    )
  }, 1_200_000)

  test('leave alone what another device has changed since', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20, size: 'max' }), async (steps) => {
        const world = new World(startingRows)
        const done: { from: Seen; to: Seen }[] = []
        const undone: { from: Seen; to: Seen }[] = []
        for (const each of steps) {
          if (each.by === 'connection') world.sync()
          else if (each.by === 'another device') {
            if (each.knowingAll) world.sync()
            const rows = each.toTheSame ? lastChanged(world, done) : world.server
            perform(world.elsewhere, world, rows, each.doing)
          } else if (each.by === 'person') {
            const before = world.changes.next('undo')
            const from = seen(world.shown)
            await world.act((write) => perform(write, world, world.shown, each.doing))
            if (world.changes.next('undo') === before) continue
            done.push({ from, to: seen(world.shown) })
            undone.splice(0)
          } else {
            const states = (each.by === 'undo' ? done : undone).pop()
            const now = seen(world.shown)
            const plan = await world.undoOrRedo(each.by)
            if (!states) {
              expect(plan).toBeUndefined()
              continue
            }
            const [from, to] = each.by === 'undo' ? [states.from, states.to] : [states.to, states.from]
            const wanted = expected(now, { from, to })
            const begunAnew = [...wanted].flatMap(([id, parts]) =>
              isSame(parts.get('repeat'), now.get(id)?.get('repeat')) ? [] : [id],
            )
            expect(plain(withoutDates(seen(world.shown), begunAnew))).toEqual(
              plain(withoutDates(wanted, begunAnew)),
            )
            ;(each.by === 'undo' ? undone : done).push(states)
          }
        }
      }),
      { numRuns: runs(20_000, 80) },
    )
  }, 1_200_000)

  test('take a tag off again that was taken off everywhere and put back', async () => {
    const world = new World(startingRows)
    const [row] = startingRows
    if (!row) throw new Error('There are rows')
    const { id, title } = row
    const tag = (tags: object) => (write: QueueWrite) =>
      void write(editTodo, { id, title, changes: { tags }, at: world.at() })
    await world.act(tag({ add: ['New'] }))
    await world.act((write) => {
      void write(removeTag, { tag: 'New', at: world.at() })
      const redo = (write: QueueWrite) => void write(removeTag, { tag: 'New', at: world.at() })
      const by = { undo: tag({ add: ['New'] }), redo, part: 'tag:new' }
      world.changes.describeChange({ title: 'Tag removed', description: '', toastId: 'toast', by })
    })
    await world.undoOrRedo('undo')
    await world.undoOrRedo('undo')
    const [, removed = 0, back = 0, off = 0] = world.queue.map(({ at }) => at)
    expect([back, off]).toEqual([removed + 1, removed + 2])
  })

  test('do not say of a task of long ago, which this device may not have, that it was deleted', async () => {
    const old = todos.wire({
      id: idOf(1),
      title: 'Tax',
      completed: 1,
      completed_at: '2026-01-20T12:00:00.000Z',
    })
    const world = new World([old])
    world.base = []
    await world.act((write) =>
      write(setTodoCompleted, {
        id: old.id,
        title: old.title,
        completed: 0,
        day: today,
        at: world.at(),
        elsewhere: old,
      }),
    )
    await world.undoOrRedo('undo')
    world.sync()
    world.base = []
    expect(await world.undoOrRedo('redo')).toMatchObject({ kept: ['Tax'], gone: [] })
  })

  test('never take back what another device did after them, whenever that arrives', async () => {
    const deviceDoing = fc.oneof(
      fc.record({ kind: fc.constantFrom('delete' as const, 'complete' as const), which }),
      fc.record({ kind: fc.constant('settle' as const), which, day, state }),
    )
    const byPerson = fc.record({ by: fc.constant('person' as const), doing })
    const byDevice = fc.record({
      by: fc.constant('another device' as const),
      doing: deviceDoing,
      toTheSame: fc.boolean(),
    })
    const network = fc.record({ by: fc.constantFrom('connection' as const, 'arrival' as const) })
    const taking = fc.record({ by: fc.constantFrom('undo' as const, 'undo' as const, 'redo' as const) })
    // What is undone is often what another device changes meanwhile.
    const clash = fc
      .tuple(byPerson, byDevice, fc.option(network), taking, fc.option(taking))
      .map(([own, other, ...rest]) => [
        own,
        { ...other, toTheSame: true },
        ...rest.filter((each) => each !== null),
      ])
    const steps = fc
      .array(
        fc.oneof(
          clash,
          fc.oneof(byPerson, byDevice, network, taking).map((each) => [each]),
        ),
        {
          maxLength: 12,
          size: 'max',
        },
      )
      .map((groups) => groups.flat())
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (steps, arrivesFirst) => {
        const world = new World(startingRows)
        const acts: Act[] = []
        const done: { from: Seen; to: Seen }[] = []
        for (const each of steps) {
          if (each.by === 'connection') world.sync()
          else if (each.by === 'arrival') world.arrive()
          else if (each.by === 'another device') {
            const rows = each.toTheSame ? lastChanged(world, done) : world.server
            const act = (write: QueueWrite) => perform(write, world, rows, each.doing)
            acts.push(...actsOf(act, world.offlineElsewhere, false))
          } else if (each.by === 'person') {
            const from = seen(world.shown)
            await world.act((write) => {
              const act = (recorded: QueueWrite) => perform(recorded, world, world.shown, each.doing)
              acts.push(...actsOf(act, write, true))
            })
            done.push({ from, to: seen(world.shown) })
          } else await world.undoOrRedo(each.by)
        }
        if (arrivesFirst) world.arrive()
        world.sync()
        world.arrive()
        expect(takenBackWrongly(acts, world.server)).toEqual([])
      }),
      { numRuns: runs(20_000, 80) },
    )
  }, 1_200_000)
})

/** What somebody did on a device, other than undoing or redoing. */
interface Act {
  isOwn: boolean
  at: Instant
  id: string
  /** Of one that is added: the to-do below which it stands. */
  parent?: unknown
  does: 'deletes' | { part: string; value: unknown } | 'something else'
}

function actsOf(act: (write: QueueWrite) => void, write: QueueWrite, isOwn: boolean): Act[] {
  const acts: Act[] = []
  act((declaredWrite, vars) => {
    const id = declaredWrite.subject(vars)
    const given: Record<string, unknown> = Object(vars)
    const does =
      declaredWrite.name === deleteTodo.name
        ? 'deletes'
        : declaredWrite.name === setTodoCompleted.name
          ? { part: 'completed', value: given.completed }
          : declaredWrite.name === settleOccurrence.name
            ? { part: `settled ${given.day}`, value: given.state }
            : 'something else'
    acts.push({ isOwn, at: deviceTimeOf(vars) ?? 0, id, parent: given.parent_id, does })
    return write(declaredWrite, vars)
  })
  return acts
}

/** What the last act on a to-do was, if another device did it, and does not stand. */
function takenBackWrongly(acts: readonly Act[], rows: readonly Todo[]): string[] {
  const parents = new Map<string, unknown>(startingRows.map(({ id, parent_id }) => [id, parent_id]))
  for (const { id, parent } of acts) if (!parents.has(id)) parents.set(id, parent)
  return acts.flatMap((act) => {
    const { id, does, at } = act
    // What is done to a to-do is done to those below it, too.
    const isOfSame = (other: Act) =>
      other.id === id || other.id === parents.get(id) || parents.get(other.id) === id
    const isLast = acts.every((other) => other.at <= at || !isOfSame(other))
    if (act.isOwn || does === 'something else' || !isLast) return []
    const row = rows.find((each) => each.id === id)
    if (does === 'deletes') return row ? [`${id} is back`] : []
    if (!row) return [`${id} is gone`]
    const is = does.part === 'completed' ? row.completed : (seenIn(row).get(does.part) ?? ['open'])
    const isAsLeft = does.part === 'completed' ? is === does.value : isSame([is].flat()[0], does.value)
    return isAsLeft ? [] : [`${does.part} of ${id} is ${JSON.stringify(is)}`]
  })
}
