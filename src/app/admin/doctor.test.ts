import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import { expect, it, onTestFinished } from 'vitest'
import { migrations } from '#platform/database/migrations/migrations.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { describePostgresUrl } from '#platform/database/testing/engines.ts'
import { listen } from '#platform/http/request/listen.ts'
import { doctorKey } from '../operating/doctor-endpoint.ts'
import { openApplication } from '../testing/application.ts'
import { findFaults } from './doctor.ts'
import { type Outside, outside } from './outside.ts'

// The secret of the test application.
const secret = 'a secret of the tests that is long enough'

/** A healthy Daymark in a healthy environment; each test plants one fault. */
async function healthy() {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'data', 'daymark.db')
  const url = `sqlite:${file}`
  const database = await openDatabase(url)
  await database.close()
  const secretFile = join(folder, 'data', 'auth-secret')
  writeFileSync(secretFile, `${secret}\n`, { mode: 0o600 })
  const server = await serveDaymark(url)
  const environment: Record<string, string> = { DATABASE_URL: url, BASE_URL: server.address }
  const world: Outside = {
    ...outside,
    reach: async () => ({ at: Date.now(), serverTime: Date.now() }),
    freeBytes: () => 10e9,
  }
  return { folder, file, secretFile, environment, world, server }
}

/** Serves the app on a socket. */
async function serveDaymark(url: string, proxies = 0) {
  const database = await openDatabase(url)
  const { app } = openApplication(database, { settings: { proxies } })
  const listening = await listen(app, '127.0.0.1', 0, pino({ level: 'silent' }))
  onTestFinished(async () => {
    await listening.close(0)
    await database.close()
  })
  return { address: `http://127.0.0.1:${listening.port}`, app }
}

function addressOf(server: { address(): unknown }): string {
  const address = server.address()
  if (typeof address !== 'object' || address === null || !('port' in address)) throw new Error('No port')
  return `http://127.0.0.1:${address.port}`
}

async function faults(environment: Record<string, string>, world: Outside): Promise<Record<string, string>> {
  const findings = await findFaults(environment, world)
  return Object.fromEntries(findings.flatMap(({ of, fault }) => (fault === undefined ? [] : [[of, fault]])))
}

/** A proxy in front that passes each request on with its own headers. */
async function proxyTo(address: string, headers: Record<string, string>): Promise<string> {
  const proxy = createServer(async (request, response) => {
    const authorization = request.headers.authorization ?? ''
    const passed = await fetch(address + request.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization, ...headers },
      body: '{}',
    })
    response.writeHead(passed.status, { 'content-type': 'application/json' }).end(await passed.text())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  return addressOf(proxy)
}

it('finds nothing wrong where nothing is wrong', async () => {
  const { environment, world } = await healthy()
  const findings = await findFaults(environment, world)
  expect(findings.filter(({ fault }) => fault !== undefined)).toEqual([])
  expect(findings.map(({ of }) => of)).toEqual([
    'Settings',
    'Database',
    'Files',
    'Disk',
    'Secret',
    'Push',
    'Server',
    'Clock',
    'Changes',
  ])
})

it('names a database that cannot be opened', async () => {
  const { environment, world, folder } = await healthy()
  const other = join(folder, 'data', 'misspelt.db')
  const found = await faults({ ...environment, DATABASE_URL: `sqlite:${other}` }, world)
  expect(found).toEqual({ Database: `There is no database ${other}.` })
  writeFileSync(other, 'not a database at all, but text that somebody put here instead of it'.repeat(50))
  expect((await faults({ ...environment, DATABASE_URL: `sqlite:${other}` }, world)).Database).toBe(
    'cannot be opened: file is not a database.',
  )
})

it('names a database that is older than the program', async () => {
  const { environment, world, folder } = await healthy()
  const other = `sqlite:${join(folder, 'data', 'older.db')}`
  await (await openDatabase(other, migrations.slice(0, -2))).close()
  expect(await faults({ ...environment, DATABASE_URL: other }, world)).toEqual({
    Database: '2 updates behind; start Daymark once, which updates it.',
  })
})

it('names a database that is damaged', async () => {
  const { environment, world, folder } = await healthy()
  const other = join(folder, 'data', 'damaged.db')
  await (await openDatabase(`sqlite:${other}`)).close()
  truncateSync(other, statSync(other).size - 3 * 4096)
  const found = await faults({ ...environment, DATABASE_URL: `sqlite:${other}` }, world)
  expect(Object.keys(found)).toEqual(['Database'])
  expect(found.Database).toMatch(/^(damaged: .+\. Restore a backup\.|.*malformed.*)$/)
})

it('names a disk without room for an update', async () => {
  const { environment, world } = await healthy()
  const full = { ...world, freeBytes: () => 120e6, bytesOf: () => 170e6 }
  expect(await faults(environment, full)).toEqual({
    Disk: '120 MB free, and an update or a deletion needs 340 MB.',
  })
})

it('names files that belong to somebody else', async () => {
  const { environment, world, file } = await healthy()
  const found = await faults(environment, { ...world, user: 10001 })
  expect(found).toEqual({
    Files: `${file} belongs to user ${statSync(file).uid}, and this runs as user 10001: run it as that user.`,
  })
})

it('names a secret that others can read or guess, and never prints it', async () => {
  const { environment, world, secretFile } = await healthy()
  chmodSync(secretFile, 0o644)
  expect(await faults(environment, world)).toMatchObject({
    Secret: `${secretFile} can be read by others (mode 644): chmod 600 it.`,
  })
  const guessed = 'ababababababababababababababababab'
  const found = await faults({ ...environment, AUTH_SECRET: guessed }, world)
  expect(found).toEqual({
    Settings: 'AUTH_SECRET is too easy to guess: it has only 2 different characters.',
  })
})

it('names a mail server that rejects the sign-in, and one that is not there', async () => {
  const { environment, world } = await healthy()
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: (_given, _session, respond) => respond(Object.assign(new Error('No'), { responseCode: 535 })),
  })
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const url = addressOf(smtp.server).replace('http://', 'smtp://daymark:a-password@')
  expect(await faults({ ...environment, SMTP_URL: url }, world)).toEqual({
    Mail: '127.0.0.1 refused the sign-in (535).',
  })
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
  expect(await faults({ ...environment, SMTP_URL: url }, world)).toEqual({
    Mail: expect.stringContaining('127.0.0.1 cannot be used: E'),
  })
})

it('names push services that cannot be reached', async () => {
  const { environment, world } = await healthy()
  const lost = { ...world, reach: async () => ({ reason: 'ENOTFOUND' }) }
  expect((await faults(environment, lost)).Push).toMatch(
    /^cannot be reached: fcm\.googleapis\.com \(ENOTFOUND\), /,
  )
})

it('finds nothing wrong without internet access if no reminders are pushed', async () => {
  const { environment, world } = await healthy()
  const reached: string[] = []
  const reach = async (host: string) => {
    reached.push(host)
    return { reason: 'ENOTFOUND' }
  }
  const findings = await findFaults({ ...environment, PUSH: 'off' }, { ...world, reach })
  expect(findings.filter(({ fault }) => fault !== undefined)).toEqual([])
  // There is no clock to compare with.
  expect(findings.map(({ of }) => of)).toEqual([
    'Settings',
    'Database',
    'Files',
    'Disk',
    'Secret',
    'Server',
    'Changes',
  ])
  expect(reached).toEqual([])
})

it.each([
  [
    'is not believed',
    0,
    { 'x-forwarded-for': '192.0.2.7' },
    /^requests arrive with X-Forwarded-For, but TRUST_PROXY is off/,
  ],
  ['is believed where there are fewer', 2, { 'x-forwarded-for': '192.0.2.7' }, /^TRUST_PROXY is 2, but/],
  [
    'is one of more than are believed',
    1,
    { 'x-forwarded-for': '192.0.2.7, 192.0.2.8' },
    /^X-Forwarded-For names 2 addresses, but TRUST_PROXY is 1/,
  ],
  [
    'says another protocol than BASE_URL does',
    1,
    { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' },
    /^BASE_URL is http, but the proxy says https\.$/,
  ],
  [
    'hands another host on',
    1,
    { 'x-forwarded-for': '192.0.2.7' },
    /^the proxy passes 127\.0\.0\.1:\d+ on as the host, not 127\.0\.0\.1:\d+/,
  ],
])('names a proxy that %s', async (_, proxies, headers, fault) => {
  const { environment, world } = await healthy()
  const { address } = await serveDaymark(environment.DATABASE_URL ?? '', proxies)
  const found = await faults({ ...environment, BASE_URL: await proxyTo(address, headers) }, world)
  expect(found).toEqual({ Server: expect.stringMatching(fault) })
})

it('names an address at which nothing, or something else, answers', async () => {
  const { environment, world } = await healthy()
  expect(await faults({ ...environment, BASE_URL: 'http://127.0.0.1:1' }, world)).toEqual({
    Server: expect.stringContaining('nothing answers at http://127.0.0.1:1'),
  })
  const another = { ...environment, AUTH_SECRET: createHash('sha256').update('another').digest('hex') }
  expect(await faults(another, world)).toEqual({
    Server: expect.stringMatching(/\(with 404\) is not this Daymark/),
  })
})

it('names a clock that is wrong', async () => {
  const { environment, world } = await healthy()
  const behind = async () => ({ at: Date.now(), serverTime: Date.now() + 340_000 })
  const found = await faults(environment, { ...world, reach: behind })
  expect(found).toEqual({ Clock: expect.stringMatching(/^340 s behind fcm\.googleapis\.com\.$/) })
})

it('names how many rows are dated in the future, and the command that sets them right', async () => {
  const { environment, world } = await healthy()
  const database = await openDatabase(environment.DATABASE_URL ?? '')
  onTestFinished(() => database.close())
  const daymark = openApplication(database, { clock: () => Date.now() + 86_400_000 })
  const { cookie } = await daymark.signUp('Ada')
  for (const title of ['Bread', 'Milk']) {
    await daymark.ask('POST', '/api/todos', { cookie, body: { title, completed: 0 } })
  }
  expect(await faults(environment, world)).toEqual({
    Changes:
      '2 rows of 1 account dated in the future by a clock that was ahead; once it is right, run changes set-to-now.',
  })
})

it('shows how the server sees a request only to those who have the secret', async () => {
  const { server } = await healthy()
  const ask = (authorization: string) => server.app.request('/api/doctor', post(authorization))
  for (const key of ['', 'Daymark', `Daymark ${Date.now()}.guessed`]) {
    expect((await ask(key)).status, key).toBe(404)
  }
  expect((await ask(doctorKey(secret, Date.now() - 120_000))).status).toBe(404)
  expect((await ask(doctorKey(secret, Date.now()))).status).toBe(200)
})

function post(authorization: string) {
  const headers = { host: 'localhost', 'content-type': 'application/json', authorization }
  return { method: 'POST', headers, body: '{}' }
}

describePostgresUrl('the doctor', (emptyUrl) => {
  it('finds a PostgreSQL that is behind or unreachable, and a clock that differs from its own', async () => {
    const { environment, world } = await healthy()
    const url = await emptyUrl()
    const there = { ...environment, DATABASE_URL: url, AUTH_SECRET: secret }
    await (await openDatabase(url, migrations.slice(0, -1))).close()
    expect(await faults(there, world)).toEqual({
      Database: '1 update behind; start Daymark once, which updates it.',
    })
    const database = await openDatabase(url)
    expect(await faults(there, world)).toEqual({})
    const tomorrow = openApplication(database, { clock: () => Date.now() + 86_400_000 })
    const { cookie } = await tomorrow.signUp('Ada')
    await tomorrow.ask('POST', '/api/todos', { cookie, body: { title: 'Bread', completed: 0 } })
    expect((await faults(there, world)).Changes).toMatch(/^1 row of 1 account dated in the future/)
    await database.close()
    const ahead = { ...world, now: () => Date.now() + 340_000 }
    expect((await faults(there, ahead)).Clock).toMatch(/^3\d\d s ahead of the database\.$/)
    expect((await faults({ ...there, PUSH: 'off' }, ahead)).Clock).toMatch(
      /^3\d\d s ahead of the database\.$/,
    )
    const away = 'postgres://daymark:a-password@127.0.0.1:1/daymark'
    const found = await faults({ ...there, DATABASE_URL: away }, world)
    expect(found.Database).toMatch(/^cannot be opened: .*ECONNREFUSED/)
    expect(JSON.stringify(found)).not.toContain('a-password')
  })
})

it('names a misspelt setting, and backups that have stopped', async () => {
  const { environment, world, folder } = await healthy()
  const to = join(folder, 'backups')
  const withBackups = { ...environment, SIGNUP: 'closed', BACKUP_EVERY: '1d', BACKUP_TO: to }
  const found = await faults(withBackups, world)
  expect(found).toMatchObject({ Settings: expect.stringContaining('SIGN_UP') })
  expect(found).toMatchObject({ Backups: `there is none in ${to}; the log of the server says why.` })
  const old = new Date(world.now() - 50 * 3_600_000).toISOString()
  mkdirSync(join(to, `daymark-${old.replace(/[-:]|\.\d+/g, '')}`), { recursive: true })
  expect(await faults({ ...withBackups, SIGNUP: '' }, world)).toEqual({
    Backups: 'the newest is 50 hours old; the log of the server says why none came after it.',
  })
})
