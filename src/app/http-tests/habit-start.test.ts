import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withOwnSessions } from '#features/habits/habit/own-sessions.ts'
import { habitCollection } from '#features/habits/habit/web/habit-queries.ts'
import { splitIntoPieces } from '#features/your-data/pieces.ts'
import { readExport } from '#features/your-data/read-export.ts'
import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { type Application, openApplication, type TestResponse } from '../testing/application.ts'

const today = '2026-11-20' as Day
const noon = Date.parse(`${today}T12:00:00.000Z`)
const tenDaysAgo = addDays(today, -10)
const longAgo = '2026-01-15' as Day

describeEachEngine('the start of a habit', (openEmpty) => {
  let daymark: Application
  let now = noon
  let people = 0
  let ask: (method: string, path: string, body?: object) => Promise<TestResponse>
  beforeAll(async () => {
    daymark = openApplication(await openEmpty(), { clock: () => now })
  })
  beforeEach(async () => {
    now = noon
    people += 1
    const { cookie } = await daymark.signUp(`Ada${people}`)
    ask = (method, path, body) => {
      now += 1_000
      return daymark.ask(method, path, { cookie, body })
    }
  })

  const limit = { at: 'most', amount: 3_000, unit: 'cups', per: 'day' }
  const glasses = { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' }

  /** Done on each of its days. */
  async function habit(more: object = {}, start_date = tenDaysAgo): Promise<string> {
    const { body } = await ask('POST', '/api/habits', { name: 'Read', start_date, ...more })
    const path = `/api/habits/${body.habit.id}`
    for (const day of daysFrom(start_date, today)) await complete(path, day)
    return path
  }
  const complete = (path: string, date: Day, completed = true) =>
    ask('POST', `${path}/complete`, { date, completed })
  async function shown() {
    const [{ start_date, current_streak, longest_streak, strength, completed }] = (
      await ask('GET', '/api/habits')
    ).body.habits
    return { start_date, current_streak, longest_streak, strength, completed }
  }

  it('is back, and streak and strength are as before, once a tick of long ago is taken back', async () => {
    const start_date = addDays(today, -40)
    const path = await habit({}, start_date)
    const before = await shown()
    expect(before).toMatchObject({ start_date, current_streak: 41, strength: 100 })
    await complete(path, longAgo)
    const moved = await shown()
    expect(moved.start_date).toBe(longAgo)
    expect(moved.strength).toBeLessThan(70)
    await complete(path, longAgo, false)
    expect(await shown()).toEqual(before)
  })

  it('moves back to the next earlier day that still stands', async () => {
    const path = await habit()
    const between = addDays(tenDaysAgo, -3)
    for (const day of [between, longAgo]) await complete(path, day)
    await complete(path, longAgo, false)
    expect((await shown()).start_date).toBe(between)
    await ask('DELETE', `${path}/completions?from=${longAgo}&to=${between}`)
    expect((await shown()).start_date).toBe(tenDaysAgo)
  })

  it('is back once an amount of long ago is deleted, and moves again when that is restored', async () => {
    const path = await habit({ target: glasses })
    const id = newRowId(noon, new Uint8Array(10))
    await ask('POST', `${path}/amounts`, { id, day: longAgo, value: 1_000 })
    expect((await shown()).start_date).toBe(longAgo)
    await ask('DELETE', `${path}/amounts/${id}`)
    expect((await shown()).start_date).toBe(tenDaysAgo)
    await ask('POST', `${path}/amounts/${id}/restore`)
    expect((await shown()).start_date).toBe(longAgo)
    await ask('POST', `${path}/amounts`, { day: longAgo, value: 0, set: true })
    expect((await shown()).start_date).toBe(tenDaysAgo)
  })

  it('is back once the entry that a tick made is deleted', async () => {
    const [early, start] = [addDays(today, -3), addDays(today, -2)]
    const path = await habit({ target: glasses }, start)
    const { habit: moved } = (await complete(path, early)).body
    expect(moved.start_date).toBe(early)
    for (const { id, day } of moved.entries) if (day === early) await ask('DELETE', `${path}/amounts/${id}`)
    expect((await shown()).start_date).toBe(start)
  })

  it.each(['before', 'after'])('is moved by nothing at all under a limit that is set %s', async (when) => {
    const path = await habit({ target: glasses })
    const limit = () => ask('PUT', path, { target: { ...glasses, at: 'most' }, from_day: longAgo })
    if (when === 'before') await limit()
    await ask('POST', `${path}/amounts`, { day: longAgo, value: 0, set: true })
    if (when === 'after') await limit()
    expect((await shown()).start_date).toBe(longAgo)
  })

  it('is moved neither by a skip nor by a note', async () => {
    const path = await habit()
    await ask('PUT', `${path}/days/${longAgo}`, { state: 'skipped', note: 'Ill' })
    expect((await shown()).start_date).toBe(tenDaysAgo)
  })

  it('is back once a session of long ago is about something else', async () => {
    const path = await habit({ target: { ...glasses, unit: 'minutes' } })
    const id = newRowId(noon, new Uint8Array(10))
    const ended_at = `${longAgo}T08:10:00.000Z`
    await ask('POST', '/api/focus', { id, duration: 600, ended_at, habit_id: path.split('/').at(-1) })
    expect((await shown()).start_date).toBe(longAgo)
    await ask('PUT', `/api/focus/${id}`, { habit_id: null, todo_id: null })
    expect((await shown()).start_date).toBe(tenDaysAgo)
  })

  it('is back once the day of a session is unticked, on the server and on a device', async () => {
    const path = await habit({ target: { ...glasses, unit: 'minutes' } })
    const early = addDays(tenDaysAgo, -2)
    const session = {
      id: newRowId(noon, new Uint8Array(10)),
      duration: 600,
      habit_id: path.split('/').at(-1) ?? '',
      ended_at: `${early}T08:10:00.000Z`,
    }
    const own = [{ ...session, days: [{ day: early, seconds: 600 }] }]
    const onDevice = async () => {
      const [facts] = habitCollection.rows((await ask('GET', '/api/habits')).body)
      return facts && withOwnSessions(facts, own, today).start_date
    }
    await ask('POST', '/api/focus', session)
    expect([(await shown()).start_date, await onDevice()]).toEqual([early, early])
    await complete(path, early, false)
    expect([(await shown()).start_date, await onDevice()]).toEqual([tenDaysAgo, tenDaysAgo])
  })

  describe('of a habit that an import made', () => {
    const id = '01900000-0000-7000-8000-000000000001'
    const row = {
      id,
      name: 'Read',
      description: '',
      start_date: tenDaysAgo,
      created_at: '2026-11-01T00:00:00.000Z',
    }
    const early = addDays(tenDaysAgo, -3)
    const bring = (importId: number, piece: object) => {
      const of = { id: `01900000-0000-7000-8000-00000000000${importId}`, source: 'daymark' }
      return ask('POST', '/api/import', { ...piece, import: of })
    }
    const path = `/api/habits/${id}`
    beforeEach(async () => {
      await bring(1, { habits: [row] })
      await bring(1, { completions: [{ habit_id: id, days: [early, today] }] })
    })
    const touch = () => ask('PUT', `${path}/days/${longAgo}`, { state: 'skipped' })

    it('is what its file says, also after another import has brought it back', async () => {
      expect((await shown()).start_date).toBe(tenDaysAgo)
      await ask('DELETE', path)
      await bring(2, { habits: [row] })
      await touch()
      expect((await shown()).start_date).toBe(tenDaysAgo)
    })

    it('is moved by what a person entered, also where that import brings a note', async () => {
      const own = addDays(early, -1)
      await complete(path, own)
      await bring(1, { notes: [{ habit_id: id, days: [{ day: own, note: 'At home' }] }] })
      await touch()
      expect((await shown()).start_date).toBe(own)
    })

    it('is not moved by a day of its file of which another import has a note, also once that is undone', async () => {
      await bring(2, { notes: [{ habit_id: id, days: [{ day: early, note: 'At home' }] }] })
      await touch()
      expect((await shown()).start_date).toBe(tenDaysAgo)
      const undone = await ask('POST', '/api/imports/01900000-0000-7000-8000-000000000002/undo', {})
      expect(undone.status).toBe(200)
      expect((await shown()).start_date).toBe(tenDaysAgo)
      await ask('PUT', `${path}/days/${longAgo}`, { state: 'none' })
      expect((await shown()).start_date).toBe(tenDaysAgo)
    })
  })

  describe('that is chosen later', () => {
    const later = addDays(today, -4)

    it('leaves what was done before, which counts no more', async () => {
      const path = await habit()
      const { status, body } = await ask('PUT', path, { start_date: later })
      expect([status, body.habit.start_date, body.habit.current_streak]).toEqual([200, later, 5])
      expect(body.habit.longest_streak).toBe(5)
      const { days } = (await ask('GET', `${path}/completions?from=${longAgo}&to=${today}`)).body
      expect(days).toEqual(daysFrom(tenDaysAgo, today))
      const counted = (await ask('GET', `/api/habits/completed?from=${tenDaysAgo}&to=${today}`)).body.days
      const numbers = counted.map((of: { due: number; completed: number }) => [of.due, of.completed])
      expect(numbers).toEqual([...Array(6).fill([0, 0]), ...Array(5).fill([1, 1])])
    })

    it('counts all days again when it is chosen earlier', async () => {
      const path = await habit()
      const before = await shown()
      await ask('PUT', path, { start_date: later })
      await ask('PUT', path, { start_date: tenDaysAgo })
      expect(await shown()).toEqual(before)
    })

    it('moves back with what is entered from then on, and not with what was made before and comes late', async () => {
      const path = await habit()
      const before = addDays(today, -12)
      const at = new Date(now).toISOString()
      await ask('PUT', path, { start_date: later })
      await ask('POST', `${path}/complete`, { date: before, completed: true, at })
      expect((await shown()).start_date).toBe(later)
      await complete(path, addDays(later, -1))
      expect((await shown()).start_date).toBe(addDays(later, -1))
    })

    it('is the one that was chosen last, whichever arrives first', async () => {
      const path = await habit()
      const [early, late] = [now, now + 1_000].map((at) => new Date(at).toISOString())
      await ask('PUT', path, { start_date: later, at: late })
      const { body } = await ask('PUT', path, { start_date: longAgo, at: early })
      expect(body.habit.chosen_start).toEqual({ day: later, at: late })
    })

    it('cannot be in the future, nor anything but a day', async () => {
      const path = await habit()
      const before = await shown()
      for (const start_date of [addDays(today, 3), '2026-02-30', null, 'today']) {
        expect(await ask('PUT', path, { start_date })).toMatchObject({
          status: 400,
          body: { code: 'INVALID_INPUT', fields: { start_date: expect.any(String) } },
        })
      }
      expect(await shown()).toEqual(before)
    })

    it.each(['2026-01-15', '2025-12-20'])(
      'knows nothing of a limit before its first entry since then, whatever was entered on %s',
      async (before) => {
        const { body } = await ask('POST', '/api/habits', { name: 'Cups', start_date: before, target: limit })
        const path = `/api/habits/${body.habit.id}`
        await ask('POST', `${path}/amounts`, { day: before, value: 1_000 })
        await ask('PUT', path, { start_date: '2026-03-01' })
        expect(await shown()).toMatchObject({ current_streak: 0, longest_streak: 0, strength: null })
        const counted = await ask('GET', `/api/habits/completed?from=2026-03-01&to=${addDays(today, -1)}`)
        expect(counted.body.days.filter((day: { due: number }) => day.due > 0)).toEqual([])
      },
    )

    it('knows nothing of a limit in minutes before it, whatever was focused', async () => {
      const target = { ...limit, amount: 30_000, unit: 'minutes' }
      const { body } = await ask('POST', '/api/habits', { name: 'Games', start_date: longAgo, target })
      const path = `/api/habits/${body.habit.id}`
      const ended_at = `${longAgo}T08:10:00.000Z`
      await ask('POST', '/api/focus', { duration: 600, ended_at, habit_id: body.habit.id })
      await ask('PUT', path, { start_date: later })
      expect(await shown()).toMatchObject({ start_date: later, current_streak: 0, strength: null })
      const counted = async () =>
        (await ask('GET', `/api/habits/completed?from=${later}&to=${today}`)).body.days
      expect((await counted()).filter((day: { due: number }) => day.due > 0)).toEqual([])
      const ended = `${addDays(later, 1)}T08:10:00.000Z`
      await ask('POST', '/api/focus', { duration: 600, ended_at: ended, habit_id: body.habit.id })
      expect((await counted()).filter((day: { due: number }) => day.due > 0)).toHaveLength(3)
    })

    it('moves with a habit in minutes to another account, on a device too, where what was focused before stays', async () => {
      const target = { ...glasses, unit: 'minutes' }
      const { body } = await ask('POST', '/api/habits', { name: 'Read', start_date: tenDaysAgo, target })
      for (const day of daysFrom(tenDaysAgo, addDays(today, -1))) {
        const ended_at = `${day}T08:10:00.000Z`
        await ask('POST', '/api/focus', { duration: 600, ended_at, habit_id: body.habit.id })
      }
      await ask('PUT', `/api/habits/${body.habit.id}`, { start_date: later })
      const onDevice = async () => {
        const own = (await ask('GET', `/api/focus?from=${longAgo}&to=${today}`)).body.sessions
        const [facts] = habitCollection.rows((await ask('GET', '/api/habits')).body)
        return [(await shown()).start_date, facts && withOwnSessions(facts, own, today).start_date]
      }
      expect(await onDevice()).toEqual([later, later])
      const reading = readExport(JSON.stringify((await ask('GET', '/api/export')).body))
      if (!('exported' in reading)) throw new Error(reading.problem)
      const { cookie } = await daymark.signUp(`Elsewhere${people}`)
      ask = (method, path, body) => {
        now += 1_000
        return daymark.ask(method, path, { cookie, body })
      }
      const source = { id: newRowId(now, new Uint8Array(10)), source: 'daymark' }
      for (const piece of splitIntoPieces(reading.exported, true, 1))
        expect((await ask('POST', '/api/import', { ...piece, import: source })).status).toBe(200)
      expect(await onDevice()).toEqual([later, later])
    })

    it('moves with the habit to another account, where the days before it stay and do not count', async () => {
      const path = await habit()
      await ask('PUT', path, { start_date: later })
      const before = await shown()
      const { habits } = (await ask('GET', '/api/export')).body
      const [{ completions, skips, notes, amounts, ...row }] = habits
      const { cookie } = await daymark.signUp(`Elsewhere${people}`)
      const source = { id: newRowId(now, new Uint8Array(10)), source: 'daymark' }
      ask = (method, path, body) => {
        now += 1_000
        return daymark.ask(method, path, { cookie, body })
      }
      for (const piece of [
        { habits: [row] },
        { completions: [{ habit_id: row.id, days: completions.slice(5) }] },
        { completions: [{ habit_id: row.id, days: completions.slice(0, 5) }] },
      ]) {
        expect((await ask('POST', '/api/import', { ...piece, import: source })).status).toBe(200)
      }
      expect(await shown()).toEqual(before)
      // What a person enters there does move it.
      await complete(path, addDays(later, -1))
      expect((await shown()).start_date).toBe(addDays(later, -1))
    })
  })
})
