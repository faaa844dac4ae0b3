import { expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { openApplication, password } from '../testing/application.ts'

const minute = 60_000
const noon = Date.parse('2026-11-20T12:00:00.000Z')

describeEachEngine('rate limits', (openEmpty) => {
  async function limited(settings: { proxies?: number; rateLimit?: boolean } = {}) {
    const database = await openEmpty()
    let now = noon
    const clock = () => now
    const daymark = openApplication(database, { settings: { rateLimit: true, ...settings }, clock })
    const second = openApplication(database, { settings: { rateLimit: true, ...settings }, clock })
    // A name that is too short: counted, but fast, since no password is hashed.
    const signUp = (from: string, headers: Record<string, string> = {}, process = daymark) =>
      process.ask('POST', '/api/auth/sign-up/email', { from, headers, body: {} })
    const signIn = (from: string, headers: Record<string, string> = {}) =>
      daymark.ask('POST', '/api/auth/sign-in/email', { from, headers, body: {} })
    const pass = (milliseconds: number) => {
      now += milliseconds
    }
    return { daymark, second, signUp, signIn, pass }
  }

  it('the eleventh sign-in within a minute has to wait, and is told how long', async () => {
    const { signIn, pass } = await limited()
    for (let count = 1; count <= 10; count++) expect((await signIn('192.0.2.1')).status).toBe(400)
    pass(15_000)
    const refused = await signIn('192.0.2.1')
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_REQUESTS', message: 'Too many requests. Try again in 45 seconds.' },
    })
    expect(refused.headers.get('retry-after')).toBe('45')
    pass(45_000)
    expect((await signIn('192.0.2.1')).status).toBe(400)
  })

  it('the sixth sign-up within a minute has to wait, whichever process it reaches', async () => {
    const { second, signUp } = await limited()
    for (let count = 1; count <= 5; count++) await signUp('192.0.2.1')
    expect((await signUp('192.0.2.1')).status).toBe(429)
    expect((await signUp('192.0.2.1', {}, second)).status).toBe(429)
  })

  it('of twenty simultaneous sign-ins at most ten get through', async () => {
    const { signIn } = await limited()
    const asked = await Promise.all(Array.from({ length: 20 }, () => signIn('192.0.2.1')))
    expect(asked.filter(({ status }) => status !== 429)).toHaveLength(10)
  })

  it('session requests are counted in every form, and a valid session always gets through', async () => {
    const { daymark, pass } = await limited()
    const ada = await daymark.signUp('Ada')
    const eve = await daymark.signUp('Eve')
    const here = '192.0.2.1'
    const ways: [string, string, string | undefined][] = [
      ['GET', '/api/auth/get-session', undefined],
      ['GET', '/api/auth/get-session', eve.cookie],
      ['GET', '/api/todos', `${eve.cookie}; ${eve.cookie}`],
      ['POST', '/api/todos', `${eve.cookie}x`],
      ['POST', '/api/auth/sign-out', 'daymark.session_token=x'],
    ]
    const ask = async (turn: number, from = here) => {
      const [method, path, cookie] = ways[turn % ways.length] ?? ['GET', '/api/auth/get-session', undefined]
      const body = method === 'POST' ? { title: 'x', completed: 0 } : undefined
      return daymark.ask(method, path, { from, body, ...(cookie !== undefined && { cookie }) })
    }
    for (let turn = 0; turn < 300; turn += 1) expect((await ask(turn)).status).not.toBe(429)
    pass(3_000)
    for (let turn = 0; turn < ways.length; turn += 1) {
      const refused = await ask(turn)
      expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
      expect(refused.headers.get('retry-after')).toBe('7')
      expect((await ask(turn, '192.0.2.2')).status).not.toBe(429)
    }
    const { cookie } = ada
    expect((await daymark.ask('GET', '/api/todos', { from: here, cookie })).status).toBe(200)
    const body = { title: 'x', completed: 0 }
    expect((await daymark.ask('POST', '/api/todos', { from: here, cookie, body })).status).toBe(201)
    pass(7_000)
    expect((await ask(0)).status).toBe(200)
  })

  it('a family that signs in now and then is never limited', async () => {
    const { signIn, pass } = await limited()
    for (let count = 1; count <= 40; count++) {
      pass(Math.ceil(minute / 9))
      expect((await signIn('192.0.2.1')).status).toBe(400)
    }
  })

  it('retrying while limited does not extend the wait', async () => {
    const { signUp, pass } = await limited()
    for (let count = 1; count <= 8; count++) await signUp('192.0.2.1')
    pass(30_000)
    expect((await signUp('192.0.2.1')).headers.get('retry-after')).toBe('30')
    pass(30_000)
    expect((await signUp('192.0.2.1')).status).toBe(400)
  })

  it('sign-in and sign-up are counted separately, and so is every client', async () => {
    const { signUp, signIn } = await limited()
    for (let count = 1; count <= 6; count++) await signUp('192.0.2.1')
    expect((await signUp('192.0.2.1')).status).toBe(429)
    expect((await signIn('192.0.2.1')).status).toBe(400)
    expect((await signUp('192.0.2.2')).status).toBe(400)
  })

  it('an IPv6 client cannot bypass it within its own network', async () => {
    const { signUp } = await limited()
    for (let count = 1; count <= 6; count++) await signUp(`2001:db8:1:2:${count}::7`)
    expect((await signUp('2001:db8:1:2:ffff::1')).status).toBe(429)
    expect((await signUp('2001:db8:1:3::1')).status).toBe(400)
  })

  it('an IPv6 customer cannot bypass it with the networks of a /48, which counts as four clients', async () => {
    const { signUp } = await limited()
    for (const network of [1, 2, 3, 4]) {
      for (let count = 1; count <= 5; count++) {
        expect((await signUp(`2001:db8:1:${network}::${count}`)).status).toBe(400)
      }
    }
    expect((await signUp('2001:db8:1:5::1')).status).toBe(429)
    expect((await signUp('2001:db8:2:5::1')).status).toBe(400)
  })

  it('an IPv4 client is the same client on a dual-stack socket', async () => {
    const { signUp } = await limited()
    for (let count = 1; count <= 5; count++) await signUp('::ffff:192.0.2.1')
    expect((await signUp('192.0.2.1')).status).toBe(429)
  })

  it('without TRUST_PROXY a client cannot choose its address with a header', async () => {
    const { signUp } = await limited()
    for (let count = 1; count <= 6; count++) {
      await signUp('192.0.2.1', {
        'x-forwarded-for': `203.0.113.${count}`,
        'x-daymark-address': `203.0.113.${count}`,
      })
    }
    expect((await signUp('192.0.2.1', { 'x-forwarded-for': '203.0.113.99' })).status).toBe(429)
  })

  it('the log mentions an untrusted proxy once, without an address', async () => {
    const warnings = ({ lines }: { lines: string[] }) =>
      lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40)
    for (const header of ['x-forwarded-for', 'forwarded']) {
      const { daymark, signUp } = await limited()
      await signUp('192.0.2.1')
      expect(warnings(daymark)).toEqual([])
      for (let count = 1; count <= 3; count++) await signUp('10.0.0.1', { [header]: '203.0.113.7' })
      const [warning, ...more] = warnings(daymark)
      expect(warning.msg).toMatch(/TRUST_PROXY is off.*set TRUST_PROXY=on/)
      expect(JSON.stringify(warning)).not.toMatch(/203\.0|10\.0/)
      expect(more).toEqual([])
    }
    const { daymark, signUp } = await limited({ proxies: 1 })
    await signUp('10.0.0.1', { 'x-forwarded-for': '203.0.113.7' })
    expect(warnings(daymark)).toEqual([])
  })

  it('with TRUST_PROXY clients are told apart by what the proxy saw, not by what they claim', async () => {
    const { signUp } = await limited({ proxies: 1 })
    for (let count = 1; count <= 6; count++) {
      await signUp('10.0.0.1', { 'x-forwarded-for': `203.0.113.${count}, 198.51.100.7` })
    }
    expect((await signUp('10.0.0.1', { 'x-forwarded-for': '198.51.100.7' })).status).toBe(429)
    expect((await signUp('10.0.0.1', { 'x-forwarded-for': '198.51.100.7, 198.51.100.8' })).status).toBe(400)
    // Nothing from the proxy: this request bypassed it, and is counted by its own address.
    expect((await signUp('10.0.0.2')).status).toBe(400)
    expect((await signUp('10.0.0.2', { 'x-forwarded-for': 'nonsense' })).status).toBe(400)
  })

  it('RATE_LIMIT=off lifts every limit', async () => {
    const { signIn, signUp } = await limited({ rateLimit: false })
    for (let count = 1; count <= 30; count++) {
      expect((await signIn('192.0.2.1')).status).toBe(400)
      expect((await signUp('192.0.2.1')).status).toBe(400)
    }
  })

  it('a limited sign-in fails with the right password, too', async () => {
    const { daymark, signIn } = await limited()
    const ada = await daymark.signUp('Ada')
    for (let count = 1; count <= 10; count++) await signIn('192.0.2.1')
    const body = { email: ada.email, password }
    expect((await daymark.ask('POST', '/api/auth/sign-in/email', { body, from: '192.0.2.1' })).status).toBe(
      429,
    )
    expect((await daymark.ask('POST', '/api/auth/sign-in/email', { body, from: '192.0.2.9' })).status).toBe(
      200,
    )
  })
})
