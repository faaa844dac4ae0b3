import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { instantToWire } from '#platform/calendar/day.ts'
import { migrations } from '#platform/database/migrations/migrations.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { describeEachEngineUrl } from '#platform/database/testing/engines.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { makeBackup, makeNextBackup } from './backups/make-backup.ts'
import { restoreBackup } from './backups/restore-backup.ts'
import type { DatabasePlace } from './settings/backup-settings.ts'
import { readBackupConfiguration } from './settings/configuration.ts'
import { openApplication } from './testing/application.ts'
import { type Ask, live, noon, step } from './testing/random-account.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

// PostgreSQL is backed up by its own programs, which a package that only ships the server has not.
const tools = ['pg_dump', 'pg_restore', 'psql'].every((name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name))),
)

describeEachEngineUrl('a backup', (emptyUrl, engine) => {
  // What is missing is not a PostgreSQL, for which a run may be failed.
  const withTools = engine === 'postgres' && !tools ? it.todo : it

  withTools(
    'made while eight devices write brings back a moment of it, and all that was there before, pictures and sign-in too',
    async () => {
      const url = await emptyUrl()
      const database = await openDatabase(url)
      const daymark = openApplication(database, { clock: () => noon })
      const quiet = await daymark.signUp('Quiet')
      const ask = asker(daymark, quiet.cookie)
      const steps = fc.sample(fc.array(step, { minLength: 15, maxLength: 20 }), 1)[0] ?? []
      await live(ask, steps)
      await ask('POST', '/api/auth/update-user', { image: onePixel })
      const exported = await ask('GET', '/api/export')
      const picture = await pictureOf(daymark, quiet)

      const busy = await daymark.signUp('Busy')
      const writer = keepWriting(asker(daymark, busy.cookie))
      await writer.written(40)
      const folder = join(newFolder(), 'mine')
      const made = await run('backup', { DATABASE_URL: url }, folder)
      expect(made.said).toContain('It was opened and counted.')
      const during = await writer.stop()
      expect(during).toBeGreaterThan(40)
      await database.close()

      const elsewhere = await emptyUrl()
      await restore(elsewhere, folder)
      const restored = await openDatabase(elsewhere)
      onTestFinished(() => restored.close())
      const there = openApplication(restored, { clock: () => noon })
      expect(await asker(there, quiet.cookie)('GET', '/api/export')).toEqual(exported)
      expect(await pictureOf(there, quiet)).toEqual(picture)
      expect(picture.byteLength).toBeGreaterThan(0)
      // Each of the eight waits for its response before it goes on: a moment has of each its first so many.
      const { todos } = (await there.ask('GET', '/api/todos', { cookie: busy.cookie })).body
      const ofWriters = Map.groupBy<string, { title: string }>(
        todos,
        ({ title }) => title.split(' ')[0] ?? '',
      )
      expect(ofWriters.size).toBe(8)
      for (const own of ofWriters.values()) {
        const numbers = own.map(({ title }) => Number(title.split(' ')[1])).toSorted((a, b) => a - b)
        expect(numbers).toEqual(numbers.map((_, place) => place))
      }
      expect(todos.length).toBeGreaterThanOrEqual(40)
      expect(todos.length).toBeLessThanOrEqual(during)
    },
    600_000,
  )

  withTools(
    'is not restored while Daymark runs, nor when a byte of it was changed, and nothing changes then',
    async () => {
      const url = await emptyUrl()
      const database = await openDatabase(url)
      const daymark = openApplication(database)
      await daymark.signUp('Ada')
      const folder = join(newFolder(), 'mine')
      await backUp(url, folder)
      const later = await daymark.signUp('Later')

      const running = await run('restore', { DATABASE_URL: url }, folder, '--yes')
      expect(running).toMatchObject({ code: 1, errors: expect.stringMatching(/Daymark is running on/) })
      expect((await daymark.ask('GET', '/api/todos', { cookie: later.cookie })).status).toBe(200)
      await database.close()

      const data = join(folder, engine === 'sqlite' ? 'daymark.db' : 'daymark.dump')
      const whole = readFileSync(data)
      const name = data.slice(folder.length + 1)
      flipByte(data, whole.length >> 1)
      await refused(`The backup is damaged: ${name} does not match its checksum. Nothing was changed.`)
      truncateSync(data, whole.length - 1)
      await refused(`${name} does not match its checksum`)
      // Whoever changes what is said of it too is found out by the counting.
      writeFileSync(data, whole)
      changeAbout(folder, ({ rows }) => {
        rows.user += 1
      })
      await refused('The backup is damaged: user has 1 rows instead of 2')
      changeAbout(folder, (about) => {
        about.migration = '9999-of-another-year'
      })
      await refused('newer than this program')
      changeAbout(folder, (about) => {
        about.format = 2
      })
      await refused('was made by a newer Daymark')

      const after = await openDatabase(url)
      onTestFinished(() => after.close())
      expect((await openApplication(after).ask('GET', '/api/todos', { cookie: later.cookie })).status).toBe(
        200,
      )

      async function refused(words: string): Promise<void> {
        await expect(restore(url, folder)).rejects.toThrow(words)
      }
    },
    600_000,
  )

  withTools(
    'of which cron makes one after the other needs no names, and old ones go',
    async () => {
      const url = await emptyUrl()
      await (await openDatabase(url)).close()
      const to = newFolder()
      const old = ['daymark-20200101T030000Z', 'daymark-20200102T030000Z', 'daymark-20200102T040000Z']
      for (const name of [...old, 'daymark-20200101T030000Z.mine', '.arriving-daymark-20200101T030000Z']) {
        mkdirSync(join(to, name))
      }
      const next = (every: number) =>
        makeNextBackup(placeOf(url), { to, keep: { daily: 2, weekly: 0 } }, Date.now(), { every })
      const first = await next(0)
      expect(typeof first === 'string' ? first : first.removed).toHaveLength(2)
      const [made] = readdirSync(to).filter((name) => !old.includes(name) && /^daymark-\d+T\d+Z$/.test(name))
      const kept = ['.lock', 'daymark-20200101T030000Z.mine', 'daymark-20200102T040000Z', made]
      expect(readdirSync(to).toSorted()).toEqual(kept.toSorted())
      expect(await next(3_600_000)).toBe('fresh')
    },
    600_000,
  )
})

describe('a backup of SQLite', { timeout: 600_000 }, () => {
  it('is made once by two programs that cron starts at once, which say what they did', async () => {
    const folder = newFolder()
    const url = `sqlite:${join(folder, 'data', 'daymark.db')}`
    await (await openDatabase(url)).close()
    const to = join(folder, 'backups')
    for (const name of ['daymark-20200101T030000Z', 'daymark-20200102T030000Z', 'daymark-20200102T040000Z']) {
      mkdirSync(join(to, name), { recursive: true })
    }
    const due = { DATABASE_URL: url, BACKUP_TO: to, BACKUP_EVERY: '1h', BACKUP_KEEP: '2 daily' }
    const both = await Promise.all([run('backup', due, '--if-due'), run('backup', due, '--if-due')])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    const said = both.map(({ said }) => said).toSorted((one, other) => other.length - one.length)
    expect(said[0]).toMatch(/^Backed up to [^\n]* It was opened and counted\.\nRemoved 2 older ones\.\n$/)
    expect(said[1]).toMatch(
      /^(Another process is making a backup there|There is one that is new enough)\.\n$/,
    )
    expect(readdirSync(to).filter((name) => name.startsWith('daymark-'))).toHaveLength(2)
  })

  it('has the secret beside it, and restoring puts both in place and what was there aside, as private as before', async () => {
    const folder = newFolder()
    const url = `sqlite:${join(folder, 'data', 'daymark.db')}`
    await (await openDatabase(url)).close()
    const secret = join(folder, 'data', 'auth-secret')
    writeFileSync(secret, 'the first secret\n', { mode: 0o600 })
    await backUp(url, join(folder, 'mine'))
    writeFileSync(secret, 'another secret\n')
    const told = await restore(url, join(folder, 'mine'))
    const aside = /daymark\.db(\.before-restore-\d+T\d+Z)\./.exec(told.join('\n'))?.[1]
    expect(readFileSync(secret, 'utf8')).toBe('the first secret\n')
    expect(readFileSync(`${secret}${aside}`, 'utf8')).toBe('another secret\n')
    expect(existsSync(join(folder, 'data', `daymark.db${aside}`))).toBe(true)
  })

  it('is also any file of SQLite that is one of ours; what is none changes nothing', async () => {
    const folder = newFolder()
    const url = `sqlite:${join(folder, 'data', 'daymark.db')}`
    await (await openDatabase(`sqlite:${join(folder, 'copy.db')}`)).close()
    const { code } = await run('restore', { DATABASE_URL: url }, join(folder, 'copy.db'), '--yes')
    expect(code).toBe(0)
    writeFileSync(join(folder, 'text'), 'no database')
    await expect(restore(url, join(folder, 'text'))).rejects.toThrow('neither the folder')
    expect(readdirSync(join(folder, 'data'))).toEqual(['daymark.db'])
  })

  it.each([
    [
      'a trigger',
      "create trigger spy after insert on todos begin update todos set title = 'Read'; end",
      'the trigger spy',
    ],
    ['a view', 'create view spied as select title from todos', 'the view spied'],
    ['a virtual table', 'create virtual table spied using fts5 (title)', 'the table spied'],
    ['a table', 'create table spied (title text)', 'the table spied'],
    ['an index', 'create unique index spied on todos (title)', 'the index spied'],
  ])('with %s that Daymark did not make is refused, and nothing changes', async (_, added, named) => {
    const { url, file } = await tampered((copy) => copy.exec(added))
    await expect(restore(url, file)).rejects.toThrow(
      `${file} cannot be restored: it has ${named}, which Daymark did not make. Nothing was changed.`,
    )
    expectEmpty(url)
  })

  it.each([
    ['default', "default '' not null", "default 'spied' not null"],
    ['check', '"title" text not null', '"title" text not null check (title <> \'\')'],
    ['collation', '"title" text not null', '"title" text collate nocase not null'],
  ])('with another %s in a table is refused, and nothing changes', async (_, was, is) => {
    const { url, file } = await tampered((copy) => {
      copy.enableDefensive(false)
      copy.exec('pragma writable_schema = on')
      copy.prepare("update sqlite_schema set sql = replace(sql, ?, ?) where name = 'todos'").run(was, is)
    })
    await expect(restore(url, file)).rejects.toThrow(
      `${file} cannot be restored: its table todos is not as Daymark makes it. Nothing was changed.`,
    )
    expectEmpty(url)
  })

  it('without one of its indexes is refused', async () => {
    const { url, file } = await tampered((copy) => copy.exec('drop index todos_newest'))
    await expect(restore(url, file)).rejects.toThrow('cannot be restored: it lacks the index todos_newest.')
  })

  it.each(['0001-accounts', '0020-repeating-todos'])(
    'from before an update is restored and updated: as far as %s',
    async (name) => {
      const { url, file } = newFiles()
      const former = migrations.slice(0, migrations.findIndex((step) => step.name === name) + 1)
      await (await openDatabase(`sqlite:${file}`, former)).close()
      await restore(url, file)
      await (await openDatabase(url)).close()
    },
  )

  it('asks before it replaces anything', async () => {
    const folder = newFolder()
    const url = `sqlite:${join(folder, 'data', 'daymark.db')}`
    await (await openDatabase(url)).close()
    await backUp(url, join(folder, 'mine'))
    const { code, said } = await run('restore', { DATABASE_URL: url }, join(folder, 'mine'))
    expect(said).toMatch(/It replaces what is in .* Type yes to go on: Nothing was changed\.\n$/)
    expect(code).toBe(1)
    expect(readdirSync(join(folder, 'data'))).toEqual(['daymark.db'])
  })
})

/** A database that is not there yet, and a file of SQLite to be restored to it. */
function newFiles(): { url: string; file: string } {
  const folder = newFolder()
  return { url: `sqlite:${join(folder, 'data', 'daymark.db')}`, file: join(folder, 'copy.db') }
}

/** The same, with a file of ours that somebody changed. */
async function tampered(change: (copy: DatabaseSync) => void): Promise<{ url: string; file: string }> {
  const files = newFiles()
  await (await openDatabase(`sqlite:${files.file}`)).close()
  const copy = new DatabaseSync(files.file)
  change(copy)
  copy.close()
  return files
}

function expectEmpty(url: string): void {
  expect(readdirSync(dirname(url.replace('sqlite:', '')))).toEqual([])
}

const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

type Daymark = ReturnType<typeof openApplication>

function asker(daymark: Daymark, cookie: string): Ask {
  return async (method, path, body) => {
    const asked = await daymark.ask(method, path, { cookie, body })
    expect(asked.status, JSON.stringify(asked.body)).toBeLessThan(300)
    return asked.body
  }
}

async function pictureOf(daymark: Daymark, { cookie }: { cookie: string }): Promise<Uint8Array> {
  const { body } = await daymark.ask('GET', '/api/auth/get-session', { cookie })
  const { bytes, status } = await daymark.ask('GET', body.user.image, { cookie })
  expect(status).toBe(200)
  return bytes
}

/** Eight who each write numbered to-dos, one once the one before was answered. */
function keepWriting(ask: Ask) {
  let going = true
  let count = 0
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let number = 0; going; number += 1) {
      const at = noon - count
      const id = newRowId(at, randomBytes(10))
      await ask('POST', '/api/todos', {
        id,
        title: `${writer} ${number}`,
        completed: 0,
        at: instantToWire(at),
      })
      count += 1
    }
  })
  return {
    async written(least: number) {
      while (count < least) await new Promise((resolve) => setImmediate(resolve))
    },
    async stop() {
      going = false
      await Promise.all(writers)
      return count
    },
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-backups-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function placeOf(url: string): DatabasePlace {
  const reading = readBackupConfiguration({ DATABASE_URL: url })
  if ('wrong' in reading) throw new Error(reading.wrong)
  return reading.database
}

/** As the program does that `npm run backup` starts, without starting it. */
function backUp(url: string, folder: string) {
  return makeBackup(placeOf(url), folder, Date.now())
}

/** As the program does that `npm run restore` starts, to which somebody says yes. */
async function restore(url: string, from: string): Promise<string[]> {
  return (await restoreBackup(placeOf(url), from, Date.now(), async () => true)) ?? []
}

async function run(script: 'backup' | 'restore', settings: Record<string, string>, ...words: string[]) {
  const { PATH = '', HOME = '' } = process.env
  const child: ChildProcess = spawn(process.execPath, [`scripts/${script}.mjs`, ...words], {
    cwd: repository,
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [said, errors] = ['', '']
  child.stdout?.on('data', (text) => {
    said += text
  })
  child.stderr?.on('data', (text) => {
    errors += text
  })
  const [code] = await once(child, 'close')
  return { code, said, errors }
}

function flipByte(file: string, at: number): void {
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

interface AboutOnDisk {
  format: number
  migration: string
  rows: { user: number }
}

function changeAbout(folder: string, change: (about: AboutOnDisk) => void): void {
  const file = join(folder, 'backup.json')
  const about: AboutOnDisk = JSON.parse(readFileSync(file, 'utf8'))
  change(about)
  writeFileSync(file, JSON.stringify(about))
}
