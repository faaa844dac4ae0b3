import { beforeAll, describe, expect, it } from 'vitest'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'

// A Friday.
const noon = Date.parse('2026-11-20T12:00:00.000Z')

interface DueDay {
  day: string
  completed: number[]
  missed: number[]
}

describeEachEngine('the habit history API', (openEmpty) => {
  let daymark: Application
  let ada: Person
  beforeAll(async () => {
    daymark = openApplication(await openEmpty(), { clock: () => noon })
    ada = await daymark.signUp('Ada')
  })

  const ask = (method: string, path: string, body?: unknown) =>
    daymark.ask(method, path, { body, cookie: ada.cookie })
  const add = async (frequency: 'daily' | 'weekly', start_date: string, ...completed: string[]) => {
    const habit = { name: `${frequency} from ${start_date}`, frequency, start_date }
    const { id } = (await ask('POST', '/api/habits', habit)).body.habit
    for (const date of completed) await ask('POST', `/api/habits/${id}/complete`, { date, completed: true })
    return `/api/habits/${id}`
  }
  const clear = async () => {
    for (const { id } of (await ask('GET', '/api/habits')).body.habits)
      await ask('DELETE', `/api/habits/${id}`)
  }

  describe('GET /api/habits/{id}/completions', () => {
    it('answers the days of the range in order, both ends included', async () => {
      const habit = await add('daily', '2026-11-01', '2026-11-03', '2026-11-01', '2026-11-02', '2026-11-05')
      const asked = await ask('GET', `${habit}/completions?from=2026-11-02&to=2026-11-05`)
      expect(asked).toMatchObject({ status: 200, body: { days: ['2026-11-02', '2026-11-03', '2026-11-05'] } })
    })

    it('covers the last 30 days without a range', async () => {
      const habit = await add('daily', '2026-10-01', '2026-10-21', '2026-10-22', '2026-11-20')
      const asked = await ask('GET', `${habit}/completions`)
      expect(asked.body).toEqual({ days: ['2026-10-22', '2026-11-20'] })
    })

    it('answers no days if there are none, and 400 if the range is invalid', async () => {
      const habit = await add('daily', '2026-11-01')
      expect((await ask('GET', `${habit}/completions`)).body).toEqual({ days: [] })
      for (const [query, field] of [
        ['from=2026-11-05&to=2026-11-02', 'to'],
        ['from=2026-13-01', 'from'],
        ['to=yesterday', 'to'],
      ] as const) {
        expect(await ask('GET', `${habit}/completions?${query}`)).toMatchObject({
          status: 400,
          body: { code: 'INVALID_INPUT', fields: { [field]: expect.any(String) } },
        })
      }
    })
  })

  describe('GET /api/habits/completed', () => {
    it('lists every day of the range, zeros included; a daily habit is due on each of its days', async () => {
      await clear()
      await add('daily', '2026-11-17', '2026-11-17', '2026-11-19')
      await add('daily', '2026-11-18', '2026-11-19')
      const { status, body } = await ask('GET', '/api/habits/completed?from=2026-11-16&to=2026-11-20')
      expect(status).toBe(200)
      expect(body).toEqual({
        count: 3,
        days: [
          { day: '2026-11-16', completed: 0, due: 0 },
          { day: '2026-11-17', completed: 1, due: 1 },
          { day: '2026-11-18', completed: 0, due: 2 },
          { day: '2026-11-19', completed: 2, due: 2 },
          { day: '2026-11-20', completed: 0, due: 2 },
        ],
      })
    })

    it('a week of a weekly habit is due once: on its first completion, or on its last day when it is over', async () => {
      await clear()
      // Done twice in the first week, not at all in the second, and open in the third.
      await add('weekly', '2026-11-02', '2026-11-04', '2026-11-06')
      const { body } = await ask('GET', '/api/habits/completed?from=2026-11-02&to=2026-11-20')
      const due = body.days.filter((day: { due: number }) => day.due > 0)
      expect(due).toEqual([
        { day: '2026-11-04', completed: 1, due: 1 },
        { day: '2026-11-15', completed: 0, due: 1 },
      ])
      expect(body.count).toBe(1)
      expect(body.days).toHaveLength(19)
    })

    it('what is due n times in a period is due n times: each done day up to n, the rest on its last day', async () => {
      await clear()
      const start_date = '2026-11-02'
      const { id } = (
        await ask('POST', '/api/habits', { name: 'Gym', rhythm: { times: 3, per: 'week' }, start_date })
      ).body.habit
      // Four times in the first week, once in the second with a day that was skipped, and twice in this one.
      for (const day of ['02', '03', '05', '08', '11', '16', '18']) {
        const body = { date: `2026-11-${day}`, completed: true }
        await ask('POST', `/api/habits/${id}/complete`, body)
      }
      await ask('PUT', `/api/habits/${id}/days/2026-11-12`, { state: 'skipped' })
      const { days, count } = (await ask('GET', '/api/habits/completed?from=2026-11-02&to=2026-11-20')).body
      expect(count).toBe(6)
      expect(days.filter(({ due }: { due: number }) => due > 0)).toEqual([
        ...['02', '03', '05', '11'].map((day) => ({ day: `2026-11-${day}`, completed: 1, due: 1 })),
        { day: '2026-11-15', completed: 0, due: 2 },
        ...['16', '18'].map((day) => ({ day: `2026-11-${day}`, completed: 1, due: 1 })),
      ])
      const named = (await ask('GET', '/api/habits/due?from=2026-11-15&to=2026-11-16')).body
      expect(named.habits).toEqual([{ id, name: 'Gym', frequency: 'weekly' }])
      expect(named.days).toEqual([
        { day: '2026-11-15', completed: [], missed: [0, 0] },
        { day: '2026-11-16', completed: [0], missed: [] },
      ])
    })

    it('counts the past by the rhythm of its time, and nothing from the day on which a habit was archived', async () => {
      await clear()
      const habit = await add('daily', '2026-11-09', '2026-11-09', '2026-11-10', '2026-11-17')
      await ask('PUT', habit, { rhythm: { weekdays: [2, 4] }, from_day: '2026-11-12' })
      const due = async () => {
        const { days } = (await ask('GET', '/api/habits/completed?from=2026-11-09&to=2026-11-20')).body
        return days.flatMap(({ day, completed, due }: { day: string; completed: number; due: number }) =>
          due > 0 ? [`${day.slice(8)} ${completed}/${due}`] : [],
        )
      }
      const before = ['09 1/1', '10 1/1', '11 0/1', '12 0/1', '17 1/1']
      expect(await due()).toEqual([...before, '19 0/1'])
      await ask('PUT', habit, { archived_at: '2026-11-18T12:00:00.000Z' })
      expect(await due()).toEqual(before)
    })

    it('covers the last 30 days without a range, and says why a range is invalid', async () => {
      const { body } = await ask('GET', '/api/habits/completed')
      expect(body.days).toHaveLength(30)
      expect(body.days[0].day).toBe('2026-10-22')
      expect(body.days.at(-1).day).toBe('2026-11-20')
      const { status, body: refused } = await ask(
        'GET',
        '/api/habits/completed?from=2000-01-01&to=2026-11-20',
      )
      expect(status).toBe(400)
      expect(refused.fields).toEqual({ to: 'A range can span at most ten years' })
      expect((await ask('GET', '/api/habits/completed?from=2026-11-20&to=2026-11-01')).status).toBe(400)
    })
  })

  describe('GET /api/habits/due', () => {
    it("lists the habits behind each day's numbers, including missed ones, without deleted ones", async () => {
      await clear()
      const daily = await add('daily', '2026-11-18', '2026-11-19')
      const weekly = await add('weekly', '2026-11-02', '2026-11-04', '2026-11-06')
      const deleted = await add('daily', '2026-11-01', '2026-11-19')
      await ask('DELETE', deleted)
      const { status, body } = await ask('GET', '/api/habits/due?from=2026-11-03&to=2026-11-20')
      expect(status).toBe(200)
      expect(body.habits).toEqual([
        { id: daily.split('/').at(-1), name: 'daily from 2026-11-18', frequency: 'daily' },
        { id: weekly.split('/').at(-1), name: 'weekly from 2026-11-02', frequency: 'weekly' },
      ])
      expect(body.days).toHaveLength(18)
      expect(body.next).toBe(null)
      expect(body.days.filter((day: DueDay) => day.completed.length + day.missed.length > 0)).toEqual([
        { day: '2026-11-04', completed: [1], missed: [] },
        { day: '2026-11-15', completed: [], missed: [1] },
        { day: '2026-11-18', completed: [], missed: [0] },
        { day: '2026-11-19', completed: [0], missed: [] },
        { day: '2026-11-20', completed: [], missed: [0] },
      ])
      await ask('POST', `${deleted}/restore`)
      const restored = await ask('GET', '/api/habits/due?from=2026-11-19&to=2026-11-19')
      expect(restored.body.days[0].completed).toHaveLength(2)
    })

    it('lists few days of many habits in one response, with where to continue, until every day was listed once', async () => {
      const bob = await daymark.signUp('Bob')
      const asBob = (method: string, path: string, body?: unknown) =>
        daymark.ask(method, path, { body, cookie: bob.cookie })
      const habits = Array.from({ length: 600 }, (_, place) => ({
        id: newRowId(place, new Uint8Array(10).fill(place % 250)),
        name: `Habit ${place}`,
        description: '',
        frequency: place % 3 === 0 ? 'weekly' : 'daily',
        start_date: '2026-01-01',
        created_at: new Date(place).toISOString(),
      }))
      for (let first = 0; first < habits.length; first += 200) {
        const piece = { habits: habits.slice(first, first + 200) }
        expect((await asBob('POST', '/api/import', piece)).status).toBe(200)
      }
      const completions = habits.map(({ id }, place) => ({
        habit_id: id,
        days: [addDays('2026-03-01' as Day, place % 40)],
      }))
      for (let first = 0; first < completions.length; first += 100) {
        const piece = { completions: completions.slice(first, first + 100) }
        expect((await asBob('POST', '/api/import', piece)).status).toBe(200)
      }

      const to = '2026-05-20'
      const days: DueDay[] = []
      let from: string | null = '2026-02-03'
      let list = ''
      while (from !== null) {
        const { body } = await asBob('GET', `/api/habits/due?from=${from}&to=${to}&list=${list}`)
        if (list) expect(body).toMatchObject({ list, habits: null })
        else expect(body.habits.map(({ id }: { id: string }) => id)).toEqual(habits.map(({ id }) => id))
        list = body.list
        const named = body.days.flatMap((day: DueDay) => [...day.completed, ...day.missed])
        expect(named.length).toBeLessThanOrEqual(20_000)
        days.push(...body.days)
        from = body.next
      }
      const { body } = await asBob('GET', `/api/habits/completed?from=2026-02-03&to=${to}`)
      expect(
        days.map(({ day, completed, missed }) => ({
          day,
          completed: completed.length,
          due: completed.length + missed.length,
        })),
      ).toEqual(body.days)
      expect(body.count).toBe(600)
    })

    it('lists the names again to a client that continues after a habit was added or removed', async () => {
      await clear()
      const [first] = [await add('daily', '2026-11-18'), await add('weekly', '2026-11-02')]
      const due = async (list = '') =>
        (await ask('GET', `/api/habits/due?from=2026-11-19&to=2026-11-20&list=${list}`)).body
      const { list, habits } = await due()
      expect(habits).toHaveLength(2)
      expect((await due(list)).habits).toBe(null)
      await ask('PUT', first, { name: 'Renamed' })
      expect((await due(list)).habits).toBe(null)
      await ask('DELETE', first)
      expect((await due(list)).habits).toHaveLength(1)
    })

    it('contains at most 256 KB of names at once, however long they are', async () => {
      const eve = await daymark.signUp('Eve')
      const habits = Array.from({ length: 600 }, (_, place) => ({
        id: newRowId(place, new Uint8Array(10).fill(place % 250)),
        name: '💧'.repeat(250),
        description: '',
        frequency: 'daily',
        start_date: '2026-11-01',
        created_at: new Date(place).toISOString(),
      }))
      for (let next = 0; next < habits.length; next += 50) {
        const body = { habits: habits.slice(next, next + 50) }
        expect((await daymark.ask('POST', '/api/import', { cookie: eve.cookie, body })).status).toBe(200)
      }
      const path = '/api/habits/due?from=2026-11-01&to=2026-11-20'
      const headers = { host: 'localhost', cookie: eve.cookie }
      const { body } = await daymark.app.request(path, { headers })
      let bytes = 0
      for await (const piece of body ?? []) {
        expect(piece.byteLength).toBeLessThan(256 * 1024)
        bytes += piece.byteLength
      }
      expect(bytes).toBeGreaterThan(600_000)
    })

    it('answers a leap year, and refuses one day more', async () => {
      expect((await ask('GET', '/api/habits/due?from=2024-01-01&to=2024-12-31')).body.days).toHaveLength(366)
      expect(await ask('GET', '/api/habits/due?from=2024-01-01&to=2025-01-01')).toMatchObject({
        status: 400,
        body: { fields: { to: 'A range can span at most 366 days' } },
      })
    })
  })

  it('GET /api/habits/completed/count counts the habits completed in their current period, and all', async () => {
    await clear()
    const count = async () => (await ask('GET', '/api/habits/completed/count')).body
    expect(await count()).toEqual({ count: 0, total: 0 })
    await add('daily', '2026-11-01', '2026-11-20')
    await add('daily', '2026-11-01', '2026-11-19')
    await add('weekly', '2026-11-01', '2026-11-16')
    const old = await add('weekly', '2026-11-01', '2026-11-15')
    expect(await count()).toEqual({ count: 2, total: 4 })
    await ask('DELETE', old)
    expect(await count()).toEqual({ count: 2, total: 3 })
    // Of another rhythm it is today that counts; one that was archived is not counted at all.
    const body = { name: 'Gym', rhythm: { times: 3, per: 'week' }, start_date: '2026-11-01' }
    const gym = `/api/habits/${(await ask('POST', '/api/habits', body)).body.habit.id}`
    await ask('POST', `${gym}/complete`, { date: '2026-11-19', completed: true })
    expect(await count()).toEqual({ count: 2, total: 4 })
    await ask('POST', `${gym}/complete`, { date: '2026-11-20', completed: true })
    expect(await count()).toEqual({ count: 3, total: 4 })
    await ask('PUT', gym, { archived_at: '2026-11-20T12:00:00.000Z' })
    expect(await count()).toEqual({ count: 2, total: 3 })
  })

  describe('the numbers of a listed habit', () => {
    const listed = async (habit: string) => {
      const { body } = await ask('GET', '/api/habits')
      return body.habits.find(({ id }: { id: string }) => habit.endsWith(id))
    }

    it('a daily habit: an open today does not end the streak, a missed day does', async () => {
      const habit = await add(
        'daily',
        '2026-11-10',
        '2026-11-10',
        '2026-11-11',
        '2026-11-12',
        '2026-11-18',
        '2026-11-19',
      )
      expect(await listed(habit)).toMatchObject({
        completed: false,
        current_streak: 2,
        longest_streak: 3,
        completion_rate: 5 / 10,
        recent: ['2026-11-18', '2026-11-19'],
      })
    })

    it('a weekly habit counts weeks', async () => {
      const habit = await add('weekly', '2026-11-02', '2026-11-03', '2026-11-05', '2026-11-15')
      expect(await listed(habit)).toMatchObject({
        completed: false,
        current_streak: 2,
        longest_streak: 2,
        completion_rate: 1,
        recent: ['2026-11-15'],
      })
    })

    it('there is no rate until something was due', async () => {
      expect(await listed(await add('daily', '2026-11-20'))).toMatchObject({ completion_rate: null })
    })
  })
})
