import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, it, onTestFinished, test } from 'vitest'
import { backupsToRemove } from '#app/backups/keep.ts'
import { restoreBackup } from '#app/backups/restore-backup.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { tablesNotRestored } from '#platform/database/storage/contents.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describePostgresUrl } from '#platform/database/testing/engines.ts'
import { openPlain, rowsOf } from '#platform/database/testing/landed-database.ts'
import { freePort } from '#testing/free-port.ts'
import { isDeep } from '#testing/runs.ts'
import { waitUntil } from '#testing/wait.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const script = join(repository, 'deploy/postgres-backups.sh')
const hosting = readFileSync(join(repository, 'docs/hosting.md'), 'utf8')

// A package that only ships the server has no client programs. The image postgres:17 has all of these.
const tools = ['bash', 'flock', 'sha256sum', 'pg_dump', 'pg_restore', 'psql', 'dropdb'].every(
  (name) => pathOf(name) !== undefined,
)
describePostgresUrl('the service that backs up compose.postgres.yaml', (emptyUrl) => {
  // What is missing is not a PostgreSQL, for which a run may be failed.
  const withTools = tools ? it : it.todo

  withTools(
    'makes a backup whenever one is due, also after PostgreSQL was down, and keeps as many as it is told',
    async () => {
      const { environment, folder, migrate } = await emptyDatabase(emptyUrl)
      const port = await freePort()
      const schedule = start(['schedule'], {
        ...environment,
        PGPORT: String(port),
        BACKUP_EVERY: '1s',
        BACKUP_KEEP: '3 daily',
      })
      const made = () =>
        schedule.said().match(/^Backed up to daymark-\d{8}T\d{6}Z \(.*\)\. It was.*$/gm) ?? []
      await waitUntil(() =>
        /^The backup failed; it is tried again in an hour: .*refused.*$/m.test(schedule.said()),
      )
      await forward(port, environment)
      await waitUntil(() => schedule.said().includes('There is nothing to back up yet'))
      expect((await run(['healthy'], { ...environment, BACKUP_EVERY: '1s' })).code).toBe(1)
      await migrate()
      const old = ['daymark-20200101T030000Z', 'daymark-20200102T030000Z', 'daymark-20200102T040000Z']
      // Made while the clock was wrong: nothing waits for that day.
      const future = 'daymark-20990101T000000Z'
      for (const name of [...old, future, 'daymark-20209999T030000Z', 'mine']) mkdirSync(join(folder, name))
      await waitUntil(() => made().length >= (isDeep ? 5 : 2))
      expect((await run(['healthy'], { ...environment, BACKUP_EVERY: '1h' })).code).toBe(0)
      schedule.child.kill('SIGTERM')
      expect(await schedule.ended).toBe(0)

      const kept = ['daymark-20200102T040000Z', 'daymark-20209999T030000Z', 'mine']
      expect(readdirSync(folder)).toEqual(expect.arrayContaining(kept))
      expect(readdirSync(folder).filter((name) => old.includes(name))).toHaveLength(1)
    },
  )

  withTools(
    'restores by the commands of docs/hosting.md exactly what was there, and Daymark serves it',
    async () => {
      const { url, environment, folder } = await emptyDatabase(emptyUrl)
      const daymark = await serve(url)
      expect(await daymark.post('sign-up', 'ada')).toBe(200)
      const docker = fakeDocker(environment, daymark.child)

      expect((await docker.run('docker compose run --rm backups now')).code).toBe(0)
      const listed = await docker.run('docker compose run --rm backups list')
      const name = /^daymark-\w+/.exec(listed.said)?.[0] ?? ''
      const before = await everyRow(url)
      expect(await daymark.post('sign-up', 'later')).toBe(200)
      expect(await run(['restore', name], environment)).toMatchObject({
        code: 1,
        said: expect.stringContaining(
          'Daymark is running on this database. Stop it first. Nothing was changed.',
        ),
      })
      expect(await daymark.post('sign-in', 'later')).toBe(200)

      const restored = await docker.run(`deploy/restore-postgres.sh ${name}`)
      expect(restored).toMatchObject({ code: 0, said: expect.stringContaining(`Restored ${name}.`) })
      expect(docker.calls()).toEqual([
        'compose run --rm backups now',
        'compose run --rm backups list',
        'compose stop daymark',
        `compose run --rm backups restore ${name}`,
        'compose start daymark',
      ])
      const notRestored = tablesNotRestored.map((table) => [table, []])
      expect(await everyRow(url)).toEqual({ ...before, ...Object.fromEntries(notRestored) })
      const again = await serve(url)
      expect(await again.post('sign-in', 'ada')).toBe(200)
      expect(await again.post('sign-in', 'later')).toBe(401)

      const former = /kept in the database (\w+)\./.exec(restored.said)?.[1] ?? ''
      const formerUrl = Object.assign(new URL(url), { pathname: former }).href
      expect((await everyRow(formerUrl)).user).toHaveLength(2)
      const dropped = await docker.run(`docker compose exec database dropdb --username=daymark ${former}`)
      expect(dropped.code).toBe(0)
      await expect(everyRow(formerUrl)).rejects.toThrow('does not exist')

      const home = newFolder()
      expect((await docker.run(documented('ssh'), { HOME: home })).code).toBe(0)
      const copy = join(home, 'daymark', name)
      expect(readdirSync(copy)).toEqual(readdirSync(join(folder, name)))
      rmSync(join(folder, name), { recursive: true })
      expect((await docker.run(`docker compose cp ${copy} backups:/backups/`)).code).toBe(0)
      expect((await docker.run('docker compose run --rm backups list')).said).toContain(name)

      await again.stop()
      expect(
        await restoreBackup(
          { engine: 'postgres', directUrl: url, secretFile: undefined },
          copy,
          Date.now(),
          async () => true,
        ),
      ).toBeDefined()
      expect((await everyRow(url)).user).toEqual(before.user)
    },
  )

  withTools(
    'counts no backup that lacks a row or was not finished, and restores none that was changed',
    async () => {
      const { url, environment, folder, migrate } = await emptyDatabase(emptyUrl)
      await migrate()
      const folderOfFakes = newFolder()
      const faked = {
        ...environment,
        PATH: `${folderOfFakes}${delimiter}${environment.PATH}`,
        STARTED: join(folderOfFakes, 'started'),
      }
      const listed = async () => (await run(['list'], environment)).said.match(/^\S+/gm) ?? []

      fake(folderOfFakes, 'pg_dump', `exec ${pathOf('pg_dump')} --exclude-table-data=user "$@"`)
      const lacking = await run(['now'], faked)
      expect(lacking).toMatchObject({
        code: 1,
        said: expect.stringContaining('user has 0 rows instead of 2'),
      })
      expect(await listed()).toEqual([])
      rmSync(join(folderOfFakes, 'pg_dump'))

      const poor = `poor_${process.pid}`
      await ask(url, `create role ${poor} login in role pg_read_all_data password 'poor'`)
      onTestFinished(async () => void (await ask(url, `drop role ${poor}`)))
      const refusedByServer = await run(['now'], { ...environment, PGUSER: poor, PGPASSWORD: 'poor' })
      expect(refusedByServer.said).toContain('must be owner of database')
      // The one for a database without tables, which is no failure.
      expect(refusedByServer.code).not.toBe(75)

      fake(folderOfFakes, 'pg_restore', 'touch "$STARTED"; sleep 600')
      const arriving = () => readdirSync(folder).filter((name) => name.startsWith('.arriving-'))
      for (const command of isDeep ? ['schedule', 'now'] : ['schedule']) {
        const { child, ended } = start([command], faked)
        await waitUntil(() => existsSync(faked.STARTED))
        rmSync(faked.STARTED)
        if (command === 'schedule') child.kill('SIGTERM')
        else process.kill(-(child.pid ?? 0), 'SIGKILL')
        await ended
        expect(await listed()).toEqual([])
        expect(arriving()).toHaveLength(1)
        expect(await databases(url)).toHaveLength(2)
      }

      const old = Array.from({ length: 12 }, (_, n) => {
        const at = new Date(Date.now() - n * 31 * 3_600_000).toISOString()
        return `daymark-${at.replace(/\.\d+Z$/, 'Z').replace(/[-:]/g, '')}`
      }).slice(1)
      for (const name of old) mkdirSync(join(folder, name))
      expect(await run(['now'], { ...environment, BACKUP_KEEP: '3 daily, 2 weekly' })).toMatchObject({
        code: 0,
      })
      const left = await listed()
      const [made = ''] = left.filter((name) => !old.includes(name))
      const removed = backupsToRemove([...old, made], { daily: 3, weekly: 2 })
      expect(left).toEqual([...old, made].filter((name) => !removed.includes(name)).toSorted())
      expect(arriving()).toEqual([])
      expect(await databases(url)).toHaveLength(1)

      const dump = join(folder, made, 'daymark.dump')
      const bytes = readFileSync(dump)
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
      writeFileSync(dump, bytes)
      const docker = fakeDocker(environment)
      const refused = await docker.run(`deploy/restore-postgres.sh ${made}`)
      expect(refused.code).not.toBe(0)
      expect(refused.said).toContain('daymark.dump does not match its checksum. Nothing was changed.')
      expect(docker.calls().at(-1)).toBe('compose start daymark')
      expect((await run(['restore', 'daymark-20010101T000000Z'], environment)).said).toContain(made)
    },
  )
})

const docker = isDeep && spawnSync('docker', ['compose', 'ps', '--all']).status === 0

// It fetches an image, which takes minutes.
test.skipIf(!docker)(
  'compose.postgres.yaml makes backups by itself in Docker, and restores one',
  async () => {
    const folder = newFolder()
    for (const path of ['compose.postgres.yaml', 'deploy'])
      cpSync(join(repository, path), join(folder, path), { recursive: true })
    const commands = /```sh\n(mkdir -m 700 secrets\n.*?)```/s.exec(hosting)?.[1] ?? ''
    const environment = {
      ...process.env,
      COMPOSE_FILE: 'compose.postgres.yaml',
      COMPOSE_PROJECT_NAME: `daymark-${process.pid}`,
      DOMAIN: 'daymark.example',
      BACKUP_EVERY: '2s',
    }
    const shell = (command: string) =>
      execFileSync('bash', ['-ec', command], { cwd: folder, env: environment, encoding: 'utf8' })
    const ask = (statement: string) =>
      shell(`docker compose exec -T database psql --username=daymark -Atc '${statement}'`).trim()
    shell(commands)
    onTestFinished(() => void shell('docker compose down --volumes'))
    shell('docker compose up --detach backups')
    const log = () => shell('docker compose logs --no-log-prefix backups')
    await waitUntil(() => log().includes('There is nothing to back up yet'))
    ask('create table kysely_migration as select md5(n::text) as name from generate_series(1, 1000) as n')
    await waitUntil(() => (log().match(/^Backed up to /gm) ?? []).length >= 2)
    shell('docker compose stop backups')
    const [name] = shell('docker compose run --rm backups list').split(' ')
    ask('delete from kysely_migration')
    expect(shell(`docker compose run --rm backups restore ${name}`)).toContain(`Restored ${name}.`)
    expect(ask('select count(*) from kysely_migration')).toBe('1000')
  },
)

test('the service restores no links, as Daymark restores none', () => {
  const listed = /^tables_not_restored=\((.*)\)$/m.exec(readFileSync(script, 'utf8'))?.[1]
  expect(listed?.split(' ')).toEqual(tablesNotRestored)
})

test('every command that docs/hosting.md tells for these backups is run here', () => {
  const section = hosting.slice(hosting.indexOf('### Of `compose.postgres.yaml`'))
  const commands = [...section.slice(0, section.indexOf('\n## ')).matchAll(/```sh\n(.*?)```/gs)]
    .flatMap(([, block = '']) => block.trim().split('\n'))
    .map((line) => line.replace(/ #.*/, '').replace(/\d{8}[Tt]\d{6}[Zz]/, 'NAME'))
  expect(commands).toEqual([
    'docker compose run --rm backups now',
    'docker compose run --rm backups list',
    'deploy/restore-postgres.sh daymark-NAME',
    'docker compose exec database dropdb --username=daymark daymark_before_NAME',
    documented('ssh'),
    'docker compose cp daymark-NAME backups:/backups/',
  ])
})

function documented(word: string): string {
  return (
    hosting.split('\n').find((line) => line.startsWith('docker compose') && line.includes(` ${word} `)) ?? ''
  )
}

type Environment = Record<string, string> & { PATH: string }

/** A database without tables, under a name that leaves room for what the script adds to it. */
async function emptyDatabase(emptyUrl: () => Promise<string>) {
  const long = new URL(await emptyUrl())
  const name = long.pathname.slice(1, 31)
  await ask(
    Object.assign(new URL(long), { pathname: 'postgres' }).href,
    `alter database "${long.pathname.slice(1)}" rename to "${name}"`,
  )
  const url = Object.assign(new URL(long), { pathname: name }).href
  const folder = newFolder()
  const environment: Environment = {
    PATH: process.env.PATH ?? '',
    PGHOST: long.hostname,
    PGPORT: long.port,
    PGUSER: decodeURIComponent(long.username),
    PGPASSWORD: decodeURIComponent(long.password),
    PGDATABASE: name,
    BACKUP_TO: folder,
  }
  async function migrate(): Promise<void> {
    const database = await openDatabase(url)
    for (const user of ['ada', 'grace']) await addUser(database.auth, 'postgres', user)
    await database.close()
  }
  return { url, environment, folder, migrate }
}

/** The script, in a process group of its own, as the processes of a container end together. */
function start(words: string[], environment: Environment) {
  return spawned('bash', [script, ...words], environment)
}

async function run(words: string[], environment: Environment) {
  const { ended, said } = start(words, environment)
  return { code: await ended, said: said() }
}

function spawned(program: string, words: string[], env: Record<string, string>) {
  const child = spawn(program, words, {
    cwd: repository,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text) => {
      said += text
    })
  }
  const ended = once(child, 'close').then(([code]): number | null => code)
  onTestFinished(() => void child.kill('SIGTERM'))
  return { child, said: () => said, ended }
}

/** A Daymark server as its container runs it. */
async function serve(url: string) {
  const { child, said, ended } = spawned(process.execPath, ['src/app/server.ts'], {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: url,
    PORT: '0',
    LOG_LEVEL: 'error',
    AUTH_SECRET: '0123456789abcdef0123456789abcdef',
  })
  const address = await waitUntil(() => /Daymark is ready at (\S+)/.exec(said())?.[1])
  async function post(what: 'sign-up' | 'sign-in', name: string): Promise<number> {
    const response = await fetch(`${address}/api/auth/${what}/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address },
      body: JSON.stringify({ name, email: `${name}@example.org`, password: 'correct horse battery' }),
    })
    return response.status
  }
  async function stop(): Promise<void> {
    child.kill('SIGTERM')
    await ended
  }
  return { child, post, stop }
}

/**
 * Runs what is typed on a machine with Docker: the commands inside the containers run for real, on the test's own
 * PostgreSQL. `daymark` is the process of that container.
 */
function fakeDocker(environment: Environment, daymark?: ChildProcess) {
  const folder = newFolder()
  const log = join(folder, 'calls')
  const stop = daymark && `kill ${daymark.pid}; while kill -0 ${daymark.pid} 2> /dev/null; do sleep 0.1; done`
  fake(
    folder,
    'docker',
    `echo "$*" >> '${log}'
    case "$*" in
      'compose run --rm backups '*) shift 4; exec bash '${script}' "$@" ;;
      'compose exec -T backups '*) shift 4; exec $(echo "$@" | sed "s|/backups|$BACKUP_TO|") ;;
      'compose exec database '*) shift 3; exec "$@" ;;
      'compose cp '*' backups:/backups/') exec cp -r "$3" "$BACKUP_TO/" ;;
      'compose stop daymark') ${stop ?? ''} ;;
      'compose start daymark') ;;
      *) exit 125 ;;
    esac`,
  )
  fake(folder, 'ssh', 'cd; shift; exec sh -c "$*"')
  return {
    calls: () => readFileSync(log, 'utf8').trim().split('\n'),
    async run(command: string, more: Record<string, string> = {}) {
      const { ended, said } = spawned('bash', ['-c', `set -o pipefail; ${command}`], {
        ...environment,
        ...more,
        PATH: `${folder}${delimiter}${environment.PATH}`,
      })
      return { code: await ended, said: said() }
    },
  }
}

function fake(folder: string, name: string, program: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${program}\n`)
  chmodSync(join(folder, name), 0o755)
}

/** Lets a port of this machine lead to PostgreSQL from now on. */
async function forward(port: number, { PGHOST, PGPORT }: Environment): Promise<void> {
  const server = createServer((client) => {
    const upstream = connect(Number(PGPORT || 5432), PGHOST)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
    client.pipe(upstream).pipe(client)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
}

async function everyRow(url: string) {
  const database = await openPlain(url)
  try {
    return await rowsOf(database, 'postgres')
  } finally {
    await database.close()
  }
}

/** Those that the script made of the one in `url`, and that one. */
async function databases(url: string): Promise<string[]> {
  const name = new URL(url).pathname.slice(1)
  const rows = await ask(url, `select datname from pg_database where starts_with(datname, '${name}')`)
  return rows.map(({ datname }) => datname)
}

async function ask(url: string, statement: string): Promise<{ datname: string }[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ datname: string }>(statement)).rows
  } finally {
    await client.end()
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-postgres-backups-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function pathOf(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}
