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

  describe('phases', () => {
    const todo_id = '01900000-0000-7000-8000-0000000000ff'
    const plan = { focus: 50, break: 10, long_break: 20, every: 3, auto_start: true }
    const place = { cycle: a, number: 1, focused: 0 }
    const phase = { kind: 'focus', minutes: 50, ...place }
    const more = { phase, plan, subject: { todo_id } }
    const later = '01900000-0000-8001-8000-00000000000b'

    it.each([
      ['focus', { ...running, ...more }],
      [
        'focus of 50 minutes that has ended',
        { ...finished, run: { id: a, stretches: [stretch('10:00', '10:50')] }, ...more },
      ],
      [
        'a break after other runs',
        {
          ...running,
          run: { id: later, follows: a, before: [b], stretches: [stretch('10:00', '10:03')] },
          since: at('10:05'),
          phase: { kind: 'long_break', minutes: 20, ...place, number: 2, focused: 1 },
          next: 'flow',
        },
      ],
      ['counting up', { ...paused, phase: { kind: 'flow', minutes: null, ...place, answered: 1 } }],
      [
        'at rest between two phases',
        {
          ...atRest,
          before: [b],
          recorded: [stretch('09:00', '09:20')],
          cycle: { id: b, number: 3, focused: 2, ended: at('10:55') },
          next: 'flow',
          subject: { habit_id: todo_id },
        },
      ],
    ])('%s, it is returned and read as it was sent', async (_, timer) => {
      const sent = { timer, changed_at: at('11:00') }
      expect(await put(timer, at('11:00'))).toEqual(sent)
      expect(await read()).toEqual(sent)
    })

    it('a run without one is read as it was sent', async () => {
      await put(running, at('10:00'))
      expect(await read()).toEqual({ timer: running, changed_at: at('10:00') })
    })

    it('a press on a run without its phase keeps phase, plan and subject, and ends nothing', async () => {
      await put({ ...running, ...more }, at('10:00'))
      expect(await put(paused, at('10:10'))).toEqual({
        timer: { ...paused, ...more },
        changed_at: at('10:10'),
      })
      await put(finished, at('10:26'))
      expect(await read()).toMatchObject({ timer: { status: 'paused', ...more } })
    })

    it('what begins by itself wins over the end that it follows from, in either order', async () => {
      const over = { ...finished, run: { id: a, stretches: [stretch('10:00', '10:50')] }, ...more }
      const resting = {
        ...running,
        run: { id: later, follows: a, stretches: [] },
        since: at('10:50'),
        phase: { kind: 'break', minutes: 10, ...place, number: 2, focused: 1 },
      }
      await put({ ...running, ...more }, at('10:00'))
      await put(resting, at('10:00'))
      expect(await put(over, at('10:00'))).toMatchObject({ timer: resting })
      expect(await put({ ...paused, ...more }, at('10:10'))).toMatchObject({
        timer: { status: 'paused' },
      })
    })

    it.each([
      ['a phase that there is not', { phase: { ...phase, kind: 'nap' } }, 'timer.phase.kind'],
      ['focus without a length', { phase: { ...phase, minutes: null } }, 'timer.phase.minutes'],
      ['counting up to an end', { phase: { ...phase, kind: 'flow' } }, 'timer.phase.minutes'],
      ['a cycle that is none', { phase: { ...phase, cycle: '7' } }, 'timer.phase.cycle'],
      ['a plan without breaks', { plan: { ...plan, break: 0 } }, 'timer.plan.break'],
      ['two subjects', { subject: { todo_id, habit_id: todo_id } }, 'timer.subject'],
      ['more focus than the phase has', { phase: { ...phase, minutes: 9 } }, 'timer.run'],
    ])('refuses %s', async (_, wrong, field) => {
      expect(await ask('PUT', { timer: { ...paused, ...more, ...wrong } })).toMatchObject({
        status: 400,
        body: { fields: { [field]: expect.any(String) } },
      })
    })
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
