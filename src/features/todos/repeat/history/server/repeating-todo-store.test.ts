import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dueNow, type Occurrence } from '#features/todos/repeat/rule/repeat.ts'
import { filledIn, type SentRule, sentRuleSchema } from '#features/todos/repeat/rule/repeat-rule.ts'
import { addTodo, changeTodo } from '#features/todos/server/todo-store.ts'
import { addDays, type Day, dayOf } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '#testing/runs.ts'
import { occurrencesIn, setOccurrence } from './repeating-todo-store.ts'
import { shownTodo } from './shown-todo-store.ts'

const today = '2026-11-20' as Day
const noon = Date.parse('2026-11-20T12:00:00Z')
const aDay = 86_400_000
/** Long enough for much of it to be summed up. */
const span = 200

/** Often the same one. */
const day = fc
  .oneof(fc.integer({ min: 0, max: span }), { weight: 3, arbitrary: fc.constantFrom(0, 1, 90) })
  .map((ago) => addDays(today, -ago))
/** Few, so that equal instants are common. */
const at = fc.integer({ min: 1, max: 5 }).map((place) => noon - (6 - place) * 30 * aDay)
const rule = fc
  .record({
    freq: fc.constantFrom('day', 'week', 'month'),
    every: fc.integer({ min: 1, max: 4 }),
    mode: fc.constantFrom('due', 'done'),
    from: day,
  })
  .map((sent) => sentRuleSchema.parse(sent))
const press = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      day,
      state: fc.constantFrom('done' as const, 'skipped' as const, 'open' as const),
      late: fc.integer({ min: 0, max: 3 }),
      at,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rule' as const), rule, at }) },
)
type Press = typeof press extends fc.Arbitrary<infer Each> ? Each : never

describeEachEngine('Occurrences', (openEmpty) => {
  async function make(db: Database, id: string, presses: readonly Press[]) {
    const first: SentRule = { freq: 'day', every: 1, mode: 'due', from: addDays(today, -span) }
    await addTodo(db, 'ada', id, { title: id, repeat: first, completed: 0, day: today, at: 1 })
    for (const press of presses) {
      const stamp = { at: press.at, revives: true }
      const then = dayOf(press.at, 'UTC', 0)
      if (press.kind === 'rule') {
        await changeTodo(db, 'ada', id, { ...stamp, repeat: press.rule, day: then })
      } else {
        const { state, late } = press
        const done_on = state === 'open' ? undefined : addDays(press.day, late)
        await setOccurrence(db, 'ada', id, press.day, { ...stamp, state, done_on, today: then })
      }
    }
  }

  async function shown(db: Database, id: string) {
    const todo = await changeTodo(db, 'ada', id, { priority: 0, at: 2, day: today })
    if (!todo || !('repeat' in todo)) throw new Error('It is there')
    const { due_day, completed, missed, repeat } = await shownTodo(db, 'ada', todo, { today, zone: 'UTC' })
    return { due_day, completed, missed, repeat }
  }

  const timesDone = async (db: Database, id: string) => {
    const row = await db.read
      .selectFrom('todos')
      .select('times_done')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return row.times_done
  }

  const rowsOf = async (db: Database, id: string): Promise<Occurrence[]> =>
    (
      await db.read
        .selectFrom('todo_days')
        .select(['day', 'state', 'done_on', 'moved_to', 'changed_at'])
        .where('todo_id', '=', id)
        .orderBy('day')
        .execute()
    ).map((row) => ({ ...row }))

  test(
    'end the same in whatever order and however often the changes arrive, and what is summed up is never stale',
    async () => {
      const db = await openEmpty()
      await addUser(db.auth, db.engine, 'ada')
      let count = 0
      await fc.assert(
        fc.asyncProperty(
          fc
            .array(press, { minLength: 1, maxLength: 14 })
            // Two rules of one instant: the one that arrives later stands, as for any field.
            .map((presses) => presses.filter(isFirstRuleAt))
            .chain((presses) =>
              fc.tuple(
                fc.constant(presses),
                fc
                  .shuffledSubarray([...presses, ...presses], { minLength: presses.length })
                  .map((some) => [...some, ...presses.filter((each) => !some.includes(each))]),
              ),
            ),
          async ([presses, shuffled]) => {
            const [one, other] = [`one ${++count}`, `other ${count}`]
            await make(db, one, presses)
            await make(db, other, shuffled)
            expect(await rowsOf(db, other)).toEqual(await rowsOf(db, one))
            const ofOne = await shown(db, one)
            expect(await shown(db, other)).toEqual(ofOne)
            const done = (await rowsOf(db, one)).filter(({ state }) => state === 'done')
            expect(await timesDone(db, one)).toBe(done.length)
            // Computed from every row, without the sum.
            const last = filledIn(sentRuleSchema.parse(ofOne.repeat), 1)
            const { open, missed, missedEarlier } = dueNow(
              last,
              { occurrences: await rowsOf(db, one) },
              today,
            )
            expect({ due: ofOne.due_day, missed: ofOne.missed, completed: ofOne.completed }).toEqual({
              due: open?.due ?? null,
              missed: missed.length + missedEarlier,
              completed: open ? 0 : 1,
            })
          },
        ),
        { numRuns: runs(5_000, 8) },
      )
    },
    runs(1_800_000, 600_000),
  )

  test('a tick settles one occurrence however many devices made it, the next is later, and undo brings the day back', async () => {
    const db = await openEmpty()
    await addUser(db.auth, db.engine, 'ada')
    let count = 0
    await fc.assert(
      fc.asyncProperty(rule, fc.integer({ min: 1, max: 3 }), async (sent, devices) => {
        const id = `todo ${++count}`
        await addTodo(db, 'ada', id, { title: id, repeat: sent, completed: 0, day: today, at: 1 })
        const before = await shown(db, id)
        const { open } = dueNow(filledIn(sent, 1), { occurrences: [] }, today)
        if (!open) throw new Error('It goes on')
        for (let device = 0; device < devices; device++) {
          const tick = { state: 'done' as const, today, at: noon + device, revives: true }
          await setOccurrence(db, 'ada', id, open.day, tick)
        }
        const after = await shown(db, id)
        expect(await rowsOf(db, id)).toHaveLength(1)
        expect(after.due_day && before.due_day && after.due_day > before.due_day).toBe(true)
        const undo = { state: 'open' as const, today, at: noon + 10, revives: true }
        await setOccurrence(db, 'ada', id, open.day, undo)
        expect(await shown(db, id)).toEqual(before)
        const days = await occurrencesIn(db, 'ada', id, { from: open.day, to: open.day })
        expect(days).toEqual([{ day: open.day, state: 'open', done_on: null, moved_to: null }])
      }),
      { numRuns: runs(1_000, 5) },
    )
  }, 600_000)

  const settled = (state: 'done' | 'skipped' | 'open', at: number, done_on?: Day) => (db: Database) =>
    setOccurrence(db, 'ada', 'bins', today, { state, done_on, today, at, revives: true })
  const movedTo = (due_day: Day, at: number) => (db: Database) =>
    changeTodo(db, 'ada', 'bins', { due_day, occurrence: today, day: today, at, revives: true })
  test.each([
    {
      stands: 'the later one',
      changes: [settled('done', noon - 2), settled('open', noon - 1)],
      as: { state: 'open', done_on: null },
    },
    {
      stands: 'of one instant the tick before the skip',
      changes: [settled('skipped', noon), settled('done', noon)],
      as: { state: 'done', done_on: today },
    },
    {
      stands: 'of one instant the skip before the undoing',
      changes: [settled('open', noon), settled('skipped', noon)],
      as: { state: 'skipped' },
    },
    {
      stands: 'of two ticks of one instant the one on the later day',
      changes: [settled('done', noon, today), settled('done', noon, addDays(today, 1))],
      as: { state: 'done', done_on: addDays(today, 1) },
    },
    {
      stands: 'the later move',
      changes: [movedTo(addDays(today, 2), noon), movedTo(addDays(today, 1), noon + 1)],
      as: { moved_to: addDays(today, 1), state: 'open' },
    },
  ])('of two changes of an occurrence stands $stands, whichever arrives first', async ({ changes, as }) => {
    for (const arriving of [changes, changes.toReversed()]) {
      const db = await openEmpty()
      await addUser(db.auth, db.engine, 'ada')
      const repeat: SentRule = { freq: 'week', every: 1, mode: 'due', from: today }
      await addTodo(db, 'ada', 'bins', { title: 'Bins', repeat, completed: 0, day: today, at: 1 })
      for (const change of arriving) await change(db)
      expect(await rowsOf(db, 'bins')).toMatchObject([{ day: today, ...as }])
    }
  })

  test('one that is long overdue can be moved to a later day', async () => {
    const db = await openEmpty()
    await addUser(db.auth, db.engine, 'ada')
    const overdue: SentRule = { freq: 'day', every: 2, mode: 'done', from: addDays(today, -span) }
    await addTodo(db, 'ada', 'plants', { title: 'Plants', repeat: overdue, completed: 0, day: today, at: 1 })
    const move = { due_day: addDays(today, 1), day: today, at: noon }
    await changeTodo(db, 'ada', 'plants', move)
    expect(await shown(db, 'plants')).toMatchObject({ due_day: addDays(today, 1) })
  })

  test('a completion that counted as made when it arrived settles nothing more when it is sent again', async () => {
    const db = await openEmpty()
    await addUser(db.auth, db.engine, 'ada')
    const daily: SentRule = { freq: 'day', every: 1, mode: 'due', from: today }
    await addTodo(db, 'ada', 'dishes', { title: 'Dishes', repeat: daily, completed: 0, day: today, at: 1 })
    const press = (completed: 0 | 1, at: number) =>
      changeTodo(db, 'ada', 'dishes', { completed, day: today, at, revives: true })
    // Its device knows the time only to the second: it was in the future at first.
    await press(1, noon)
    await press(1, noon + 400)
    expect(await rowsOf(db, 'dishes')).toMatchObject([{ day: today, state: 'done' }])
    await press(1, noon + 5_000)
    expect(await rowsOf(db, 'dishes')).toHaveLength(2)
    await press(0, noon + 9_000)
    await press(0, noon + 9_400)
    expect((await rowsOf(db, 'dishes')).map(({ state }) => state)).toEqual(['done', 'open'])
  })

  test('a completion from before the repeat was taken away leaves the task open, if it arrives only then', async () => {
    const db = await openEmpty()
    await addUser(db.auth, db.engine, 'ada')
    const daily: SentRule = { freq: 'day', every: 1, mode: 'due', from: today }
    await addTodo(db, 'ada', 'dishes', { title: 'Dishes', repeat: daily, completed: 0, day: today, at: 1 })
    await changeTodo(db, 'ada', 'dishes', { repeat: null, day: today, at: noon })
    const press = (at: number) =>
      changeTodo(db, 'ada', 'dishes', { completed: 1, day: today, at, revives: true })
    expect(await press(noon - 1)).toMatchObject({ completed: 0 })
    expect(await press(noon + 1)).toMatchObject({ completed: 1 })
  })

  test('a rule that is sent again moves nothing that was not open when its due day was set', async () => {
    const db = await openEmpty()
    await addUser(db.auth, db.engine, 'ada')
    const daily: SentRule = { freq: 'day', every: 1, mode: 'due', from: addDays(today, -1), until: today }
    await addTodo(db, 'ada', 'dishes', { title: 'Dishes', completed: 0, at: 1 })
    const rule = { repeat: daily, at: noon - aDay, day: addDays(today, -1), revives: true }
    await changeTodo(db, 'ada', 'dishes', rule)
    await setOccurrence(db, 'ada', 'dishes', today, { state: 'done', today, at: noon, revives: true })
    await changeTodo(db, 'ada', 'dishes', { due_day: addDays(today, 1), day: today, at: noon + 1 })
    await changeTodo(db, 'ada', 'dishes', { ...rule, dayAt: (at) => dayOf(at, 'UTC', 0) })
    expect(await rowsOf(db, 'dishes')).toMatchObject([{ day: today, moved_to: null }])
  })

  test('an occurrence is not moved past the next one, and the refusal names that day in words', async () => {
    const db = await openEmpty()
    await addUser(db.auth, db.engine, 'ada')
    const repeat: SentRule = { freq: 'week', every: 1, mode: 'due', from: today }
    await addTodo(db, 'ada', 'bins', { title: 'Bins', repeat, completed: 0, day: today, at: noon })
    const move = (due_day: string, at: number) =>
      changeTodo(db, 'ada', 'bins', { due_day: due_day as Day, at, day: today, revives: true })
    expect(await move('2026-11-27', noon + 1)).toEqual({
      field: 'due_day',
      problem: 'This task comes back on Fri 27 Nov anyway. Choose an earlier day, or skip this time.',
    })
    expect(await move('2026-11-26', noon + 2)).toMatchObject({ title: 'Bins' })
  })

  test('a new due day moves the occurrence that it was set on, whether it or another tick arrives first', async () => {
    const daily: SentRule = { freq: 'day', every: 1, mode: 'due', from: addDays(today, -1) }
    const yesterday = addDays(today, -1)
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const db = await openEmpty()
      await addUser(db.auth, db.engine, 'ada')
      await addTodo(db, 'ada', 'dishes', { title: 'Dishes', repeat: daily, completed: 0, day: today, at: 1 })
      const tick = { state: 'done', done_on: today, today, at: noon, revives: true } as const
      const move = {
        due_day: addDays(today, 1),
        occurrence: yesterday,
        day: today,
        at: noon + 1,
        revives: true,
      }
      const changes = [
        () => setOccurrence(db, 'ada', 'dishes', yesterday, tick),
        () => changeTodo(db, 'ada', 'dishes', { ...move, due_day: yesterday }),
      ]
      for (const each of order) await changes[each]?.()
      expect(await rowsOf(db, 'dishes')).toMatchObject([{ day: yesterday, state: 'done', moved_to: null }])
      expect(await changeTodo(db, 'ada', 'dishes', move)).toMatchObject({ field: 'due_day' })
    }
  })

  test.each([
    { kind: 'that names its occurrence', named: { occurrence: today } },
    { kind: 'that names none', named: {} },
  ])('a move $kind is not refused when it is sent again after another change', async ({ named }) => {
    const db = await openEmpty()
    await addUser(db.auth, db.engine, 'ada')
    const daily: SentRule = { freq: 'day', every: 2, mode: 'due', from: today }
    await addTodo(db, 'ada', 'dishes', { title: 'Dishes', repeat: daily, completed: 0, day: today, at: 1 })
    const move = { ...named, due_day: addDays(today, 1), day: today, at: noon, revives: true }
    expect(await changeTodo(db, 'ada', 'dishes', move)).toMatchObject({ title: 'Dishes' })
    const everyDay = { repeat: { ...daily, every: 1 }, day: today, at: noon - 1, revives: true }
    await changeTodo(db, 'ada', 'dishes', everyDay)
    expect(await changeTodo(db, 'ada', 'dishes', move)).toMatchObject({ title: 'Dishes' })
    expect(await rowsOf(db, 'dishes')).toMatchObject([{ day: today, moved_to: addDays(today, 1) }])
  })

  test('what was reopened elsewhere in the same second keeps no later tick from being taken back', async () => {
    const db = await openEmpty()
    await addUser(db.auth, db.engine, 'ada')
    const yesterday = addDays(today, -1)
    const daily: SentRule = { freq: 'day', every: 1, mode: 'due', from: yesterday }
    await addTodo(db, 'ada', 'dishes', { title: 'Dishes', repeat: daily, completed: 0, day: today, at: 1 })
    const settle = (day: Day, state: 'done' | 'open', at: number) =>
      setOccurrence(db, 'ada', 'dishes', day, { state, today, at, revives: true })
    await settle(yesterday, 'done', noon - 5_000)
    await settle(yesterday, 'open', noon)
    await settle(today, 'done', noon + 100)
    await changeTodo(db, 'ada', 'dishes', { completed: 0, day: today, at: noon + 600, revives: true })
    expect(await rowsOf(db, 'dishes')).toMatchObject([
      { day: yesterday, state: 'open' },
      { day: today, state: 'open' },
    ])
  })

  test('a repeat reopens a completed task, but no subtask until that stands alone, in whatever order', async () => {
    const db = await openEmpty()
    await addUser(db.auth, db.engine, 'ada')
    const repeat: SentRule = { freq: 'week', every: 1, mode: 'due', from: today }
    const change = (id: string, edit: object, at: number) =>
      changeTodo(db, 'ada', id, { ...edit, at, day: today, revives: true })
    const add = async (id: string, parent_id: string | null) => {
      await addTodo(db, 'ada', id, { title: id, parent_id, completed: 0, day: today, at: noon })
      await change(id, { completed: 1 }, noon + 1)
    }
    await addTodo(db, 'ada', 'trip', { title: 'Trip', completed: 0, day: today, at: noon })
    await add('alone', null)
    expect(await change('alone', { repeat }, noon + 2)).toMatchObject({ completed: 0, completed_at: null })
    await add('below', 'trip')
    expect(await change('below', { repeat }, noon + 2)).toMatchObject({ completed: 1 })
    expect(await rowsOf(db, 'below')).toEqual([])

    const orders = { in: [0, 1], reversed: [1, 0] }
    for (const [name, order] of Object.entries(orders)) {
      const leaving = [
        [{ repeat }, noon + 2],
        [{ parent_id: null }, noon + 3],
      ] as const
      const coming = [
        [{ repeat }, noon + 2],
        [{ parent_id: 'trip' }, noon + 3],
      ] as const
      for (const [kind, parent, changes] of [
        ['leaves', 'trip', leaving],
        ['comes', null, coming],
      ] as const) {
        const id = `${kind} ${name}`
        await add(id, parent)
        for (const place of order) {
          const [edit, at] = changes[place] ?? leaving[0]
          await change(id, edit, at)
        }
        expect(await change(id, { priority: 1 }, noon + 4)).toMatchObject({ completed: 0 })
        expect(await rowsOf(db, id)).toMatchObject([{ day: today, state: 'done', changed_at: noon + 1 }])
      }
    }
  })
})

function isFirstRuleAt(press: Press, place: number, presses: readonly Press[]): boolean {
  if (press.kind !== 'rule') return true
  return presses.findIndex((each) => each.kind === 'rule' && each.at === press.at) === place
}
