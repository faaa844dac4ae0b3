import { spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrations } from '#platform/database/migrations/migrations.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { revisionOf } from '#platform/database/revision.ts'
import { describeEachEngineUrl } from '#platform/database/testing/engines.ts'
import { openApplication, type Person, password } from '../testing/application.ts'
import { dump } from '../testing/dump.ts'
import { runAdmin } from './admin.ts'

const secret = 'a secret of the tests that is long enough'

/** Runs a command while something else has the database open, as `npm run admin` does. */
function operatorOf(url: string, answer?: string) {
  return async function admin(...words: string[]) {
    const output: string[] = []
    const errors: string[] = []
    const code = await runAdmin(
      words,
      { DATABASE_URL: url, AUTH_SECRET: secret, BASE_URL: 'https://daymark.example' },
      { say: (text) => output.push(text), warn: (text) => errors.push(text), ask: async () => answer },
    )
    return { code, output: output.join('\n'), errors: errors.join('\n') }
  }
}

const tokenIn = (output: string) => /https:\/\/daymark\.example\/\S+token=([\w-]+)/.exec(output)?.[1]

describeEachEngineUrl('the operator', (emptyUrl, engine) => {
  async function runningDaymark() {
    const url = await emptyUrl()
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    const daymark = openApplication(database, { settings: { signUp: 'closed' } })
    const open = openApplication(database)
    const signIn = ({ email }: Person, secret = password) =>
      daymark.ask('POST', '/api/auth/sign-in/email', { body: { email, password: secret } })
    const listTodos = ({ cookie }: Person) => daymark.ask('GET', '/api/todos', { cookie })
    return { url, database, daymark, signUp: open.signUp, signIn, asks: listTodos, admin: operatorOf(url) }
  }

  it('lists who has an account, where they are signed in, and what takes up space', async () => {
    const { admin, signUp, daymark } = await runningDaymark()
    expect((await admin('users')).output).toBe('There are no accounts.')
    const ada = await signUp('Ada')
    await signUp('Bea')
    await daymark.ask('POST', '/api/todos', { cookie: ada.cookie, body: { id: ada.id, title: 'Mine' } })
    const listed = JSON.parse((await admin('users', '--json')).output)
    expect(listed).toMatchObject([
      { email: 'ada@example.org', sessions: 1, rows: 1, isClosed: false },
      { email: 'bea@example.org', sessions: 1, rows: 0 },
    ])
    const { output } = await admin('users', '--search', 'BEA')
    expect(output).toContain('bea@example.org')
    expect(output).not.toContain('ada@example.org')
    const sessions = JSON.parse((await admin('sessions', 'Ada@example.org', '--json')).output)
    expect(sessions).toMatchObject([{ address: '192.0.2.1' }])
    const sizes = JSON.parse((await admin('sizes', '--json')).output)
    expect(sizes.tables).toContainEqual({ name: 'todos', rows: 1 })
    expect(sizes.largest[0]).toEqual({ id: ada.id, email: 'ada@example.org', rows: 1 })
    expect(sizes.bytes).toBeGreaterThan(1000)
    expect((await admin('sizes')).output).toMatch(/^The database takes \d+ [KM]B/)
  })

  it('adds a person through a link that works once while sign-up is closed, and can withdraw it', async () => {
    const { admin, daymark, signUp } = await runningDaymark()
    const added = await admin('users', 'add', 'Ada@example.org', '--name', ' Ada O’Neill ')
    expect(added.output).toMatch(/^Send this link to Ada@example\.org\. It works once, until .+ UTC:\nhttps:/)
    const token = tokenIn(added.output)
    expect((await daymark.ask('POST', '/api/auth/invitation', { body: { token } })).body).toEqual({
      email: 'ada@example.org',
      name: "Ada O'Neill",
    })
    const body = { token, name: 'Ada', email: 'ada@example.org', password }
    expect((await daymark.ask('POST', '/api/auth/sign-up/invited', { body })).status).toBe(200)
    expect((await daymark.ask('POST', '/api/auth/sign-up/invited', { body })).status).toBe(400)
    expect(await admin('users', 'add', 'ada@example.org')).toMatchObject({
      code: 1,
      errors: 'There is already an account with ada@example.org.',
    })
    expect(await admin('users', 'add', 'nonsense')).toMatchObject({ code: 1 })
    expect(await admin('users', 'add', 'bea@example.org', '--name', 'Bea!')).toMatchObject({
      code: 1,
      errors: 'Name must start with a letter and contain only letters, numbers, or dashes.',
    })

    const invited = await admin('invite', '--days', '2')
    const [open] = JSON.parse((await admin('invitations', '--json')).output)
    expect(JSON.stringify(open)).not.toContain(tokenIn(invited.output))
    expect(open.expiresAt - open.madeAt).toBe(2 * 24 * 60 * 60 * 1000)
    expect((await admin('invitations', 'withdraw', 'ffffffff')).code).toBe(1)
    expect((await admin('invitations', 'withdraw', open.id)).code).toBe(0)
    expect((await admin('invitations')).output).toBe('There are no open invitations.')
    const late = { ...body, token: tokenIn(invited.output), email: 'eve@example.org' }
    expect((await daymark.ask('POST', '/api/auth/sign-up/invited', { body: late })).status).toBe(400)
    await signUp('Bea')
  })

  it('resets a password through a link that works once, voids earlier links and signs out every browser', async () => {
    const { admin, daymark, signUp, signIn, asks } = await runningDaymark()
    const ada = await signUp('Ada')
    const first = tokenIn((await admin('users', 'reset', ada.email)).output)
    const { output } = await admin('users', 'reset', 'ADA@example.org')
    expect(output).toMatch(/^Send this link to Ada\. It works once, for 24 hours/)
    expect((await asks(ada)).status).toBe(200)
    const choose = (token: string | undefined) =>
      daymark.ask('POST', '/api/auth/reset-password', { body: { token, newPassword: 'another long one' } })
    expect((await choose(first)).body.code).toBe('INVALID_TOKEN')
    expect((await choose(tokenIn(output))).status).toBe(200)
    expect((await choose(tokenIn(output))).body.code).toBe('INVALID_TOKEN')
    expect((await asks(ada)).status).toBe(401)
    expect((await signIn(ada)).status).toBe(401)
    expect((await signIn(ada, 'another long one')).status).toBe(200)
  })

  it('closes an account, reopens it, and ends the sessions of one person or of everyone', async () => {
    const { admin, signUp, signIn, asks } = await runningDaymark()
    const ada = await signUp('Ada')
    const bea = await signUp('Bea')
    expect((await admin('users', 'close', ada.email)).output).toBe(
      'ada@example.org is closed and signed out everywhere. Their data stays.',
    )
    expect((await asks(ada)).status).toBe(401)
    expect((await signIn(ada)).body.code).toBe('ACCOUNT_CLOSED')
    expect((await admin('users', '--search', 'ada')).output).toContain('closed')
    expect((await admin('users', 'reopen', ada.email)).code).toBe(0)
    expect((await signIn(ada)).status).toBe(200)
    expect((await admin('sessions', 'end', ada.email)).output).toContain('1 browser signed out')
    expect((await asks(bea)).status).toBe(200)
    expect((await admin('sessions', 'end', '--all')).output).toContain('1 browser signed out')
    expect((await asks(bea)).status).toBe(401)
  })

  it('deletes an account when its email is typed, and leaves nothing of it behind', async () => {
    const { admin, url, database, daymark, signUp } = await runningDaymark()
    await signUp('Bea')
    const before = await dump(database)
    const ada = await signUp('Ada')
    await daymark.ask('POST', '/api/todos', { cookie: ada.cookie, body: { id: ada.id, title: 'Mine' } })
    await admin('users', 'reset', ada.email)
    await admin('users', 'close', ada.email)
    const full = await dump(database)
    expect(await admin('users', 'delete', ada.email)).toMatchObject({ code: 1 })
    expect((await operatorOf(url, 'bea@example.org')('users', 'delete', ada.email)).errors).toBe(
      'That is a different email. Nothing was deleted.',
    )
    expect(await dump(database)).toEqual(full)
    const deleted = await operatorOf(url, ' Ada@example.org ')('users', 'delete', ada.email)
    expect(deleted).toMatchObject({ code: 0 })
    expect(deleted.output.includes('Within an hour')).toBe(engine === 'sqlite')
    const { verification = [], ...after } = await dump(database)
    // Only a hash remains, so that the browser can be told why it is signed out.
    expect({ ...after, verification: verification.filter((row) => !row.includes('"ended:')) }).toEqual(before)
  })

  it('sets changes dated in the future to now, of one account or of all, so that later ones stand', async () => {
    const { admin, database, daymark, signUp } = await runningDaymark()
    const tomorrow = openApplication(database, { clock: () => Date.now() + 86_400_000 })
    const [ada, bea] = [await signUp('Ada'), await signUp('Bea')]
    await signUp('Eve')
    const add = async ({ cookie }: Person, title: string): Promise<string> =>
      (await tomorrow.ask('POST', '/api/todos', { cookie, body: { title, completed: 0 } })).body.todo.id
    await add(ada, 'Bread')
    await add(ada, 'Milk')
    const hers = await add(bea, 'Tea')
    const before = await revisionOf(database.read, bea.id)

    const began = Date.now()
    const first = await admin('changes', 'set-to-now', 'ADA@example.org')
    expect(first).toEqual({ code: 0, output: 'EMAIL            ROWS\nada@example.org  2', errors: '' })
    expect(await revisionOf(database.read, bea.id)).toBe(before)
    expect(JSON.parse((await admin('changes', 'set-to-now', '--json')).output)).toEqual([
      { id: bea.id, email: bea.email, rows: 1 },
    ])
    expect(await revisionOf(database.read, bea.id)).not.toBe(before)
    const rows = await database.read.selectFrom('todos').select(['title_at', 'updated_at']).execute()
    for (const { title_at, updated_at } of rows) {
      expect(Math.min(title_at, updated_at)).toBeGreaterThanOrEqual(began - 1_000)
      expect(Math.max(title_at, updated_at)).toBeLessThanOrEqual(Date.now())
    }
    expect((await admin('changes', 'set-to-now')).output).toBe('No change is dated in the future.')

    const edit = { cookie: bea.cookie, body: { title: 'Coffee' } }
    expect((await daymark.ask('PUT', `/api/todos/${hers}/edit`, edit)).body).toMatchObject({
      todo: { title: 'Coffee' },
    })
  })

  it('explains a refusal in one sentence, and changes nothing', async () => {
    const { admin, database } = await runningDaymark()
    const before = await dump(database)
    for (const command of ['reset', 'close', 'reopen', 'delete']) {
      expect(await admin('users', command, 'nobody@example.org')).toEqual({
        code: 1,
        output: '',
        errors: 'There is no account with nobody@example.org.',
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
      ['changes'],
      ['changes', 'set-to-now', '--yes'],
      ['doctor', '--yes'],
    ]) {
      expect(await admin(...words), words.join(' ')).toMatchObject({ code: 2, output: '' })
    }
    expect(await dump(database)).toEqual(before)
  })

  it('leaves updating an older database to the server', async () => {
    const url = await emptyUrl()
    await (await openDatabase(url, migrations.slice(0, -1))).close()
    const { code, errors } = await operatorOf(url)('users')
    expect({ code, errors }).toEqual({
      code: 1,
      errors: 'The database is older than this program: start Daymark once, which updates it.',
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

  it('is a program of its own, whose output other programs can read', async () => {
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

  it('creates neither a database nor a secret where there is none', async () => {
    const { folder, file, url } = newDatabase()
    const errors: string[] = []
    const terminal = {
      say: () => expect.fail('It did something'),
      warn: (text: string) => errors.push(text),
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
    expect(errors).toEqual([
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
    const { code, errors } = await operatorOf(url)('users')
    expect(code).toBe(1)
    expect(errors).toBe(`${file} belongs to user 12345, and this runs as user 0: run it as that user.`)
    expect(readdirSync(folder)).toEqual(['daymark.db'])
  })
})
