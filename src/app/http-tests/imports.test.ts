import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { exportedHabit } from '#features/habits/testing/habits.ts'
import { pauses } from '#features/habits/testing/pauses.ts'
import { type NewRows, targetsOfNew } from '#features/imports/preview/preview-requests.ts'
import { lists } from '#features/lists/testing/lists.ts'
import { todos } from '#features/todos/testing/todos.ts'
import { type ExportedAccount, fileRows } from '#features/your-data/exported-account.ts'
import { splitIntoPieces } from '#features/your-data/pieces.ts'
import type { Day } from '#platform/calendar/day.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { emptyCollections } from '#platform/wire/file-rows.ts'
import { runs } from '#testing/runs.ts'
import { type Application, openApplication } from '../testing/application.ts'
import { live, noon, step } from '../testing/random-account.ts'

const id = (number: number) => `01900000-0000-8000-8000-${String(number).padStart(12, '0')}`
const at = '2026-11-18T08:00:00.000Z'
const day = (text: string) => text as Day
const monthLater = 30 * 24 * 60 * 60 * 1000

const list = lists.file({ id: id(1), name: 'Garden', created_at: at, updated_at: at })
const task = (number: number, more: object = {}) =>
  todos.file({ id: id(number), title: `Task ${number}`, created_at: at, updated_at: at, ...more })
const habit = {
  ...exportedHabit({ id: id(20), name: 'Read', start_date: day('2026-11-02'), created_at: at }),
  completions: [day('2026-11-02'), day('2026-11-04')],
  skips: [day('2026-11-03')],
  notes: [{ day: day('2026-11-04'), note: 'On the train' }],
  amounts: [
    { id: id(21), day: day('2026-11-05'), value: 1_000, set: false, settles: [], at },
    { id: id(22), day: day('2026-11-06'), value: 2_000, set: false, settles: [], at },
  ],
}

describeEachEngine('an import', (openEmpty) => {
  let daymark: Application
  // No two things happen at once.
  let now = noon
  let people = 0
  beforeAll(async () => {
    const clock = () => {
      now += 1_000
      return now
    }
    daymark = openApplication(await openEmpty(), { clock })
  })

  async function someone() {
    people += 1
    const { cookie } = await daymark.signUp(`Ada${people}`)
    let imports = 100
    const ask = (method: string, path: string, body?: unknown) => daymark.ask(method, path, { cookie, body })
    const done = async (method: string, path: string, body?: unknown) => {
      const { status, body: response } = await ask(method, path, body)
      expect(status, `${method} ${path}: ${JSON.stringify(response)}`).toBeLessThan(300)
      return response
    }
    return {
      ask,
      done,
      /** All of the account, but for the instant at which it was asked for. */
      async exported(): Promise<Omit<ExportedAccount, 'exported_at'>> {
        const { exported_at: _, ...account } = await done('GET', '/api/export')
        return account
      },
      /** Imports a file, or parts of one, as one import, and returns its id and what it brought. */
      async import(file: Partial<ExportedAccount>, { preferences = false, most = 2_000 } = {}) {
        imports += 1
        const whole = { ...emptyCollections(fileRows), ...file }
        const brought: string[] = []
        for (const piece of splitIntoPieces(whole, preferences, most)) {
          const body = { ...piece, import: { id: id(imports), source: 'todoist', file: 'todoist.csv' } }
          const response = await done('POST', '/api/import', body)
          brought.push(...response.new.rows)
          for (const { habit_id, days } of response.new.days) {
            brought.push(...days.map((each: string) => `${habit_id} ${each}`))
          }
        }
        return { id: id(imports), brought: brought.toSorted() }
      },
      undo: (importId: string) => done('POST', `/api/imports/${importId}/undo`, {}),
      imports: async () => (await done('GET', '/api/imports')).imports,
    }
  }

  it('that is undone leaves the account as it was, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.array(step, { maxLength: 12 }),
        fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(300, 60_000),
        async (steps, more, changes, most) => {
          const ada = await someone()
          await live(ada.done, steps)
          const file = await ada.exported()
          await live(ada.done, more)
          // Part of what is in the file is deleted, or changed, when it comes.
          const all = [
            ...file.lists.map((row) => [`/api/lists/${row.id}`] as const),
            ...file.todos.map((row) => [`/api/todos/${row.id}`] as const),
            ...file.habits.map((row) => [`/api/habits/${row.id}`, row.completions] as const),
            ...file.focus_sessions.map((row) => [`/api/focus/${row.id}`] as const),
          ]
          for (const [place, [path, days = []]] of all.entries()) {
            const change = changes[place % changes.length]
            if (change === 0) await ada.done('DELETE', path)
            for (const each of change === 1 ? days : []) {
              await ada.done('POST', `${path}/complete`, { date: each, completed: false })
            }
            for (const each of change === 2 ? days : []) {
              await ada.done('PUT', `${path}/days/${each}`, { state: 'skipped' })
            }
          }
          const before = await ada.exported()
          const { id: importId } = await ada.import(file, { preferences: true, most })
          await ada.undo(importId)
          expect(JSON.stringify(await ada.exported())).toBe(JSON.stringify(before))
        },
      ),
      { numRuns: runs(200, 2) },
    )
  })

  it('says what it brought, and nothing when the same file comes again', async () => {
    const ada = await someone()
    const file = { lists: [list], todos: [task(2, { list_id: list.id })], habits: [habit] }
    const preview = {
      lists: [list.id],
      todos: [id(2)],
      habits: [habit.id],
      completions: [{ habit_id: habit.id, days: habit.completions }],
      amounts: [{ habit_id: habit.id, days: habit.amounts.map(({ id, day }) => ({ id, day })) }],
    }
    const isNew = await ada.done('POST', '/api/import/preview', preview)
    expect(isNew).toEqual({
      rows: [list.id, id(2), habit.id],
      days: [{ habit_id: habit.id, days: ['2026-11-02', '2026-11-04', '2026-11-05', '2026-11-06'] }],
    })
    const days = ['02', '03', '04', '05', '06'].map((date) => `${habit.id} 2026-11-${date}`)
    const { brought } = await ada.import(file)
    expect([...new Set(brought)]).toEqual([list.id, id(2), habit.id, ...days].toSorted())

    const after = await ada.exported()
    expect(await ada.done('POST', '/api/import/preview', preview)).toEqual({ rows: [], days: [] })
    expect((await ada.import(file)).brought).toEqual([])
    expect(await ada.exported()).toEqual(after)
  })

  it('says of a piece that comes twice what it said the first time', async () => {
    const ada = await someone()
    const file = { lists: [list], todos: [task(2, { list_id: list.id })], habits: [habit] }
    const [piece] = splitIntoPieces({ ...emptyCollections(fileRows), ...file }, false)
    const body = { ...piece, import: { id: id(900), source: 'todoist' } }
    const broughtBy = ({ new: found }: { new: NewRows }) => [...targetsOfNew([found])].toSorted()
    const first = await ada.done('POST', '/api/import', body)
    expect(broughtBy(first)).toContain(list.id)
    // The first answer follows from what was written, the second one is read from the account.
    expect(broughtBy(await ada.done('POST', '/api/import', body))).toEqual(broughtBy(first))
  })

  it('is listed with what it brought, and with the counts of its last piece', async () => {
    const ada = await someone()
    const { id: importId } = await ada.import({ todos: [task(2)], habits: [habit] })
    const counts = { in: 9, created: 5, there: 1, changed: 1, refused: 2 }
    await ada.done('POST', '/api/import', { import: { id: importId, source: 'todoist', counts } })
    expect(await ada.imports()).toEqual([
      {
        id: importId,
        source: 'todoist',
        file: 'todoist.csv',
        made_at: expect.any(String),
        counts,
        added: { todos: 1, habits: 1, completions: 2, skips: 1, notes: 1, amounts: 2 },
        undo_until: expect.any(String),
        undone_at: null,
        kept: null,
      },
    ])
    const wrong = { id: importId, source: 'todoist', counts: { ...counts, in: 10 } }
    expect(await ada.ask('POST', '/api/import', { import: wrong })).toMatchObject({
      status: 400,
      body: { fields: { 'import.counts.in': expect.any(String) } },
    })
  })

  it('that is undone keeps what was changed since, and what that belongs to', async () => {
    const ada = await someone()
    const parent = { parent_id: id(4) }
    const other = lists.file({ id: id(9), name: 'Empty', created_at: at, updated_at: at })
    const { id: importId } = await ada.import({
      lists: [list, other],
      todos: [
        ...[task(2, { list_id: list.id }), task(3, { list_id: list.id }), task(4), task(5, parent)],
        ...[task(6, parent), task(7), task(8, { parent_id: id(7) })],
      ],
    })
    await ada.done('PUT', `/api/todos/${id(2)}/edit`, { title: 'Water the plants' })
    await ada.done('PUT', `/api/todos/${id(5)}`, { completed: 1, day: '2026-11-20' })
    const { import: undone } = await ada.undo(importId)
    const account = await ada.exported()
    expect(account.todos.map(({ title }) => title).toSorted()).toEqual([
      'Task 4',
      'Task 5',
      'Water the plants',
    ])
    expect(account.lists.map(({ name }) => name)).toEqual(['Garden'])
    expect(undone).toMatchObject({ kept: { lists: 1, todos: 3 }, undone_at: expect.any(String) })
    // Undone is undone.
    expect((await ada.undo(importId)).import).toEqual(undone)
  })

  const path = `/api/habits/${habit.id}`
  it.each([
    ['done on a day', 'POST', `${path}/complete`, { date: '2026-11-19', completed: true }],
    ['given a note', 'PUT', `${path}/days/2026-11-02`, { note: 'At home' }],
    ['renamed', 'PUT', path, { name: 'Read a book' }],
    ['archived', 'PUT', path, { archived_at: at }],
    ['given another rhythm', 'PUT', path, { rhythm: { every: 3 } }],
    ['paused', 'POST', '/api/pauses', { habit_id: habit.id, from_day: '2026-11-19', to_day: null }],
    ['given an amount', 'POST', `${path}/amounts`, { day: '2026-11-19', value: 1_000 }],
  ])('that is undone keeps a habit with its days that was %s since', async (_, method, path, body) => {
    const ada = await someone()
    const { id: importId } = await ada.import({ habits: [habit] })
    await ada.done(method, path, body)
    const before = await ada.exported()
    expect((await ada.undo(importId)).import.kept).toMatchObject({ habits: 1 })
    expect(await ada.exported()).toEqual(before)
  })

  it('that is undone takes its days back from a habit that was there, but for those that were changed since', async () => {
    const ada = await someone()
    const none = { completions: [], skips: [], notes: [], amounts: [] }
    await ada.import({ habits: [{ ...habit, ...none, start_date: day('2026-11-10') }] })
    await ada.done('PUT', `${path}/days/2026-11-02`, { state: 'skipped' })
    const { id: importId } = await ada.import({ habits: [habit] })
    const { completions } = habit
    expect((await ada.exported()).habits[0]).toMatchObject({ start_date: '2026-11-02', completions })
    await ada.done('POST', `${path}/complete`, { date: '2026-11-03', completed: true })
    expect((await ada.undo(importId)).import.kept).toEqual({ completions: 1 })
    expect((await ada.exported()).habits[0]).toMatchObject({
      ...none,
      // The day that stands was entered after the start was chosen.
      start_date: '2026-11-03',
      completions: ['2026-11-03'],
      skips: ['2026-11-02'],
    })
  })

  it('brings back what was deleted, and takes it away again as it was', async () => {
    const ada = await someone()
    await ada.import({ todos: [task(2, { title: 'As it was' })] })
    await ada.done('DELETE', `/api/todos/${id(2)}`)
    const { id: importId, brought } = await ada.import({ todos: [task(2)] })
    expect(brought).toEqual([id(2)])
    expect((await ada.exported()).todos.map(({ title }) => title)).toEqual(['As it was'])
    await ada.undo(importId)
    expect((await ada.exported()).todos).toEqual([])
    await ada.import({ todos: [task(2)] })
    expect((await ada.exported()).todos.map(({ title }) => title)).toEqual(['As it was'])
  })

  it('takes a list away again that it brought back, unless something was put into it since', async () => {
    const ada = await someone()
    const file = { lists: [list], todos: [task(2, { list_id: list.id })] }
    await ada.import(file)
    await ada.done('DELETE', `/api/lists/${list.id}`)
    const before = await ada.exported()
    expect(before.todos[0]?.list_id).toBe(list.id)
    await ada.undo((await ada.import(file)).id)
    expect(await ada.exported()).toEqual(before)

    const { id: importId } = await ada.import(file)
    await ada.done('POST', '/api/todos', { id: id(3), title: 'Sow', completed: 0, list_id: list.id })
    expect((await ada.undo(importId)).import.kept).toEqual({ lists: 1 })
    expect((await ada.exported()).lists.map(({ name }) => name)).toEqual(['Garden'])
  })

  it('makes anew what an undone import had made, so that a wrong answer can be put right', async () => {
    const ada = await someone()
    const { id: importId } = await ada.import({ habits: [habit], todos: [task(2, { tags: ['old'] })] })
    await ada.undo(importId)
    const right = { ...habit, completions: [day('2026-11-09')], skips: [], notes: [], amounts: [] }
    await ada.import({ habits: [right], todos: [task(2, { tags: ['new'] })] })
    const account = await ada.exported()
    expect(account.habits[0]).toMatchObject({
      completions: ['2026-11-09'],
      skips: [],
      notes: [],
      amounts: [],
    })
    expect(account.todos[0]?.tags).toEqual(['new'])
  })

  it('that is undone puts the preferences back that are still as it set them', async () => {
    const ada = await someone()
    await ada.done('PATCH', '/api/preferences', { time_zone: 'Asia/Tokyo', week_start: 7 })
    const { preferences } = await ada.exported()
    const theirs = { ...preferences, time_zone: 'Europe/Oslo', week_start: 1 as const, day_start: 120 }
    const { id: importId } = await ada.import({ preferences: theirs }, { preferences: true })
    await ada.done('PATCH', '/api/preferences', { day_start: 60 })
    await ada.undo(importId)
    expect((await ada.exported()).preferences).toEqual({ ...preferences, day_start: 60 })
  })

  it('takes pauses and sessions back', async () => {
    const ada = await someone()
    const before = await ada.exported()
    const session = {
      id: id(30),
      duration: 60,
      started_at: at,
      ended_at: '2026-11-18T08:01:00.000Z',
      days: [{ day: day('2026-11-18'), seconds: 60 }],
    }
    const pause = pauses.file({ id: id(31), from_day: day('2026-11-18'), created_at: at, updated_at: at })
    const file = { pauses: [pause], focus_sessions: [session] } as Partial<ExportedAccount>
    const { id: importId, brought } = await ada.import(file)
    expect(brought).toEqual([id(30), id(31)])
    await ada.undo(importId)
    expect(await ada.exported()).toEqual(before)
  })

  it('can be undone for 30 days, by whom it belongs to, and takes nothing in afterwards', async () => {
    const [ada, bert] = [await someone(), await someone()]
    const { id: importId } = await ada.import({ todos: [task(2)] })
    const { id: other } = await ada.import({ todos: [task(3)] })
    expect((await bert.ask('POST', `/api/imports/${importId}/undo`, {})).status).toBe(404)
    await ada.undo(other)
    const late = { todos: [task(4)], import: { id: other, source: 'todoist' } }
    expect(await ada.ask('POST', '/api/import', late)).toMatchObject({
      status: 400,
      body: { fields: { 'import.id': 'This import was undone' } },
    })
    now += monthLater
    expect(await ada.ask('POST', `/api/imports/${importId}/undo`, {})).toMatchObject({
      status: 422,
      body: { code: 'TOO_LATE' },
    })
    now -= monthLater
    expect((await ada.exported()).todos).toHaveLength(1)
    expect(Date.parse((await ada.imports())[1].undo_until)).toBeGreaterThan(now)
  })
})
