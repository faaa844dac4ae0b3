import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, openApplication } from '../testing/application.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const untouched = {
  time_zone: 'UTC',
  time_zone_follows_browser: true,
  day_start: 0,
  week_start: 1,
  theme: 'system',
  todos_sort: 'newest',
  start_page: 'todos',
  focus_plan: { focus: 25, break: 5, long_break: 15, every: 4, auto_start: false },
}

describeEachEngine('the preferences API', (openEmpty) => {
  let database: Database
  let daymark: Application
  let now = noon
  let people = 0
  let cookie: string
  beforeAll(async () => {
    database = await openEmpty()
    daymark = openApplication(database, { clock: () => now })
  })
  beforeEach(async () => {
    now = noon
    cookie = (await daymark.signUp(`Person-${people++}`)).cookie
  })

  const ask = (method: string, path: string, body?: unknown) => daymark.ask(method, path, { body, cookie })
  const change = (body: unknown) => ask('PATCH', '/api/preferences', body)
  const stored = async () => (await ask('GET', '/api/preferences')).body.preferences

  it('someone who has chosen nothing gets the defaults', async () => {
    const asked = await ask('GET', '/api/preferences')
    expect(asked).toMatchObject({ status: 200 })
    expect(asked.body).toEqual({ preferences: untouched })
  })

  it.each([
    [{ time_zone: 'Asia/Tokyo', time_zone_follows_browser: true }],
    [{ time_zone_follows_browser: false }],
    [{ day_start: 360 }],
    [{ day_start: 0 }],
    [{ week_start: 7 }],
    [{ theme: 'dark' }],
    [{ todos_sort: 'manual' }],
    [{ start_page: 'today' }],
    [{ focus_plan: { focus: 240, break: 120, long_break: 1, every: 12, auto_start: true } }],
    [{ day_start: 75, week_start: 6, theme: 'light' }],
    [{}],
  ])('PATCH with %j changes only that and responds with all preferences', async (body) => {
    const asked = await change(body)
    expect(asked.status).toBe(200)
    expect(asked.body).toEqual({ preferences: { ...untouched, ...body } })
    expect(await stored()).toEqual({ ...untouched, ...body })
  })

  it('a time zone set on its own is fixed: it no longer follows the browser', async () => {
    expect((await change({ time_zone: 'Asia/Tokyo' })).body.preferences).toEqual({
      ...untouched,
      time_zone: 'Asia/Tokyo',
      time_zone_follows_browser: false,
    })
  })

  it('a time zone is stored in its standard spelling', async () => {
    await change({ time_zone: 'europe/copenhagen' })
    expect(await stored()).toMatchObject({ time_zone: 'Europe/Copenhagen' })
  })

  it.each(['Asia/Kolkata', 'Europe/Kyiv', 'Asia/Kathmandu', 'Asia/Calcutta'])(
    'a time zone keeps the name that was chosen, whatever the runtime calls it: %s',
    async (time_zone) => {
      expect((await change({ time_zone })).body.preferences.time_zone).toBe(time_zone)
      expect(await stored()).toMatchObject({ time_zone })
    },
  )

  it.each([
    ['a zone that is none', { time_zone: 'Mars/Olympus' }, 'time_zone', 'Unknown time zone'],
    ['an offset as a zone', { time_zone: '+02:00' }, 'time_zone', 'Unknown time zone'],
    ['no text as a zone', { time_zone: 7 }, 'time_zone', 'Expected a time zone'],
    ['a zone with a NUL', { time_zone: 'UTC\0' }, 'time_zone', 'Unknown time zone'],
    [
      'a day start before midnight',
      { day_start: -1 },
      'day_start',
      'Day start must be between 00:00 and 06:00',
    ],
    ['a day start after six', { day_start: 361 }, 'day_start', 'Day start must be between 00:00 and 06:00'],
    ['half a minute', { day_start: 0.5 }, 'day_start', 'Expected whole minutes'],
    ['a time as a day start', { day_start: '03:00' }, 'day_start', 'Expected whole minutes'],
    [
      'an eighth weekday',
      { week_start: 8 },
      'week_start',
      'Expected a weekday from 1 (Monday) to 7 (Sunday)',
    ],
    [
      'a Sunday that is 0',
      { week_start: 0 },
      'week_start',
      'Expected a weekday from 1 (Monday) to 7 (Sunday)',
    ],
    ['a theme that is none', { theme: 'sepia' }, 'theme', expect.any(String)],
    [
      'a focus of no time',
      { focus_plan: { ...untouched.focus_plan, focus: 0 } },
      'focus_plan.focus',
      'Expected at least 1 minute',
    ],
    [
      'a focus of more than four hours',
      { focus_plan: { ...untouched.focus_plan, focus: 241 } },
      'focus_plan.focus',
      'Expected at most 240 minutes',
    ],
    [
      'half a minute of a break',
      { focus_plan: { ...untouched.focus_plan, break: 2.5 } },
      'focus_plan.break',
      'Expected whole minutes',
    ],
    [
      'a long break of more than two hours',
      { focus_plan: { ...untouched.focus_plan, long_break: 121 } },
      'focus_plan.long_break',
      'Expected at most 120 minutes',
    ],
    [
      'a long break after thirteen sessions',
      { focus_plan: { ...untouched.focus_plan, every: 13 } },
      'focus_plan.every',
      'Expected at most 12 sessions',
    ],
    ['a part of a plan', { focus_plan: { focus: 50 } }, 'focus_plan.break', expect.any(String)],
    ['a start page that is none', { start_page: 'habits' }, 'start_page', expect.any(String)],
    [
      'an order that is none',
      { todos_sort: 'title' },
      'todos_sort',
      'Expected manual, due, priority or newest',
    ],
    [
      'a following that is neither yes nor no',
      { time_zone_follows_browser: 1 },
      'time_zone_follows_browser',
      expect.any(String),
    ],
    [
      'an instant that is none',
      { theme: 'dark', at: 'now' },
      'at',
      'Expected an instant in UTC, such as 2026-11-20T09:30:00.000Z',
    ],
  ])('refuses %s at its field, and changes nothing', async (_, wrong, field, message) => {
    const asked = await change({ week_start: 3, theme: 'light', ...wrong })
    expect(asked).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', fields: { [field]: message } },
    })
    expect(await stored()).toEqual(untouched)
  })

  it('refuses a body that is missing or not an object', async () => {
    for (const body of [undefined, null, [], 'theme', 7]) {
      expect((await change(body === undefined ? undefined : JSON.stringify(body))).status).toBe(400)
    }
    expect(await stored()).toEqual(untouched)
  })

  it('of two changes to the same preference the later one wins, whichever arrives first', async () => {
    await change({ theme: 'dark', at: '2026-11-20T10:02:00.000Z' })
    const late = await change({ theme: 'light', week_start: 7, at: '2026-11-20T10:01:00.000Z' })
    expect(late.body.preferences).toMatchObject({ theme: 'dark', week_start: 7 })
  })

  it('a change from a fast clock counts as made now', async () => {
    await change({ theme: 'dark', at: '2031-01-01T00:00:00.000Z' })
    now += 1000
    expect((await change({ theme: 'light' })).body.preferences).toMatchObject({ theme: 'light' })
  })

  describe('a call without a day counts in the stored zone and day start', () => {
    const completeTodo = async () => {
      const { todo } = (await ask('POST', '/api/todos', { title: 'Done', completed: 1 })).body
      return completedOn(database, todo.id)
    }
    const toggleTodo = async () => {
      const { todo } = (await ask('POST', '/api/todos', { title: 'Open', completed: 0 })).body
      await ask('PUT', `/api/todos/${todo.id}`, { completed: 1 })
      return completedOn(database, todo.id)
    }
    const toggleHabit = async () => {
      const habit = { name: 'Read', start_date: '2026-11-01' }
      const { id } = (await ask('POST', '/api/habits', habit)).body.habit
      await ask('POST', `/api/habits/${id}/complete`)
      const { body } = await ask('GET', `/api/habits/${id}/completions?from=2026-11-01&to=2026-11-30`)
      return body.days[0]
    }

    it.each([
      ['UTC before any is known', {}, '2026-11-20T23:59:59.999Z', '2026-11-20'],
      ['UTC before any is known', {}, '2026-11-21T00:00:00.000Z', '2026-11-21'],
      [
        'the zone that the browser reported',
        reported('Asia/Tokyo'),
        '2026-11-20T15:00:00.000Z',
        '2026-11-21',
      ],
      [
        'the zone that was fixed',
        { time_zone: 'America/New_York' },
        '2026-11-21T04:59:00.000Z',
        '2026-11-20',
      ],
      ['the day start', { day_start: 180 }, '2026-11-21T02:59:00.000Z', '2026-11-20'],
      ['the day start', { day_start: 180 }, '2026-11-21T03:00:00.000Z', '2026-11-21'],
      [
        'both',
        { ...reported('Europe/Copenhagen'), day_start: 180 },
        '2026-11-21T01:59:00.000Z',
        '2026-11-20',
      ],
    ])('%s: %j at %s is %s', async (_, preferences, instant, day) => {
      await change(preferences)
      now = Date.parse(instant)
      expect(await completeTodo()).toBe(day)
      expect(await toggleTodo()).toBe(day)
      expect(await toggleHabit()).toBe(day)
    })

    it('a day that the client sends takes precedence, and an instant in the past counts on its own day', async () => {
      await change({ time_zone: 'Asia/Tokyo' })
      const add = async (more: object) =>
        (await ask('POST', '/api/todos', { title: 'Done', completed: 1, ...more })).body.todo.id
      expect(await completedOn(database, await add({ day: '2026-11-19' }))).toBe('2026-11-19')
      expect(await completedOn(database, await add({ at: '2026-11-18T15:00:00.000Z' }))).toBe('2026-11-19')
    })
  })
})

function reported(time_zone: string) {
  return { time_zone, time_zone_follows_browser: true }
}

async function completedOn(database: Database, todo: string): Promise<string | null> {
  const { completed_on } = await database.read
    .selectFrom('todos')
    .select('completed_on')
    .where('id', '=', todo)
    .executeTakeFirstOrThrow()
  return completed_on
}
