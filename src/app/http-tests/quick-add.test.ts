import { beforeAll, expect, it } from 'vitest'
import { type Vector, vectorsOf } from '#features/todos/quick-add/reading/testing/vectors.ts'
import { ruleOf } from '#features/todos/repeat/rule/repeat-rule.ts'
import { repeatSentence } from '#features/todos/repeat/rule/repeat-sentence.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'
import { dump } from '../testing/dump.ts'

const { today, week_start, lists, vectors } = vectorsOf('english')
const noon = Date.parse(`${today}T12:00:00.000Z`)

describeEachEngine('what a text says about a to-do, over HTTP', (openEmpty) => {
  let daymark: Application
  let database: Awaited<ReturnType<typeof openEmpty>>
  let ada: Person
  let eve: Person
  beforeAll(async () => {
    database = await openEmpty()
    daymark = openApplication(database, { clock: () => noon })
    ada = await daymark.signUp('Ada')
    eve = await daymark.signUp('Eve')
    await daymark.ask('PATCH', '/api/preferences', {
      cookie: ada.cookie,
      body: { week_start, time_zone: 'UTC' },
    })
    for (const name of lists) {
      await daymark.ask('POST', '/api/lists', { cookie: ada.cookie, body: { name } })
    }
  })
  const parse = (body: unknown, { cookie } = ada) => daymark.ask('POST', '/api/todos/parse', { cookie, body })

  it.each(vectors)('$text', async (vector) => {
    const { status, body } = await parse({ text: vector.text })
    expect(status).toBe(200)
    const { time, repeat, list, parts, ...read } = body
    const rule = repeat && ruleOf(repeat)
    const found = {
      ...read,
      text: vector.text,
      time: time === null ? null : timeOfDay(time),
      repeat: rule ? repeatSentence(rule, today) : null,
      list: list?.name ?? null,
      is_new_list: list !== null && list.id === null,
    }
    expect(found).toEqual(vector satisfies Vector)
    expect(withoutParts(vector.text, parts)).toBe(vector.title.replaceAll(/\s+/g, ''))
  })

  it('a day that is sent along counts as today', async () => {
    const { body } = await parse({ text: 'Buy milk tomorrow', day: '2027-02-28' })
    expect(body).toEqual({
      title: 'Buy milk',
      due_day: '2027-03-01',
      time: null,
      repeat: null,
      list: null,
      tags: [],
      priority: 0,
      parts: [{ from: 9, to: 17, kind: 'due' }],
    })
  })

  it("today is the person's own, by their zone and the start of their day", async () => {
    const kim = await daymark.signUp('Kim')
    const settings = { time_zone: 'Pacific/Kiritimati' }
    await daymark.ask('PATCH', '/api/preferences', { cookie: kim.cookie, body: settings })
    expect((await parse({ text: 'Buy milk today' }, kim)).body.due_day).toBe('2026-11-23')
    await daymark.ask('PATCH', '/api/preferences', { cookie: kim.cookie, body: { day_start: 180 } })
    expect((await parse({ text: 'Buy milk today' }, kim)).body.due_day).toBe('2026-11-22')
  })

  it('what it answers can be added as it is', async () => {
    const { body } = await parse({ text: 'Rent every month on the 1st at 9am @home #flat !high' })
    const { title, due_day, time, repeat, list, tags, priority } = body
    const addition = { title, due_day, repeat, tags, priority, list_id: list.id, completed: 0 }
    const added = await daymark.ask('POST', '/api/todos', {
      cookie: ada.cookie,
      body: { ...addition, reminder: { days_before: 0, time } },
    })
    expect(added).toMatchObject({
      status: 201,
      body: {
        todo: {
          title: 'Rent',
          due_day: '2026-12-01',
          list_id: list.id,
          tags: ['flat'],
          priority: 3,
          repeat,
          reminder: { days_before: 0, time: 540 },
        },
      },
    })
    const { id } = added.body.todo
    await daymark.ask('DELETE', `/api/todos/${id}`, { cookie: ada.cookie })
  })

  it('an archived list, a deleted one and that of somebody else are none', async () => {
    const add = async (name: string) =>
      (await daymark.ask('POST', '/api/lists', { cookie: ada.cookie, body: { name } })).body.list.id
    const [archived, deleted] = [await add('Attic'), await add('Bin')]
    expect((await parse({ text: 'Sort @attic' })).body.list).toEqual({ id: archived, name: 'Attic' })
    const asAda = { cookie: ada.cookie }
    const body = { archived_at: new Date(noon).toISOString() }
    await daymark.ask('PUT', `/api/lists/${archived}`, { ...asAda, body })
    await daymark.ask('DELETE', `/api/lists/${deleted}`, asAda)
    expect((await parse({ text: 'Sort @Attic' })).body.list).toEqual({ id: null, name: 'Attic' })
    expect((await parse({ text: 'Sort @Bin' })).body.list).toEqual({ id: null, name: 'Bin' })
    expect((await parse({ text: 'Sort @Home' }, eve)).body.list).toEqual({ id: null, name: 'Home' })
  })

  it('nothing is written by it, and nobody is told of a change', async () => {
    const before = await dump(database)
    await parse({ text: 'Rent every month on the 1st @allotment #flat !high' })
    expect(await dump(database)).toEqual(before)
  })

  it('it is no change, so it cannot be sent together with changes', async () => {
    const call = { method: 'POST', path: '/api/todos/parse', body: { text: 'Buy milk' } }
    const asked = await daymark.ask('POST', '/api/changes', {
      cookie: ada.cookie,
      body: { rows: [[call]] },
    })
    expect(asked).toMatchObject({ status: 400, body: { code: 'NOT_A_CHANGE' } })
  })

  it.each([
    [{}, 'text'],
    [{ text: 7 }, 'text'],
    [{ text: ' \n' }, 'text'],
    [{ text: 'x'.repeat(1_001) }, 'text'],
    [{ text: 'x', day: '2026-02-30' }, 'day'],
    [{ text: 'x', day: 'fri' }, 'day'],
  ])('%j is refused, and says why', async (body, field) => {
    expect(await parse(body)).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.any(String) } },
    })
  })

  it('a text of the greatest length is read, with whatever is in it', async () => {
    const text = `${'\0\ud800 '.repeat(331)}fri`.padStart(1_000, 'x')
    expect(await parse({ text })).toMatchObject({ status: 200, body: { due_day: '2026-11-27' } })
  })
})

/** The characters that no part takes. */
function withoutParts(text: string, parts: { from: number; to: number }[]): string {
  const inside = (place: number) => parts.some(({ from, to }) => place >= from && place < to)
  return text
    .split('')
    .filter((_, place) => !inside(place))
    .join('')
    .replaceAll(/\s+/g, '')
}
