import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const a = '01900000-0000-7000-8000-00000000000a'
const b = '01900000-0000-7000-8000-00000000000b'
const at = (time: string) => `2026-11-20T${time}:00.000Z`
const stretch = (from: string, to: string) => ({ from: at(from), to: at(to) })

const running = { status: 'running', run: { id: a, stretches: [] }, since: at('10:00') }
const paused = { status: 'paused', run: { id: a, stretches: [stretch('10:00', '10:10')] } }
const finished = { status: 'finished', run: { id: a, stretches: [stretch('10:00', '10:25')] } }
const atRest = { status: 'idle', follows: a }

describeEachEngine('the focus timer API', (openEmpty) => {
  let daymark: Application
  let ada: Person
  beforeAll(async () => {
    daymark = openApplication(await openEmpty(), { clock: () => noon })
  })
  // Each test has a person who never started it.
  let people = 0
  beforeEach(async () => {
    people += 1
    ada = await daymark.signUp(`Ada${people}`)
  })

  const ask = (method: string, body?: unknown, { cookie } = ada) =>
    daymark.ask(method, '/api/focus/timer', { body, cookie })
  const read = async () => (await ask('GET')).body
  const put = async (timer: object, at?: string) => {
    const asked = await ask('PUT', { timer, at })
    expect(asked.status).toBe(200)
    return asked.body
  }

  it('is idle for somebody who never started it', async () => {
    expect(await read()).toEqual({ timer: { status: 'idle' }, changed_at: null })
  })

  it.each([
    ['running', running],
    ['paused', paused],
    ['finished', finished],
    ['at rest', atRest],
    [
      'running on, after another run and a pause',
      { ...running, run: { ...paused.run, follows: b }, since: at('11:00') },
    ],
  ])('%s, it is returned and read as it was sent', async (_, timer) => {
    const sent = { timer, changed_at: at('11:00') }
    expect(await put(timer, at('11:00'))).toEqual(sent)
    expect(await read()).toEqual(sent)
  })

  it('the later press wins, whichever arrives first, and a press that comes too late gets the winner', async () => {
    await put(running, at('10:00'))
    await put(atRest, at('10:12'))
    const stands = { timer: atRest, changed_at: at('10:12') }
    expect(await put(paused, at('10:10'))).toEqual(stands)
    expect(await read()).toEqual(stands)
    expect(await put(running, at('10:13'))).toMatchObject({ timer: running })
  })

  it('sending it twice changes nothing', async () => {
    const first = await put(running, at('10:00'))
    expect(await put(running, at('10:00'))).toEqual(first)
  })

  it('the end of a run wins over the start that it follows from, and loses to any press', async () => {
    await put(running, at('10:00'))
    await put(finished, at('10:00'))
    expect(await put(running, at('10:00'))).toMatchObject({ timer: finished })
    expect(await put(paused, at('10:10'))).toMatchObject({ timer: paused })
    expect(await put(finished, at('10:00'))).toMatchObject({ timer: paused })
  })

  it('a press from a fast clock, or without an instant, counts as now', async () => {
    expect(await put(running, '2027-01-01T00:00:00.000Z')).toMatchObject({ changed_at: at('12:00') })
    expect(await put(paused)).toEqual({ timer: paused, changed_at: at('12:00') })
  })

  it('of several first presses at the same moment, the latest wins', async () => {
    const times = ['10:03', '10:05', '10:01', '10:04', '10:02']
    await Promise.all(times.map((time) => put(running, at(time))))
    expect(await read()).toMatchObject({ changed_at: at('10:05') })
  })

  it('is separate for each person, and is read again after a change', async () => {
    const eve = await daymark.signUp(`Eve${people}`)
    await put(running, at('10:00'))
    const before = await ask('GET')
    const tag = before.headers.get('etag') ?? ''
    const again = () =>
      daymark.ask('GET', '/api/focus/timer', { cookie: ada.cookie, headers: { 'if-none-match': tag } })
    expect((await again()).status).toBe(304)
    expect((await ask('GET', undefined, eve)).body).toMatchObject({ changed_at: null })
    await put(paused, at('10:10'))
    expect(await again()).toMatchObject({ status: 200, body: { timer: paused } })
  })

  it('does not share an address with a session: none has its name', async () => {
    await put(running, at('10:00'))
    const asked = await daymark.ask('DELETE', '/api/focus/timer', { cookie: ada.cookie })
    expect(asked.status).toBe(404)
    expect(await read()).toMatchObject({ timer: running })
  })

  const run = (...stretches: object[]) => ({ id: a, stretches })
  it.each([
    ['no timer', {}, 'timer'],
    ['a status that there is not', { timer: { status: 'ticking' } }, 'timer.status'],
    ['running without a run', { timer: { status: 'running', since: at('10:00') } }, 'timer.run'],
    ['running since never', { timer: { status: 'running', run: run() } }, 'timer.since'],
    [
      'a run whose id is no UUIDv7',
      { timer: { status: 'paused', run: { id: '7', stretches: [] } } },
      'timer.run.id',
    ],
    ['an instant that is none', { timer: { ...running, since: 'now' } }, 'timer.since'],
    ['an instant of a zone', { timer: { ...running, since: '2026-11-20T10:00' } }, 'timer.since'],
    ['an instant before 1900', { timer: { ...running, since: '1899-12-31T12:00:00Z' } }, 'timer.run'],
    [
      'a stretch that ends before it starts',
      { timer: { status: 'paused', run: run(stretch('10:10', '10:00')) } },
      'timer.run',
    ],
    [
      'stretches that overlap',
      { timer: { status: 'paused', run: run(stretch('10:00', '10:10'), stretch('10:05', '10:15')) } },
      'timer.run',
    ],
    [
      'running since before a pause',
      { timer: { ...running, run: run(stretch('10:00', '10:10')) } },
      'timer.run',
    ],
    [
      'more than 25 minutes',
      { timer: { status: 'finished', run: run(stretch('10:00', '10:26')) } },
      'timer.run',
    ],
    [
      'more than 500 stretches',
      { timer: { status: 'paused', run: run(...Array(501).fill(stretch('10:00', '10:00'))) } },
      'timer.run.stretches',
    ],
    ['a press at no instant', { timer: running, at: 'now' }, 'at'],
  ])('refuses %s, says so at its field, and leaves the timer as it is', async (_, body, field) => {
    await put(atRest, at('09:00'))
    expect(await ask('PUT', body)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', fields: { [field]: expect.any(String) } },
    })
    expect(await read()).toEqual({ timer: atRest, changed_at: at('09:00') })
  })

  describe('500 stretches', () => {
    it('are accepted', async () => {
      const many = Array.from({ length: 500 }, (_, place) => {
        const from = Date.parse(at('10:00')) + 2_000 * place
        return { from: new Date(from).toISOString(), to: new Date(from + 1_000).toISOString() }
      })
      expect(await put({ status: 'paused', run: run(...many) }, at('11:00'))).toMatchObject({
        timer: { run: { stretches: many } },
      })
    })
  })
})
