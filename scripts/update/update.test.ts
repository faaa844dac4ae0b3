import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { freePort } from '../../testing/free-port.ts'
import { isDeep, randomBelow } from '../../testing/runs.ts'
import { serversIn } from './servers.mjs'
import {
  cloneWithPackages,
  commit,
  end,
  environment,
  git,
  makeBusy,
  migrationThatChangesTables,
  plantRepository,
  plantRepositoryWithHistory,
  remove,
  repository,
  run,
  serverThatStartsOnlyWhereItIsTried,
  signUpWithTask,
  slowModule,
  untilItServes,
  versionAt,
  watch,
} from './testing/planted.ts'

const broken = { 'src/app/server.ts': "throw new Error('planted')\n" }

// Each is the newest with tables of its own; the oldest has other packages, too.
const landed = ['968d172a3efe', '44b2b103ba2e', 'bd6dc3107fe6'].filter(
  (commit) => spawnSync('git', ['cat-file', '-e', commit], { cwd: repository }).status === 0,
)

const postgres = inject('postgres')
const server = 'url' in postgres ? postgres.url : undefined

let folder: string
let origin: string
let address: string
let database: Record<string, string> = {}
const served = new Set<string>()

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'daymark-update-'))
})
beforeEach(async () => {
  address = `http://127.0.0.1:${await freePort()}`
})
afterEach(async () => {
  for (const { pid } of [...served].flatMap((place) => serversIn(place))) await end(pid, 'SIGKILL')
  served.clear()
})
afterAll(() => remove(folder))

// Windows has no such socket, and no process can become another there.
describe.skipIf(process.platform === 'win32')('npm run update', () => {
  let checkout: string

  beforeEach(() => {
    const name = crypto.randomUUID()
    origin = join(folder, `origin-${name}`)
    plantRepository(origin)
    checkout = join(folder, name)
    cloneWithPackages(origin, checkout)
  })

  const update = (...args: string[]) => run(checkout, ['scripts/update/update.mjs', ...args], settings())

  test('serves the next version after seconds; one that cannot start changes nothing, and back is one command', async () => {
    const daymark = await start(checkout)
    const { titles, add } = await signUpWithTask(address)

    const second = commit(origin, 'two')
    const asked = watch(address)
    const updated = await update()
    reportAway('npm run update', await asked.stop())
    expect(updated).toMatchObject({ code: 0, said: expect.stringMatching(/two\) is ready/) })
    expect(await versionAt(address)).toBe('two')
    expect(await titles()).toEqual(['kept'])

    commit(origin, 'three', broken)
    const failed = await update()
    expect(failed.said).toContain('It was not updated. Tried beside, it ended instead of serving:')
    expect(failed.code).toBe(1)
    expect(await versionAt(address)).toBe('two')
    expect(git(checkout, 'rev-parse', 'HEAD')).toBe(second)

    expect(await add('written by the second')).toBe(201)
    expect((await update('--back', '--yes')).said).toMatch(/one\) is ready/)
    expect(await versionAt(address)).toBe('one')
    expect(await titles()).toEqual(['kept', 'written by the second'])
    expect(git(checkout, 'status', '--porcelain')).toBe('')
    // The process stays the one that was started.
    expect(daymark.exitCode).toBeNull()
  })

  test.runIf(isDeep)('brings back a version that fails only in place, on a busy machine', async () => {
    await start(checkout)
    const { titles } = await signUpWithTask(address)
    expect((await update()).said).toMatch(/^This is already .* one\)\.$/m)
    commit(origin, 'two', serverThatStartsOnlyWhereItIsTried(origin))
    const busy = makeBusy(8)
    const asked = watch(address)
    const failed = await update()
    reportAway('npm run update that fails in place, busy', await asked.stop())
    expect(failed.said).toMatch(/two\) does not start: planted\nThe version before serves again/)
    expect(failed.code).toBe(1)
    expect(await versionAt(address)).toBe('one')
    expect(await titles()).toEqual(['kept'])

    commit(origin, 'three', { 'src/app/server.ts': git(origin, 'show', 'HEAD~1:src/app/server.ts') })
    const again = watch(address)
    expect((await update()).code).toBe(0)
    reportAway('npm run update, busy', await again.stop())
    await busy.stop()
    expect(await versionAt(address)).toBe('three')
  })

  test.runIf(isDeep)('goes back over changed tables to the copy from before, and forward again', async () => {
    await start(checkout)
    const { titles, add } = await signUpWithTask(address)
    commit(origin, 'two', migrationThatChangesTables(origin))
    const updated = await update()
    expect(updated).toMatchObject({ code: 0, said: expect.stringContaining('keeps a copy of') })
    expect(await add('written by the second')).toBe(201)

    expect((await update('--back', '--yes')).said).toMatch(/one\) is ready/)
    expect(await titles()).toEqual(['kept'])
    expect(readdirSync(join(checkout, 'data')).join()).toContain('daymark.db.newer-')
    expect(existsSync(join(checkout, 'dist', 'go-back'))).toBe(false)

    expect((await update('--back', '--yes')).said).toMatch(/two\) is ready/)
    expect(await titles()).toEqual(['kept'])
  })

  test.runIf(isDeep && server !== undefined)(
    'on PostgreSQL, does not go back over changed tables',
    async () => {
      const name = `daymark_update_${crypto.randomUUID().replaceAll('-', '')}`
      await query(withDatabase('postgres'), `create database ${name}`)
      database = { DATABASE_URL: withDatabase(name), AUTH_SECRET: crypto.randomUUID() }
      try {
        await start(checkout)
        const { titles } = await signUpWithTask(address)
        commit(origin, 'two', migrationThatChangesTables(origin))
        const asked = watch(address)
        expect((await update()).said).toMatch(/two\) is ready/)
        reportAway('npm run update on PostgreSQL', await asked.stop())
        const back = await update('--back', '--yes')
        expect(back.said).toContain('The database is newer than this program')
        expect(back.said).toContain('restore a backup first')
        expect(back.code).toBe(1)
        expect(await versionAt(address)).toBe('two')
        expect(await titles()).toEqual(['kept'])
      } finally {
        for (const { pid } of serversIn(checkout)) await end(pid)
        database = {}
        await query(withDatabase('postgres'), `drop database ${name} with (force)`)
      }
    },
  )

  test.runIf(isDeep)('leaves one that can update no table as it is', async () => {
    await start(checkout)
    const files = migrationThatChangesTables(origin)
    const failing = Object.entries(files).map(([path, text]) => [
      path,
      text.replace('create table', 'alter table'),
    ])
    commit(origin, 'two', Object.fromEntries(failing))
    await signUpWithTask(address)
    const failed = await update()
    expect(failed.said).toContain('It was not updated. Tried')
    expect(await versionAt(address)).toBe('one')
  })

  test.runIf(isDeep)(
    'says why it does nothing where files were changed, or there is no checkout',
    async () => {
      writeFileSync(join(checkout, 'LICENSE'), 'changed')
      expect(await update()).toMatchObject({
        code: 1,
        said: expect.stringContaining('Files of this checkout were changed'),
      })
      remove(join(checkout, '.git'))
      expect(await update()).toMatchObject({ code: 1, said: expect.stringContaining('is no git checkout') })
    },
  )

  test.runIf(isDeep)(
    'killed at any moment of the swap, one version starts again, with everything',
    async () => {
      const below = randomBelow()
      const killed = new WeakSet<ChildProcess>()
      let pid = (await start(checkout)).pid
      const { titles } = await signUpWithTask(address)
      for (let round = 0; round < 12; round++) {
        const next = commit(origin, `round ${round}`)
        const before = git(checkout, 'rev-parse', 'HEAD')
        const delay = below(round % 2 ? 1500 : 60)
        await run(checkout, ['scripts/update/update.mjs'], settings(), (_said, child) => {
          void killOnce(child, delay)
        })
        pid = (await start(checkout)).pid
        expect([before, next]).toContain(git(checkout, 'rev-parse', 'HEAD'))
        expect(git(checkout, 'status', '--porcelain')).toBe('')
        const inPlace = git(checkout, 'show', 'HEAD:public/version.txt')
        expect(await versionAt(address)).toBe(inPlace)
        expect(await titles()).toEqual(['kept'])
      }

      /** Once the swap begins, and a moment later. */
      async function killOnce(child: ChildProcess, delay: number) {
        if (killed.has(child)) return
        killed.add(child)
        while (!existsSync(join(checkout, '.update', 'swap.json')) && child.exitCode === null) await pause(1)
        await pause(delay)
        await end(pid, 'SIGKILL')
        child.kill('SIGKILL')
      }
    },
  )
})

describe.runIf(isDeep && landed.length > 0)('an older landed version, with real builds', () => {
  let today: string

  beforeAll(() => {
    origin = join(folder, 'history')
    plantRepositoryWithHistory(origin)
    today = join(folder, 'today')
    cloneWithPackages(origin, today, { real: true })
  }, 600_000)

  test.each(landed)('%s is updated by today, and today by the next one', async (from) => {
    const older = join(folder, from)
    git(folder, 'clone', '--quiet', origin, older)
    git(older, 'reset', '--quiet', '--hard', from)
    const daymark = await startByNpm(older)
    const { titles } = await signUpWithTask(address)
    const asked = watch(address)
    let stopped = false
    const updated = await run(today, ['scripts/update/update.mjs', '--of', older], settings(), (said) => {
      if (stopped || !said.includes('Everything is ready.')) return
      stopped = true
      daymark.kill('SIGTERM')
    })
    expect(updated).toMatchObject({ code: 0, said: expect.stringContaining('Start it: npm start') })
    await startByNpm(older)
    reportAway(`${from} by --of, started by hand`, await asked.stop())
    expect(await titles()).toEqual(['kept'])
    expect(git(older, 'rev-parse', 'HEAD')).toBe(git(today, 'rev-parse', 'HEAD'))

    commit(origin, `after ${from}`, migrationOnce())
    const again = watch(address)
    const updatedByNpm = await run(older, ['run', 'update'], settings(), undefined, 'npm')
    expect(updatedByNpm.said).toContain('is ready')
    reportAway(`today to a planted next one, after ${from}`, await again.stop())
    expect(await titles()).toEqual(['kept'])
    expect(await versionAt(address)).toBe(`after ${from}`)
  })

  test('a build waits for a module for as long as it takes', async () => {
    remove(join(today, 'dist'))
    const env = environment({ NODE_OPTIONS: `--import=${slowModule(folder)}` })
    const built = await run(today, ['scripts/web-build.mjs'], env)
    expect(built, built.said).toMatchObject({ code: 0 })
  })

  function migrationOnce(): Record<string, string> {
    const isThere = existsSync(join(origin, 'src/platform/database/migrations/9999-planted.ts'))
    return {
      'src/app/shell/planted.ts': `export {} // ${address}\n`,
      ...(isThere ? {} : migrationThatChangesTables(origin)),
    }
  }
})

describe.runIf(isDeep && process.platform === 'linux')('npm run deploy', () => {
  test('serves the next version after seconds; one that cannot start changes nothing, and back is one command', async () => {
    origin = join(folder, 'origin-of-deploy')
    plantRepository(origin)
    const source = join(folder, 'source')
    // Node is most of what is copied.
    cloneWithPackages(origin, source, { without: /^(\.bin|node-)/ })
    const target = join(folder, 'opt')
    const { supervise, supervised } = supervisorOf(target)
    const env = environment({ PATH: `${folder}:${process.env.PATH}` })
    const deploy = (...args: string[]) => run(source, ['scripts/deploy.mjs', target, ...args], env)
    const next = (title: string, files?: Record<string, string>) => {
      commit(origin, title, files)
      git(source, 'pull', '--quiet')
    }
    expect((await deploy()).said).toContain('None was running there')
    supervise('start')
    try {
      await untilItServes(address)
      const { titles, add } = await signUpWithTask(address)

      // As the systemd unit that it finds.
      next('two', migrationThatChangesTables(origin))
      const asked = watch(address)
      const deployed = await deploy()
      reportAway('npm run deploy', await asked.stop())
      expect(deployed).toMatchObject({ code: 0, said: expect.stringContaining(`Daymark is in ${target}`) })
      expect(await versionAt(address)).toBe('two')
      expect(await titles()).toEqual(['kept'])

      const server = readFileSync(join(origin, 'src/app/server.ts'), 'utf8')
      next('three', broken)
      expect((await deploy()).said).toContain('Tried beside, it ended instead of serving:')
      next('four', { 'src/app/server.ts': server })
      next('five', serverThatStartsOnlyWhereItIsTried(origin))
      const byCommands = ['--stop', `${folder}/supervise stop`, '--start', `${folder}/supervise start`]
      const busy = makeBusy(8)
      const again = watch(address)
      const failed = await deploy(...byCommands)
      reportAway('npm run deploy that fails in place, busy', await again.stop())
      await busy.stop()
      expect(failed.said).toContain('The version before serves again')
      expect(failed.code).toBe(1)
      expect(await versionAt(address)).toBe('two')

      expect(await add('written by the second')).toBe(201)
      expect((await deploy('--back', '--yes', ...byCommands)).code).toBe(0)
      expect(await versionAt(address)).toBe('one')
      expect(await titles()).toEqual(['kept'])

      const below = randomBelow()
      next('six', { 'src/app/server.ts': server })
      for (let round = 0; round < 12; round++) {
        let killed = false
        await run(source, ['scripts/deploy.mjs', target, ...byCommands], env, async (_said, child) => {
          if (killed) return
          killed = true
          while (!existsSync(join(target, '.update.json')) && child.exitCode === null) await pause(1)
          await pause(below(round % 2 ? 1500 : 40))
          child.kill('SIGKILL')
        })
        const back = await deploy('--back', '--yes', ...byCommands)
        expect(back, back.said).toMatchObject({ code: 0 })
        await untilItServes(address)
        expect(await titles()).toEqual(['kept'])
      }
    } finally {
      await end(supervised(), 'SIGKILL')
    }
  })

  /** A stand-in for systemd, with one unit; and the same by commands of its own. */
  function supervisorOf(target: string) {
    const pidFile = join(folder, 'pid')
    const program = `#!/bin/sh
case "$1" in
  show) printf 'ActiveState=active\\nWorkingDirectory=%s\\n' '${target}' ;;
  stop) kill "$(cat '${pidFile}')" || true ;;
  start) cd '${target}' && PORT=${new URL(address).port} RATE_LIMIT=off setsid '${process.execPath}' src/app/server.ts > '${folder}/log' 2>&1 &
    echo $! > '${pidFile}' ;;
esac
`
    for (const name of ['systemctl', 'supervise']) writeFileSync(join(folder, name), program, { mode: 0o755 })
    return {
      supervise: (command: string) =>
        spawnSync(join(folder, 'supervise'), [command], { stdio: 'ignore', env: environment() }),
      supervised: () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : undefined),
    }
  }
})

function settings(): NodeJS.ProcessEnv {
  return environment({ PORT: new URL(address).port, ...database })
}

function withDatabase(name: string): string {
  const url = new URL(server ?? '')
  url.pathname = name
  return url.href
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** As npm start does, but without npm. */
async function start(checkout: string): Promise<ChildProcess> {
  const finish = join(checkout, '.update', 'program', 'finish.mjs')
  if (existsSync(join(checkout, '.update', 'swap.json'))) await run(checkout, [finish], settings())
  return untilReady(checkout, process.execPath, 'scripts/start.mjs')
}

function startByNpm(checkout: string): Promise<ChildProcess> {
  return untilReady(checkout, 'npm', 'start')
}

async function untilReady(checkout: string, command: string, ...args: string[]): Promise<ChildProcess> {
  served.add(checkout)
  const child = spawn(command, args, { cwd: checkout, env: settings(), stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = once(child, 'close').then(() => {
    throw new Error(`It ended instead of serving:\n${said}`)
  })
  await Promise.race([untilItServes(address), ended])
  // Its end is no longer a surprise.
  ended.catch(() => undefined)
  return child
}

function reportAway(way: string, seconds: number): void {
  process.stderr.write(`${way}: nothing served for ${seconds.toFixed(1)} s.\n`)
}
