import { beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const today = '2026-11-20'
const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
const water = { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' }

describeEachEngine('answers about a habit whose sets name a great many entries', (openEmpty) => {
  let daymark: Application
  let ada: Person
  const ask = (method: string, path: string, body?: object) =>
    daymark.ask(method, path, { cookie: ada.cookie, body })
  const enter = (entry: object) => ask('POST', `/api/habits/${id(1)}/amounts`, { day: today, ...entry })

  beforeEach(async () => {
    daymark = openApplication(await openEmpty(), { clock: () => now })
    ada = await daymark.signUp('Ada')
    await ask('POST', '/api/habits', { id: id(1), name: 'Water', start_date: '2026-11-01', target: water })
  })

  it('name of the latest set of a day what it replaces of what they hold, and nothing of the others', async () => {
    await enter({ id: id(11), value: 1_000, at: '2026-11-20T08:00:00.000Z' })
    await enter({
      id: id(12),
      value: 2_000,
      set: true,
      settles: [id(11), id(99)],
      at: '2026-11-20T09:00:00.000Z',
    })
    await enter({ id: id(13), value: 500, at: '2026-11-20T09:30:00.000Z' })
    const third = { id: id(14), value: 4_000, set: true, settles: [id(11), id(98)] }
    const { amount, habit } = (await enter({ ...third, at: '2026-11-20T10:00:00.000Z' })).body
    const settlesOf = (entry: { id: string; settles?: string[] }) => [entry.id, entry.settles]
    expect(habit.entries.map(settlesOf)).toEqual([
      [id(11), []],
      [id(12), undefined],
      [id(13), []],
      [id(14), [id(11)]],
    ])
    expect(settlesOf(amount)).toEqual([id(14), [id(11)]])
    expect(habit.today.amount).toBe(4_500)
    // The set before counts again, by what it was sent to replace.
    const { body } = await ask('DELETE', `/api/habits/${id(1)}/amounts/${id(14)}`)
    expect(body.habit.today.amount).toBe(2_500)
    expect(body.habit.entries.map(settlesOf)).toContainEqual([id(12), [id(11)]])
    const exported = (await ask('GET', '/api/export')).body.habits[0].amounts
    expect(exported.find((entry: { id: string }) => entry.id === id(12)).settles).toEqual([id(11)])
  })

  it('stay short, also a hundred in one', async () => {
    const names = Array.from({ length: 1_000 }, (_, number) => id(1_000 + number))
    for (let number = 0; number < 100; number += 1) {
      const at = new Date(now - 3_600_000 + number * 1_000).toISOString()
      expect((await enter({ id: id(100 + number), value: 1, set: true, settles: names, at })).status).toBe(
        201,
      )
    }
    const rename = (number: number) => ({
      method: 'PUT',
      path: `/api/habits/${id(1)}`,
      body: { name: `Water ${number}` },
    })
    const rows = Array.from({ length: 100 }, (_, number) => [rename(number)])
    const { body } = await ask('POST', '/api/changes', { rows })
    expect(body.rows.flat().map(({ status }: { status: number }) => status)).toEqual(Array(100).fill(200))
    expect(JSON.stringify(body).length).toBeLessThan(3_000_000)
  })
})
