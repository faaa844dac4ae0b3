import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { HabitDays } from '#features/habits/rhythm/habit-track.ts'
import { frequencyOf, rhythmOn } from '#features/habits/rhythm/rhythm.ts'
import { exportedHabit } from '#features/habits/testing/habits.ts'
import { pauses } from '#features/habits/testing/pauses.ts'
import { asOf, someHabit } from '#features/habits/testing/some-habit.ts'
import { lists } from '#features/lists/testing/lists.ts'
import { todos } from '#features/todos/testing/todos.ts'
import { todoRows } from '#features/todos/todo/server/todo-rows.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { type ExportedAccount, fileRows } from '#features/your-data/exported-account.ts'
import { splitIntoPieces } from '#features/your-data/pieces.ts'
import { readExport } from '#features/your-data/read-export.ts'
import versionOne from '#features/your-data/testing/version-1.json' with { type: 'json' }
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import type { Tables } from '#platform/database/tables.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { byPosition } from '#platform/order/position.ts'
import { emptyCollections } from '#platform/wire/file-rows.ts'
import { runs } from '#testing/runs.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'
import { dump } from '../testing/dump.ts'

// A Friday.
const noon = Date.parse('2026-11-20T12:00:00.000Z')
const today = '2026-11-20' as Day
const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`

const list = lists.file({
  id: id(4),
  name: 'Garden',
  color: 3,
  position: 'a0V',
  sort: 'due',
  archived_at: '2026-11-19T08:00:00.000Z',
  created_at: '2026-11-01T08:00:00.000Z',
  updated_at: '2026-11-19T08:00:00.000Z',
})
const todo = todos.file({
  id: id(1),
  title: 'Water the plants',
  completed: 1,
  completed_at: '2026-11-02T08:00:00.000Z',
  completed_on: '2026-11-02' as Day,
  due_day: '2026-11-21' as Day,
  remind_at: '2026-11-01T16:00:00.000Z',
  list_id: list.id,
  position: 'a5V',
  created_at: '2026-11-01T08:00:00.000Z',
  updated_at: '2026-11-02T08:00:00.000Z',
})
const threeAWeek = { times: 3, per: 'week' as const }
const glasses = { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' } as const
const wholeHabit = exportedHabit({
  id: id(2),
  name: 'Read',
  description: 'A page',
  frequency: 'daily',
  rhythms: [
    { from_day: '2026-11-05' as Day, rhythm: threeAWeek, target: glasses },
    { from_day: '2026-11-10' as Day, rhythm: { every: 1 }, target: null },
    { from_day: '2026-11-12' as Day, rhythm: null, target: 'yes' },
  ],
  start_date: '2026-11-10' as Day,
  reminder: { time: 450, weekdays: [1, 5] },
  position: 'a1',
  archived_at: '2026-11-20T10:00:00.000Z',
  created_at: '2026-11-10T08:00:00.000Z',
})
// Without what is told of its days.
const {
  completions: _,
  skips: __,
  notes: ___,
  amounts: ____,
  ...habit
} = { ...wholeHabit, archived_at: null }
const skips = { habit_id: habit.id, days: ['2026-11-16', '2026-11-30'] }
const notes = { habit_id: habit.id, days: [{ day: '2026-11-19', note: 'On the train' }] }
const add = {
  id: id(40),
  day: '2026-11-11',
  value: 3_000,
  set: false,
  settles: [],
  at: '2026-11-11T08:00:00.000Z',
}
const set = { ...add, id: id(41), value: 5_500, set: true, settles: [add.id], at: '2026-11-11T09:00:00.000Z' }
const amounts = { habit_id: habit.id, days: [add, set] }
const pause = pauses.file({ id: id(5), habit_id: habit.id, to_day: '2026-11-02' as Day })
const vacation = pauses.file({ id: id(6), from_day: '2026-12-24' as Day })
const open = { ...todo, completed: 0, completed_at: null, completed_on: null }
const completions = { habit_id: habit.id, days: ['2026-11-18', '2026-11-19'] }
const session = {
  id: id(3),
  kind: 'flow',
  todo_id: id(1),
  habit_id: null,
  duration: 1_500,
  started_at: '2026-11-19T08:00:00.000Z',
  ended_at: '2026-11-19T08:25:00.000Z',
  days: [{ day: '2026-11-19', seconds: 1_500 }],
}
const preferences = {
  time_zone: 'Europe/Copenhagen',
  time_zone_follows_browser: false,
  day_start: 180,
  week_start: 7,
  theme: 'dark',
  todos_sort: 'due',
  start_page: 'today',
  focus_plan: { focus: 50, break: 10, long_break: 20, every: 3, auto_start: true },
}
const everything = {
  lists: [list],
  todos: [todo],
  habits: [habit],
  completions: [completions],
  skips: [skips],
  notes: [notes],
  amounts: [amounts],
  pauses: [pause, vacation],
  focus_sessions: [session],
  preferences,
}

// No exported note has spaces around it: a note is trimmed when it is written.
const someNote = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .map((note) => note.trim())
  .filter((note) => note !== '')

/** Habits of every kind with their pauses, as in a file. */
const someFile = fc.array(fc.tuple(someHabit, someNote), { maxLength: 3 }).map((recipes) => {
  const habits = recipes.map(([seen, note], place) => inFile(place, asOf('2026-11-20' as Day, seen), note))
  return { habits: habits.map(({ habit }) => habit), pauses: habits.flatMap(({ pauses }) => pauses) }
})

function inFile(place: number, days: HabitDays, note: string) {
  const number = (place + 1) * 100_000
  const created_at = new Date(noon + place - 1_000).toISOString()
  const past = <Value>([day]: [Day, Value]) => day <= '2026-11-20'
  const states = [...days.states].sort()
  const daysOf = (state: string) => states.filter(([, of]) => of === state).map(([day]) => day)
  const habit = exportedHabit({
    id: id(number),
    name: 'Read',
    position: `a${place}`,
    created_at,
    rhythms: [...days.rows],
    start_date: days.startDay,
    archived_at: days.archivedOn && `${days.archivedOn}T08:00:00.000Z`,
    completions: [...days.states]
      .filter(past)
      .sort()
      .flatMap(([day, of]) => (of === 'done' ? [day] : [])),
    skips: daysOf('skipped'),
    notes: states.slice(0, 2).map(([day]) => ({ day, note })),
    // Every other one was set, once over what had been added before.
    amounts: [...days.amounts]
      .filter(past)
      .sort()
      .flatMap(([day, value], nth) => {
        const at = `${day}T08:00:00.000Z`
        const entry = { id: id(number + 2 * nth + 1), day, value, set: true, settles: [] as string[], at }
        if (nth % 2 === 0) return [entry]
        const add = { ...entry, id: id(number + 2 * nth), value: 7_000, set: false }
        return [add, { ...entry, settles: [add.id] }]
      }),
  })
  const { rhythm, target } = rhythmOn(days.rows, lastDay)
  const pausesOf = days.pauses.map((pause, nth) =>
    pauses.file({ ...pause, id: id(number + 50_000 + nth), habit_id: nth % 2 === 0 ? habit.id : null }),
  )
  return { habit: { ...habit, frequency: frequencyOf(rhythm, target) }, pauses: pausesOf }
}

const lastDay = '9999-12-31' as Day

describeEachEngine('your data', (openEmpty) => {
  let database: Database
  let daymark: Application
  /** Somebody for everything that leaves no trace. */
  let eve: Person
  let now = noon
  let people = 0
  beforeAll(async () => {
    database = await openEmpty()
    daymark = openApplication(database, { clock: () => now })
    eve = await daymark.signUp('Eve')
  })

  const someone = () => daymark.signUp(`Ada${++people}`)
  const asking = (person: Person) => (method: string, path: string, body?: unknown) =>
    daymark.ask(method, path, { cookie: person.cookie, body })
  const exported = async (person: Person): Promise<ExportedAccount> =>
    (await asking(person)('GET', '/api/export')).body
  const piecesOf = async ({ cookie }: Person) => {
    const headers = new Headers({ host: 'localhost', cookie })
    const { body } = await daymark.app.request(
      '/api/export',
      { method: 'GET', headers },
      { address: '192.0.2.1' },
    )
    return Array.fromAsync(body ?? [])
  }

  describe('the export', () => {
    it("is one JSON file, named after the person's day", async () => {
      const ask = asking(await someone())
      now = Date.parse('2026-11-20T23:30:00.000Z')
      await ask('PATCH', '/api/preferences', { time_zone: 'Asia/Tokyo' })
      const { status, headers } = await ask('GET', '/api/export')
      now = noon
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('application/json')
      expect(headers.get('content-disposition')).toBe('attachment; filename="daymark-2026-11-21.json"')
      expect(headers.get('cache-control')).toBe('no-store')
    })

    it('contains name, email and everything that is not deleted, without undone completions', async () => {
      const ada = await someone()
      const ask = asking(ada)
      await ask('POST', '/api/import', everything)
      for (const [place, path] of ['/api/lists', '/api/todos', '/api/habits', '/api/focus'].entries()) {
        const gone = { title: 'Gone', completed: 0, name: 'Gone', start_date: '2026-11-01', duration: 60 }
        await ask('POST', path, { id: id(50 + place), ...gone })
        await ask('DELETE', `${path}/${id(50 + place)}`)
      }
      await ask('POST', `/api/habits/${habit.id}/complete`, { date: '2026-11-18', completed: false })
      expect(await exported(ada)).toEqual({
        format: 'daymark',
        version: 2,
        exported_at: '2026-11-20T12:00:00.000Z',
        account: { name: `Ada${people}`, email: ada.email },
        preferences,
        ...emptyCollections(fileRows),
        lists: [list],
        todos: [todo],
        habits: [
          {
            ...habit,
            completions: ['2026-11-19'],
            skips: skips.days,
            notes: notes.days,
            amounts: amounts.days,
          },
        ],
        pauses: [pause, vacation],
        focus_sessions: [session],
      })
    })

    it.each(['Asia/Kolkata', 'Europe/Kyiv', 'Asia/Kathmandu'])(
      'contains %s by the name that was chosen, and the import keeps it',
      async (time_zone) => {
        const [ada, heir] = [await someone(), await someone()]
        await asking(ada)('PATCH', '/api/preferences', { time_zone })
        const { preferences } = await exported(ada)
        expect(preferences.time_zone).toBe(time_zone)
        expect((await asking(heir)('POST', '/api/import', { preferences })).status).toBe(200)
        expect((await asking(heir)('GET', '/api/preferences')).body.preferences).toMatchObject({ time_zone })
      },
    )

    it('from before there were reminders, due days and lists is imported without them', async () => {
      const ada = await someone()
      const { due_day: _day, remind_at: _at, list_id: _list, position: _position, ...olderTodo } = todo
      const { reminder: _reminder, rhythms: _rhythms, position: _place, ...olderHabit } = habit
      const older = { todos: [olderTodo], habits: [olderHabit] }
      expect((await asking(ada)('POST', '/api/import', older)).status).toBe(200)
      expect(await exported(ada)).toMatchObject({
        todos: [{ ...olderTodo, due_day: null, remind_at: null, list_id: null }],
        habits: [
          {
            ...olderHabit,
            reminder: null,
            skips: [],
            notes: [],
            amounts: [],
            rhythms: [{ from_day: '2026-11-10', rhythm: { every: 1 }, target: 'yes' }],
          },
        ],
      })
    })

    it('of version 1 is imported into no list, in the order in which its tasks were created', async () => {
      const ada = await someone()
      const ask = asking(ada)
      // A task that was there before, and one that is newer than all in the file.
      await ask('POST', '/api/todos', { title: 'Between', at: '2026-11-18T12:00:00.000Z' })
      await ask('POST', '/api/todos', { title: 'Newest' })
      const reading = readExport(JSON.stringify(versionOne))
      if (!('exported' in reading)) throw new Error(reading.problem)
      for (const piece of splitIntoPieces(reading.exported, true, 300)) {
        expect((await ask('POST', '/api/import', piece)).status).toBe(200)
      }
      const { body } = await ask('GET', '/api/todos')
      const inOrder = (body.todos as Todo[]).toSorted(byPosition)
      expect(inOrder.map(({ title, list_id }) => [title, list_id])).toEqual([
        ['Newest', null],
        ['Book the train to Aarhus', null],
        ['Between', null],
        ['Choose a colour for the hall', null],
        ['Water the plants', null],
      ])
      expect(await exported(ada)).toMatchObject({ version: 2, lists: [], habits: versionOne.habits })
    })

    it('imported elsewhere, it reminds there: of habits in the zone that it brings, of what is still to come', async () => {
      const ada = await someone()
      const toCome = { ...open, id: id(60), remind_at: '2026-11-21T16:00:00.000Z' }
      const over = { ...open, id: id(61), remind_at: '2026-11-20T11:59:00.000Z' }
      const body = { todos: [todo, toCome, over], habits: [habit], preferences }
      expect((await asking(ada)('POST', '/api/import', body)).status).toBe(200)
      const alarms = await database.read
        .selectFrom('alarms')
        .select(['kind', 'row_id', 'due_at'])
        .where('user_id', '=', ada.id)
        .orderBy('kind')
        .execute()
      // Half past seven on the next Monday, in Copenhagen.
      expect(alarms).toEqual([
        { kind: 'habit', row_id: habit.id, due_at: Date.parse('2026-11-23T06:30:00.000Z') },
        { kind: 'todo', row_id: toCome.id, due_at: Date.parse(toCome.remind_at) },
      ])
    })

    it('of a new account contains empty lists', async () => {
      const account = await exported(await someone())
      expect(account).toMatchObject({ lists: [], todos: [], habits: [], focus_sessions: [] })
    })

    it('contains every row of lists that are read in several steps', async () => {
      const ada = await someone()
      const many = (count: number, make: (place: number) => object) =>
        Array.from({ length: count }, (_, place) => make(place))
      const titles = many(1_201, (place) => ({ ...todo, id: id(1_000 + place), title: `Task ${place}` }))
      const sessions = many(501, (place) => {
        const day = `2026-11-1${7 + Math.floor(place / 200)}`
        return {
          ...session,
          id: id(1_000 + place),
          days: [{ day, seconds: 1_500 }],
          started_at: `${day}T08:00:00.000Z`,
          ended_at: `${day}T08:25:00.000Z`,
        }
      })
      for (let next = 0; next < titles.length; next += 140) {
        expect(
          (await asking(ada)('POST', '/api/import', { todos: titles.slice(next, next + 140) })).status,
        ).toBe(200)
      }
      for (let next = 0; next < sessions.length; next += 200) {
        const piece = { focus_sessions: sessions.slice(next, next + 200) }
        expect((await asking(ada)('POST', '/api/import', piece)).status).toBe(200)
      }
      const account = await exported(ada)
      expect(account.todos).toEqual(titles)
      expect(account.focus_sessions).toEqual(sessions)
    })

    const add = (person: Person, table: keyof Tables, rows: readonly object[]) =>
      database.writeFor(person.id, [], async (tx) => {
        for (const batch of inBatches(rows)) {
          await tx
            .insertInto(table)
            .values(batch.map((row) => ({ user_id: person.id, ...row })))
            .execute()
        }
      })
    const storedEntry = (number: number, day: string, settles: readonly string[] | null) => ({
      id: id(number),
      habit_id: habit.id,
      day,
      value: 1_000,
      is_set: settles ? 1 : 0,
      settles: settles && JSON.stringify(settles),
      created_at: noon - 1_000 + (number % 1_000),
      updated_at: noon,
      deletion_changed_at: 0,
    })
    const settledDay = (day: string) => ({
      todo_id: todo.id,
      day,
      state: 'done',
      done_on: day,
      changed_at: noon,
      moved_at: 0,
    })
    const daysBack = (count: number, last = today) =>
      Array.from({ length: count }, (_, back) => addDays(last, -back)).toReversed()
    const numbered = (count: number, from: number) =>
      Array.from({ length: count }, (_, place) => id(from + place))

    it('is sent in pieces of at most 256 KB, however much there is about one habit or task', async () => {
      const ada = await someone()
      const repeat = { freq: 'day', every: 1, mode: 'due', from: '2018-01-01' }
      await asking(ada)('POST', '/api/import', { habits: [habit], todos: [{ ...open, repeat }] })
      const ticked = daysBack(25_000)
      const noted = new Set(ticked.slice(-100))
      await add(
        ada,
        'completions',
        ticked.map((day) => ({
          habit_id: habit.id,
          day,
          done: 1,
          changed_at: noon,
          note: noted.has(day) ? 'x'.repeat(5_000) : '',
        })),
      )
      // On each of twenty days 290 adds, and ten sets that name these and others that are gone.
      const enteredOn = daysBack(20)
      const adds = enteredOn.map((_, nth) => numbered(290, nth * 10_000 + 100_000))
      const gone = numbered(490, 900_000)
      await add(
        ada,
        'amounts',
        enteredOn.flatMap((day, nth) => {
          const settles = [...(adds[nth] ?? []), ...gone]
          const first = nth * 10_000 + 100_000
          return Array.from({ length: 300 }, (_, place) =>
            storedEntry(first + place, day, place < 290 ? null : settles),
          )
        }),
      )
      await add(ada, 'todo_days', daysBack(3_000).map(settledDay))
      await add(
        ada,
        'todos',
        Array.from({ length: 60 }, (_, nth) =>
          todoRows.newRow(ada.id, id(1_000 + nth), { title: `Task ${nth}`, note: 'x'.repeat(10_000) }, noon),
        ),
      )

      const pieces = await piecesOf(ada)
      expect(Math.max(...pieces.map((piece) => piece.byteLength))).toBeLessThanOrEqual(256 * 1_024)
      const account: ExportedAccount = JSON.parse(Buffer.concat(pieces).toString())
      const [kept] = account.habits
      expect(kept?.completions).toEqual(ticked)
      expect(kept?.notes.map(({ day }) => day)).toEqual([...noted])
      expect(kept?.amounts).toHaveLength(6_000)
      const named = kept?.amounts.filter(({ set }) => set).map(({ settles }) => settles)
      expect(named).toEqual(adds.flatMap((ofDay) => Array(10).fill(ofDay)))
      expect(account.todos).toHaveLength(61)
      expect(account.todos.flatMap(({ days = [] }) => days.map(({ day }) => day))).toEqual(daysBack(3_000))
    })

    it('is one JSON file where the last of the tasks has hundreds of occurrences', async () => {
      const ada = await someone()
      await asking(ada)('POST', '/api/import', { todos: [open] })
      await add(ada, 'todo_days', daysBack(500).map(settledDay))
      expect((await exported(ada)).todos[0]?.days).toHaveLength(500)
    })

    // From before there was a limit on what a day can have.
    it('of a set that replaced more than a file may name leaves out the adds that it cannot name', async () => {
      const ada = await someone()
      await asking(ada)('POST', '/api/import', { habits: [habit] })
      const sessions = numbered(700, 50_000)
      const yesterday = Date.parse('2026-11-19T08:00:00.000Z')
      await add(
        ada,
        'focus_sessions',
        sessions.map((id) => ({
          id,
          kind: 'flow',
          todo_id: null,
          habit_id: habit.id,
          subject_at: 0,
          knows_phases: 1,
          duration: 1,
          started_at: yesterday,
          ended_at: yesterday + 1_000,
          ended_on: '2026-11-19',
          time_at: 0,
          created_at: 0,
          updated_at: 0,
          deletion_changed_at: 0,
        })),
      )
      await add(
        ada,
        'focus_days',
        sessions.map((session_id) => ({ session_id, day: '2026-11-19', seconds: 1 })),
      )
      const adds = numbered(400, 60_000)
      await add(ada, 'amounts', [
        ...adds.map((_, nth) => storedEntry(60_000 + nth, '2026-11-19', null)),
        storedEntry(70_000, '2026-11-19', [...adds, ...sessions]),
      ])
      const amounts = (await exported(ada)).habits[0]?.amounts ?? []
      expect(amounts.map(({ id }) => id)).toEqual([...adds.slice(0, 300), id(70_000)])
      expect(amounts.at(-1)?.settles).toEqual([...sessions, ...adds.slice(0, 300)])
    })

    it('is text that the file reader understands', async () => {
      const ada = await someone()
      await asking(ada)('POST', '/api/import', everything)
      const response = await daymark.app.request('/api/export', { headers: { cookie: ada.cookie } })
      expect(readExport(await response.text())).toEqual({ exported: await exported(ada) })
    })
  })

  describe('the import', () => {
    it('restores what was exported, and says how much that was', async () => {
      const ask = asking(await someone())
      expect(await ask('POST', '/api/import', everything)).toMatchObject({
        status: 200,
        body: {
          lists: { added: 1, restored: 0 },
          todos: { added: 1, restored: 0 },
          habits: { added: 1, restored: 0 },
          completions: { added: 2 },
          rhythms: { added: 0 },
          skips: { added: 2 },
          notes: { added: 1 },
          amounts: { added: 2, restored: 0 },
          pauses: { added: 2, restored: 0 },
          focus_sessions: { added: 1, restored: 0 },
        },
      })
      expect((await ask('GET', '/api/lists')).body).toEqual({ lists: [list] })
      expect((await ask('GET', '/api/todos')).body.todos).toMatchObject([
        { title: 'Water the plants', list_id: list.id, position: 'a5V' },
      ])
      expect((await ask('GET', '/api/todos/completed')).body.days).toContainEqual({
        day: '2026-11-02',
        count: 1,
      })
      expect((await ask('GET', '/api/habits')).body.habits).toMatchObject([
        { name: 'Read', current_streak: 2, start_date: '2026-11-10' },
      ])
      expect((await ask('GET', '/api/focus')).body.sessions).toEqual([session])
      expect((await ask('GET', '/api/preferences')).body).toEqual({ preferences })
    })

    it('brings any habits into another account as they are, with the same numbers', async () => {
      await fc.assert(
        fc.asyncProperty(someFile, fc.constantFrom(1, 500, 60_000), async (file, most) => {
          const [ada, heir] = [await someone(), await someone()]
          const take = async (person: Person, account: ExportedAccount, most: number) => {
            for (const piece of splitIntoPieces(account, false, most)) {
              const asked = await asking(person)('POST', '/api/import', piece)
              expect(asked.status, JSON.stringify(asked.body)).toBe(200)
            }
            return exported(person)
          }
          const account = await take(ada, { ...(await exported(ada)), ...file }, 60_000)
          expect({ habits: account.habits, pauses: account.pauses }).toEqual(file)
          expect(await take(heir, account, most)).toMatchObject(file)
          const before = await dump(database, heir.id)
          expect(await take(heir, account, 60_000)).toMatchObject(file)
          expect(await dump(database, heir.id)).toEqual(before)
          const listed = async (person: Person) => (await asking(person)('GET', '/api/habits')).body.habits
          expect(await listed(heir)).toEqual(await listed(ada))
        }),
        { numRuns: runs(300, 3) },
      )
    })

    it('of the same file twice changes nothing, wherever it is split', async () => {
      const ada = await someone()
      await asking(ada)('POST', '/api/import', everything)
      const account = await exported(ada)
      const before = await dump(database, ada.id)
      now = noon + 3_600_000
      for (const most of [1, 300, 60_000]) {
        for (const piece of splitIntoPieces(account, true, most)) {
          const { status, body } = await asking(ada)('POST', '/api/import', piece)
          expect(status).toBe(200)
          expect(JSON.stringify(body)).not.toMatch(/[1-9]/)
        }
      }
      now = noon
      expect(await dump(database, ada.id)).toEqual(before)
    })

    it('leaves an existing row as it is, and a title that was changed since', async () => {
      const ask = asking(await someone())
      await ask('POST', '/api/import', everything)
      await ask('PUT', `/api/todos/${todo.id}/edit`, { title: 'Water the garden' })
      await ask('PUT', `/api/habits/${habit.id}`, { name: 'Read more' })
      const { body } = await ask('POST', '/api/import', everything)
      expect(body).toMatchObject({ todos: { added: 0, restored: 0 }, habits: { added: 0, restored: 0 } })
      expect((await ask('GET', '/api/todos')).body.todos).toMatchObject([{ title: 'Water the garden' }])
      expect((await ask('GET', '/api/habits')).body.habits).toMatchObject([{ name: 'Read more' }])
    })

    it('restores a row that was deleted here, as it was here', async () => {
      const ask = asking(await someone())
      await ask('POST', '/api/import', everything)
      await ask('PUT', `/api/todos/${todo.id}/edit`, { title: 'Water the garden' })
      await ask('DELETE', `/api/lists/${list.id}`)
      await ask('DELETE', `/api/todos/${todo.id}`)
      await ask('DELETE', `/api/habits/${habit.id}`)
      await ask('DELETE', `/api/focus/${session.id}`)
      const { body } = await ask('POST', '/api/import', everything)
      expect(body).toMatchObject({
        lists: { added: 0, restored: 1 },
        todos: { added: 0, restored: 1 },
        habits: { added: 0, restored: 1 },
        focus_sessions: { added: 0, restored: 1 },
      })
      expect((await ask('GET', '/api/todos')).body.todos).toMatchObject([{ title: 'Water the garden' }])
      expect((await ask('GET', '/api/habits')).body.habits).toMatchObject([{ current_streak: 2 }])
      expect((await ask('GET', '/api/focus')).body.sessions).toEqual([session])
    })

    it('brings the occurrences of a repeating task along, and adds only those that are not known here', async () => {
      const ask = asking(await someone())
      const rule = { freq: 'day', every: 1, mode: 'due', from: '2026-11-01' }
      const repeating = { ...todo, completed: 0, completed_at: null, completed_on: null, repeat: rule }
      const day = { day: '2026-11-18', state: 'done', done_on: '2026-11-19', moved_to: null }
      const moved = { day: '2026-11-20', state: 'open', done_on: null, moved_to: '2026-11-21' }
      const at = '2026-11-19T08:00:00.000Z'
      const days = [day, { ...day, day: '2026-11-19', state: 'skipped' }, moved]
      const piece = {
        todos: [repeating],
        todo_days: [{ todo_id: todo.id, days: days.map((each) => ({ ...each, at })) }],
      }
      expect((await ask('POST', '/api/import', piece)).body).toMatchObject({
        todos: { added: 1 },
        todo_days: { added: 3 },
      })
      expect((await ask('GET', '/api/todos')).body.todos).toMatchObject([
        { due_day: '2026-11-21', missed: 17 },
      ])
      await ask('PUT', `/api/todos/${todo.id}/days/2026-11-18`, { state: 'open' })
      expect((await ask('POST', '/api/import', piece)).body.todo_days).toEqual({ added: 0 })
      expect(
        (await ask('GET', `/api/todos/${todo.id}/days?from=2026-11-18&to=2026-11-20`)).body.days,
      ).toEqual([
        { ...day, state: 'open', done_on: null },
        { ...day, day: '2026-11-19', state: 'skipped' },
        moved,
      ])
      const none = { todo_days: [{ todo_id: id(99), days: [{ ...day, at }] }] }
      expect(await ask('POST', '/api/import', none)).toMatchObject({
        status: 400,
        body: { fields: { 'todo_days.0.todo_id': "The task for these occurrences doesn't exist" } },
      })
    })

    it('wins over a deletion that a device made before it and sends after it', async () => {
      const ask = asking(await someone())
      await ask('POST', '/api/import', everything)
      await ask('DELETE', `/api/todos/${todo.id}`)
      now = noon + 60_000
      await ask('POST', '/api/import', everything)
      await ask('DELETE', `/api/todos/${todo.id}?at=2026-11-20T12:00:30.000Z`)
      now = noon
      expect((await ask('GET', '/api/todos')).body.todos).toHaveLength(1)
    })

    it('brings everything about a habit along, and leaves what holds of one that is there as it is', async () => {
      const ada = await someone()
      const ask = asking(ada)
      const archived = { ...everything, habits: [{ ...habit, archived_at: wholeHabit.archived_at }] }
      expect((await ask('POST', '/api/import', archived)).status).toBe(200)
      const [listed] = (await ask('GET', '/api/habits')).body.habits
      expect(listed).toMatchObject({
        rhythm: { every: 1 },
        target: 'yes',
        position: 'a1',
        archived_at: wholeHabit.archived_at,
        rhythms: habit.rhythms,
        skipped: skips.days,
      })
      const days = (await ask('GET', `/api/habits/${habit.id}/days?from=2026-11-10&to=2026-11-19`)).body.days
      expect(days.map(({ state }: { state: string }) => state)).toEqual([
        ...['missed', 'missed', 'missed', 'missed', 'missed', 'missed', 'skipped', 'missed', 'done', 'done'],
      ])
      expect(days[1]).toMatchObject({ amount: 5_500 })
      expect(days[9]).toMatchObject({ note: 'On the train' })

      await ask('PUT', `/api/habits/${habit.id}`, { rhythm: { every: 2 }, from_day: '2026-11-15' })
      await ask('PUT', `/api/habits/${habit.id}/days/2026-11-19`, { note: 'On the bus' })
      await ask('PUT', `/api/habits/${habit.id}/days/2026-11-17`, { state: 'skipped' })
      await ask('DELETE', `/api/habits/${habit.id}/amounts/${set.id}`)
      await ask('DELETE', `/api/pauses/${vacation.id}`)
      const other = [{ from_day: '2026-11-01', rhythm: { weekdays: [1] }, target: 'yes' }]
      const { body } = await ask('POST', '/api/import', {
        ...archived,
        habits: [{ ...habit, rhythms: other }],
        completions: [{ habit_id: habit.id, days: ['2026-11-17'] }],
      })
      expect(body).toMatchObject({
        habits: { added: 0, restored: 0 },
        rhythms: { added: 0 },
        notes: { added: 0 },
        // What is done in the file is done, what was deleted here is back.
        completions: { added: 1 },
        skips: { added: 0 },
        amounts: { added: 0, restored: 1 },
        pauses: { added: 0, restored: 1 },
      })
      const account = await exported(ada)
      expect(account.habits).toMatchObject([
        {
          rhythms: [...habit.rhythms, { from_day: '2026-11-15', rhythm: { every: 2 }, target: null }],
          completions: ['2026-11-17', ...completions.days],
          skips: skips.days,
          notes: [{ day: '2026-11-19', note: 'On the bus' }],
          amounts: amounts.days,
        },
      ])
      expect(account.pauses).toEqual([pause, vacation])
    })

    it('of a set that replaced what is in no file names only what is', async () => {
      const ada = await someone()
      const gone = { ...set, settles: [add.id, id(99)] }
      const piece = { habits: [habit], amounts: [{ habit_id: habit.id, days: [add, gone] }] }
      expect((await asking(ada)('POST', '/api/import', piece)).status).toBe(200)
      expect((await exported(ada)).habits[0]?.amounts).toEqual([add, set])
    })

    it('merges completions from here and from the file, and restores one that was undone', async () => {
      const ask = asking(await someone())
      await ask('POST', '/api/import', { habits: [habit] })
      for (const date of ['2026-11-17', '2026-11-19']) {
        await ask('POST', `/api/habits/${habit.id}/complete`, { date, completed: true })
      }
      await ask('POST', `/api/habits/${habit.id}/complete`, { date: '2026-11-19', completed: false })
      expect((await ask('GET', '/api/habits')).body.habits).toMatchObject([{ current_streak: 0 }])
      const { body } = await ask('POST', '/api/import', { completions: [completions, completions] })
      expect(body.completions).toEqual({ added: 2 })
      expect((await ask('GET', '/api/habits')).body.habits).toMatchObject([{ current_streak: 3 }])
    })

    it('of old completions counts the streaks again, and moves the first day back', async () => {
      const ask = asking(await someone())
      const daily = { ...habit, rhythms: [{ from_day: '2026-11-10', rhythm: { every: 1 }, target: 'yes' }] }
      await ask('POST', '/api/import', { habits: [daily], completions: [completions] })
      const days = Array.from({ length: 30 }, (_, place) =>
        new Date(Date.UTC(2020, 0, 1 + place)).toISOString().slice(0, 10),
      )
      // So that the sum of the earlier ones is already stored.
      await ask('GET', '/api/habits')
      now = noon + 1_000
      await ask('POST', '/api/import', { completions: [{ habit_id: habit.id, days }] })
      now = noon
      expect((await ask('GET', '/api/habits')).body.habits).toMatchObject([
        { current_streak: 2, longest_streak: 30, start_date: '2020-01-01' },
      ])
    })

    it('imports a row that a piece contains twice only once', async () => {
      const ask = asking(await someone())
      const piece = {
        todos: [todo, { ...todo, title: 'Again' }],
        habits: [habit, { ...habit, name: 'Again' }],
        focus_sessions: [session, session],
      }
      expect((await ask('POST', '/api/import', piece)).body).toMatchObject({
        todos: { added: 1 },
        habits: { added: 1 },
        focus_sessions: { added: 1 },
      })
      expect((await ask('GET', '/api/todos')).body.todos).toMatchObject([{ title: todo.title }])
      expect((await ask('GET', '/api/habits')).body.habits).toMatchObject([{ name: habit.name }])
    })

    it('treats a future instant as now, and moves a whole focus session back', async () => {
      const ask = asking(await someone())
      await ask('POST', '/api/import', {
        todos: [{ ...todo, created_at: '2031-01-01T00:00:00.000Z', updated_at: '2031-01-01T00:00:00.000Z' }],
        focus_sessions: [
          {
            ...session,
            started_at: '2026-11-20T12:00:00.000Z',
            ended_at: '2026-11-20T12:25:00.000Z',
            days: [{ day: '2026-11-20', seconds: 1_500 }],
          },
        ],
      })
      expect((await ask('GET', '/api/todos')).body.todos).toMatchObject([
        { created_at: '2026-11-20T12:00:00.000Z', updated_at: '2026-11-20T12:00:00.000Z' },
      ])
      expect((await ask('GET', '/api/focus')).body.sessions).toMatchObject([
        { started_at: '2026-11-20T11:35:00.000Z', ended_at: '2026-11-20T12:00:00.000Z' },
      ])
    })

    it.each<[string, object, string, string]>([
      [
        'a title of blanks',
        { todos: [todo, { ...todo, title: ' ' }] },
        'todos.1.title',
        'Title must not be empty',
      ],
      [
        'a completed task without its day',
        { todos: [{ ...todo, completed_on: null }] },
        'todos.0.completed_at',
        'Expected a completion time and day only for a completed task',
      ],
      [
        'a task that was completed on a day that is nowhere yet',
        { todos: [{ ...todo, completed_on: '2026-11-22' }] },
        'todos.0.completed_on',
        "This day hasn't started in any time zone yet.",
      ],
      [
        'an id that is no UUIDv7',
        { todos: [{ ...todo, id: '7' }] },
        'todos.0.id',
        'Expected a UUIDv7 or UUIDv8',
      ],
      [
        'an instant that is none',
        { todos: [{ ...todo, created_at: 'yesterday' }] },
        'todos.0.created_at',
        'Expected an instant in UTC, such as 2026-11-20T09:30:00.000Z',
      ],
      [
        'a seventh colour',
        { lists: [{ ...list, color: 7 }] },
        'lists.0.color',
        'Expected a colour from 1 to 6',
      ],
      [
        'a position that is none',
        { todos: [{ ...todo, position: 'a00' }] },
        'todos.0.position',
        'Expected a position, such as a0',
      ],
      [
        'a description of 5,001 characters',
        { habits: [{ ...habit, description: 'x'.repeat(5_001) }] },
        'habits.0.description',
        'Description must not exceed 5000 characters',
      ],
      [
        'a monthly habit',
        { habits: [{ ...habit, frequency: 'monthly' }] },
        'habits.0.frequency',
        'Expected daily or weekly',
      ],
      [
        'a completion on a day that is nowhere yet',
        { habits: [habit], completions: [{ ...completions, days: ['2026-11-19', '2026-11-22'] }] },
        'completions.0.days.1',
        "This day hasn't started in any time zone yet.",
      ],
      [
        'completions of a habit that is not there',
        { todos: [todo], completions: [{ ...completions, habit_id: id(99) }] },
        'completions.0.habit_id',
        "The habit for these completions doesn't exist",
      ],
      [
        'a rhythm that there is none of',
        { habits: [{ ...habit, rhythms: [{ ...habit.rhythms[0], rhythm: { every: 0 } }] }] },
        'habits.0.rhythms.0.rhythm.every',
        'Expected at least 1 day',
      ],
      [
        'an add of nothing',
        { habits: [habit], amounts: [{ habit_id: habit.id, days: [{ ...add, value: 0 }] }] },
        'amounts.0.days.0.value',
        'Expected an amount from 1 to 1,000,000,000 thousandths, or one from 0 that is set',
      ],
      [
        'an amount on a day that is nowhere yet',
        { habits: [habit], amounts: [{ habit_id: habit.id, days: [{ ...add, day: '2026-11-22' }] }] },
        'amounts.0.days.0.day',
        "This day hasn't started in any time zone yet.",
      ],
      [
        'a note of a habit that is not there',
        { notes: [{ ...notes, habit_id: id(99) }] },
        'notes.0.habit_id',
        "The habit for these notes doesn't exist",
      ],
      [
        'a session whose days do not add up',
        { focus_sessions: [{ ...session, duration: 1_499 }] },
        'focus_sessions.0.days',
        'Expected the seconds of the days to add up to the duration',
      ],
      [
        'a session that is shorter than its duration',
        { focus_sessions: [{ ...session, ended_at: '2026-11-19T08:24:59.000Z' }] },
        'focus_sessions.0.ended_at',
        "A session can't be shorter than its duration",
      ],
      [
        'a session that began at no instant',
        { focus_sessions: [{ ...session, started_at: '' }] },
        'focus_sessions.0.started_at',
        'Expected an instant in UTC, such as 2026-11-20T09:30:00.000Z',
      ],
      [
        'a session on a day that it did not touch',
        { focus_sessions: [{ ...session, days: [{ day: '2026-11-10', seconds: 1_500 }] }] },
        'focus_sessions.0.days',
        "One of these days isn't part of the session in any time zone",
      ],
      [
        'a time zone that there is none of',
        { todos: [todo], preferences: { ...preferences, time_zone: 'Atlantis/Capital' } },
        'preferences.time_zone',
        'Unknown time zone',
      ],
    ])('refuses %s, says where, and stores nothing of the piece', async (_, piece, field, message) => {
      const before = await dump(database)
      expect(
        await asking(eve)('POST', '/api/import', { todos: [{ ...todo, id: id(7) }], ...piece }),
      ).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', message, fields: { [field]: message } },
      })
      expect(await dump(database)).toEqual(before)
    })

    it('refuses a list that it does not know, and a piece of more than 64 KB', async () => {
      const ask = asking(await someone())
      expect((await ask('POST', '/api/import', { tasks: [todo] })).status).toBe(400)
      expect((await ask('POST', '/api/import')).status).toBe(400)
      const large = { todos: Array.from({ length: 400 }, (_, place) => ({ ...todo, id: id(place) })) }
      expect((await ask('POST', '/api/import', large)).status).toBe(413)
    })

    it('accepts a piece of the maximum size, of whatever kind', async () => {
      const ask = asking(await someone())
      const days = Array.from({ length: 2_001 }, (_, place) =>
        new Date(Date.UTC(2010, 0, 1 + place)).toISOString().slice(0, 10),
      )
      expect((await ask('POST', '/api/import', { habits: [habit] })).status).toBe(200)
      const tooMany = { completions: [{ habit_id: habit.id, days }] }
      expect(await ask('POST', '/api/import', tooMany)).toMatchObject({
        status: 400,
        body: { fields: { completions: 'Expected at most 2,000 days in one piece' } },
      })
      const piece = { completions: [{ habit_id: habit.id, days: days.slice(1) }] }
      expect((await ask('POST', '/api/import', piece)).body.completions).toEqual({ added: 2_000 })
      const small = { ...todo, title: 'x' }
      const most = Math.floor(62_000 / JSON.stringify(small).length)
      const many = Array.from({ length: most }, (_, place) => ({ ...small, id: id(place) }))
      expect(JSON.stringify({ todos: many }).length).toBeGreaterThan(58_000)
      expect((await ask('POST', '/api/import', { todos: many })).body.todos).toEqual({
        added: most,
        restored: 0,
      })
    })
  })
})
