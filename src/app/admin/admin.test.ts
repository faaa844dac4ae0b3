import { spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { migrations } from '#platform/database/migrations/migrations.ts'
import { describeEachEngineUrl } from '#platform/database/testing/engines.ts'
import { openApplication, type Person, password } from '../testing/application.ts'
import { dump } from '../testing/dump.ts'
import { runAdmin } from './admin.ts'

const secret = 'a secret of the tests that is long enough'

/** Runs a command beside whatever has the database open, as `npm run admin` does. */
function operatorOf(url: string, typed?: string) {
  return async function admin(...words: string[]) {
    const said: string[] = []
    const warned: string[] = []
    const code = await runAdmin(
      words,
      { DATABASE_URL: url, AUTH_SECRET: secret, BASE_URL: 'https://daymark.example' },
      { say: (text) => said.push(text), warn: (text) => warned.push(text), ask: async () => typed },
    )
    return { code, said: said.join('\n'), warned: warned.join('\n') }
  }
}

const tokenIn = (said: string) => /https:\/\/daymark\.example\/\S+token=([\w-]+)/.exec(said)?.[1]

describeEachEngineUrl('the operator', (emptyUrl, engine) => {
  async function runningDaymark() {
    const url = await emptyUrl()
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    const daymark = openApplication(database, { settings: { signUp: 'closed' } })
    const open = openApplication(database)
    const signIn = ({ email }: Person, word = password) =>
      daymark.ask('POST', '/api/auth/sign-in/email', { body: { email, password: word } })
    const asks = ({ cookie }: Person) => daymark.ask('GET', '/api/todos', { cookie })
    return { url, database, daymark, signUp: open.signUp, signIn, asks, admin: operatorOf(url) }
  }

  it('lists who has an account, where they are signed in, and what takes room', async () => {
    const { admin, signUp, daymark } = await runningDaymark()
    expect((await admin('users')).said).toBe('There are no accounts.')
    const ada = await signUp('Ada')
    await signUp('Bea')
    await daymark.ask('POST', '/api/todos', { cookie: ada.cookie, body: { id: ada.id, title: 'Mine' } })
    const listed = JSON.parse((await admin('users', '--json')).said)
    expect(listed).toMatchObject([
      { email: 'ada@example.org', sessions: 1, rows: 1, isClosed: false },
      { email: 'bea@example.org', sessions: 1, rows: 0 },
    ])
    const { said } = await admin('users', '--search', 'BEA')
    expect(said).toContain('bea@example.org')
    expect(said).not.toContain('ada@example.org')
    const sessions = JSON.parse((await admin('sessions', 'Ada@example.org', '--json')).said)
    expect(sessions).toMatchObject([{ address: '192.0.2.1' }])
    const sizes = JSON.parse((await admin('sizes', '--json')).said)
    expect(sizes.tables).toContainEqual({ name: 'todos', rows: 1 })
    expect(sizes.largest[0]).toEqual({ id: ada.id, email: 'ada@example.org', rows: 1 })
    expect(sizes.bytes).toBeGreaterThan(1000)
    expect((await admin('sizes')).said).toMatch(/^The database takes \d+ [KM]B/)
  })

  it('adds somebody by a link that works once while sign-up is closed, and can withdraw it', async () => {
    const { admin, daymark, signUp } = await runningDaymark()
    const added = await admin('users', 'add', 'Ada@example.org', '--name', ' Ada O’Neill ')
    expect(added.said).toMatch(/^Send this link to Ada@example\.org\. It works once, until .+ UTC:\nhttps:/)
    const token = tokenIn(added.said)
    expect((await daymark.ask('POST', '/api/auth/invitation', { body: { token } })).body).toEqual({
      email: 'ada@example.org',
      name: "Ada O'Neill",
    })
    const body = { token, name: 'Ada', email: 'ada@example.org', password }
    expect((await daymark.ask('POST', '/api/auth/sign-up/invited', { body })).status).toBe(200)
    expect((await daymark.ask('POST', '/api/auth/sign-up/invited', { body })).status).toBe(400)
    expect(await admin('users', 'add', 'ada@example.org')).toMatchObject({
      code: 1,
      warned: 'There is already an account with ada@example.org.',
    })
    expect(await admin('users', 'add', 'nonsense')).toMatchObject({ code: 1 })
    expect(await admin('users', 'add', 'bea@example.org', '--name', 'Bea!')).toMatchObject({
      code: 1,
      warned: 'Name must start with a letter and contain only letters, numbers, or dashes.',
    })

    const invited = await admin('invite', '--days', '2')
    const [open] = JSON.parse((await admin('invitations', '--json')).said)
    expect(JSON.stringify(open)).not.toContain(tokenIn(invited.said))
    expect(open.expiresAt - open.madeAt).toBe(2 * 24 * 60 * 60 * 1000)
    expect((await admin('invitations', 'withdraw', 'ffffffff')).code).toBe(1)
    expect((await admin('invitations', 'withdraw', open.id)).code).toBe(0)
    expect((await admin('invitations')).said).toBe('There are no open invitations.')
    const late = { ...body, token: tokenIn(invited.said), email: 'eve@example.org' }
    expect((await daymark.ask('POST', '/api/auth/sign-up/invited', { body: late })).status).toBe(400)
    await signUp('Bea')
  })

  it('resets a password by a link that works once, voids those before and signs out every browser', async () => {
    const { admin, daymark, signUp, signIn, asks } = await runningDaymark()
    const ada = await signUp('Ada')
    const first = tokenIn((await admin('users', 'reset', ada.email)).said)
    const { said } = await admin('users', 'reset', 'ADA@example.org')
    expect(said).toMatch(/^Send this link to Ada\. It works once, for 24 hours/)
    expect((await asks(ada)).status).toBe(200)
    const choose = (token: string | undefined) =>
      daymark.ask('POST', '/api/auth/reset-password', { body: { token, newPassword: 'another long one' } })
    expect((await choose(first)).body.code).toBe('INVALID_TOKEN')
    expect((await choose(tokenIn(said))).status).toBe(200)
    expect((await choose(tokenIn(said))).body.code).toBe('INVALID_TOKEN')
    expect((await asks(ada)).status).toBe(401)
    expect((await signIn(ada)).status).toBe(401)
    expect((await signIn(ada, 'another long one')).status).toBe(200)
  })

  it('closes an account, opens it again, and ends sessions of one or of all', async () => {
    const { admin, signUp, signIn, asks } = await runningDaymark()
    const ada = await signUp('Ada')
    const bea = await signUp('Bea')
    expect((await admin('users', 'close', ada.email)).said).toBe(
      'ada@example.org is closed and signed out everywhere. Their data stays.',
    )
    expect((await asks(ada)).status).toBe(401)
    expect((await signIn(ada)).body.code).toBe('ACCOUNT_CLOSED')
    expect((await admin('users', '--search', 'ada')).said).toContain('closed')
    expect((await admin('users', 'reopen', ada.email)).code).toBe(0)
    expect((await signIn(ada)).status).toBe(200)
    expect((await admin('sessions', 'end', ada.email)).said).toContain('1 browser signed out')
    expect((await asks(bea)).status).toBe(200)
    expect((await admin('sessions', 'end', '--all')).said).toContain('1 browser signed out')
    expect((await asks(bea)).status).toBe(401)
  })

  it('deletes an account when its email is typed, so that nothing of it is left', async () => {
    const { admin, url, database, daymark, signUp } = await runningDaymark()
    await signUp('Bea')
    const before = await dump(database)
    const ada = await signUp('Ada')
    await daymark.ask('POST', '/api/todos', { cookie: ada.cookie, body: { id: ada.id, title: 'Mine' } })
    await admin('users', 'reset', ada.email)
    await admin('users', 'close', ada.email)
    const full = await dump(database)
    expect(await admin('users', 'delete', ada.email)).toMatchObject({ code: 1 })
    expect((await operatorOf(url, 'bea@example.org')('users', 'delete', ada.email)).warned).toBe(
      'That is a different email. Nothing was deleted.',
    )
    expect(await dump(database)).toEqual(full)
    const deleted = await operatorOf(url, ' Ada@example.org ')('users', 'delete', ada.email)
    expect(deleted).toMatchObject({ code: 0 })
    expect(deleted.said.includes('Within an hour')).toBe(engine === 'sqlite')
    const { verification = [], ...after } = await dump(database)
    // By a hash alone its browser is told why it is signed out.
    expect({ ...after, verification: verification.filter((row) => !row.includes('"ended:')) }).toEqual(before)
  })

  it('is refused with a sentence, and nothing is changed', async () => {
    const { admin, database } = await runningDaymark()
    const before = await dump(database)
    for (const command of ['reset', 'close', 'reopen', 'delete']) {
      expect(await admin('users', command, 'nobody@example.org')).toEqual({
        code: 1,
        said: '',
        warned: 'There is no account with nobody@example.org.',
      })
    }
    for (const words of [
      [],
      ['user'],
      ['users', 'add'],
      ['users', 'close', 'a@b.c', 'd@e.f'],
      ['users', '--all'],
      ['sessions', 'end'],
      ['sessions', 'end', 'a@b.c', '--all'],
      ['invite', '--days', '0'],
      ['doctor', '--yes'],
    ]) {
      expect(await admin(...words), words.join(' ')).toMatchObject({ code: 2, said: '' })
    }
    expect(await dump(database)).toEqual(before)
  })

  it('waits for the server to update an older database', async () => {
    const url = await emptyUrl()
    await (await openDatabase(url, migrations.slice(0, -1))).close()
    const { code, warned } = await operatorOf(url)('users')
    expect({ code, warned }).toEqual({
      code: 1,
      warned: 'The database is older than this program: start Daymark once, which updates it.',
    })
    const database = await openDatabase(url, migrations.slice(0, -1))
    await database.close()
  })
})

describe('npm run admin', () => {
  const program = join(import.meta.dirname, '../../../scripts/admin.mjs')
  function newDatabase() {
    const folder = mkdtempSync(join(tmpdir(), 'daymark-admin-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'daymark.db')
    return { folder, file, url: `sqlite:${file}` }
  }

  it('is a program of its own, whose answer other programs can read', async () => {
    const { url } = newDatabase()
    const database = await openDatabase(url)
    const { email } = await openApplication(database).signUp('Ada')
    await database.close()
    const env = { PATH: process.env.PATH, DATABASE_URL: url }
    const { status, stdout } = spawnSync(process.execPath, [program, 'users', '--json'], {
      env,
      encoding: 'utf8',
    })
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([{ email }])
  })

  it('makes no database where there is none, and no secret', async () => {
    const { folder, file, url } = newDatabase()
    const warned: string[] = []
    const terminal = {
      say: () => expect.fail('It did something'),
      warn: (text: string) => warned.push(text),
      ask: async () => undefined,
    }
    const run = (...words: string[]) => runAdmin(words, { DATABASE_URL: url }, terminal)
    expect(await run('users')).toBe(1)
    expect(readdirSync(folder)).toEqual([])
    const database = await openDatabase(url)
    const { email } = await openApplication(database).signUp('Ada')
    expect(await run('users', 'delete', email)).toBe(1)
    expect(await run('users', 'reset', email)).toBe(1)
    await database.close()
    expect(warned).toEqual([
      `There is no database ${file} (DATABASE_URL says where it is)`,
      'Nobody can be asked here: add --yes to delete it.',
      'Daymark has no secret yet: start it once, which makes one.',
    ])
    expect(readdirSync(folder)).toEqual(['daymark.db'])
  })

  it.skipIf(process.getuid?.() !== 0)('leaves the files of another user alone', async () => {
    const { folder, file, url } = newDatabase()
    await (await openDatabase(url)).close()
    chownSync(file, 12345, 12345)
    const { code, warned } = await operatorOf(url)('users')
    expect(code).toBe(1)
    expect(warned).toBe(`${file} belongs to user 12345, and this runs as user 0: run it as that user.`)
    expect(readdirSync(folder)).toEqual(['daymark.db'])
  })
})
