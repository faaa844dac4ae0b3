import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readConfiguration } from '#app/settings/configuration.ts'
import { freePort } from '#testing/free-port.ts'
import { waitFor } from '#testing/wait.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

const ofOthers = ['DOMAIN', 'NODE_ENV', 'NODE_COMPILE_CACHE', 'PATH', /^POSTGRES_/, /^PG[A-Z]+(_FILE)?$/]

test.each(['compose.yaml', 'compose.postgres.yaml', 'Dockerfile', 'deploy/daymark.service'])(
  '%s sets only what Daymark knows',
  (file) => {
    const set = [...read(file).matchAll(/^(?: {6}|ENV |Environment=)([A-Z_]+)[:=]/gm)]
    const names = set.flatMap(([, name]) => name ?? [])
    expect(names.length).toBeGreaterThan(2)
    const readme = read('README.md')
    const unknown = names
      .filter(
        (name) => !ofOthers.some((other) => (typeof other === 'string' ? name === other : other.test(name))),
      )
      .filter((name) => !readme.includes(`\`${name.replace(/_FILE$/, '')}\``))
    expect(unknown).toEqual([])
  },
)

test.each([
  ['compose.yaml', 'daymark'],
  ['compose.postgres.yaml', 'daymark'],
  ['compose.postgres.yaml', 'backups'],
])('%s confines %s as the container was tried', (file, name) => {
  const service = serviceIn(file, name)
  const confined = [
    'read_only: true',
    'tmpfs: [/tmp]',
    'cap_drop: [ALL]',
    "security_opt: ['no-new-privileges:true']",
  ]
  expect(confined.filter((line) => !service.includes(`\n    ${line}\n`))).toEqual([])
})

test('compose.postgres.yaml backs up the database that Daymark uses, with the programs of its version', () => {
  const backups = serviceIn('compose.postgres.yaml', 'backups')
  const database = serviceIn('compose.postgres.yaml', 'database')
  const valueIn = (service: string, name: string) => new RegExp(`^ +${name}: (.*)$`, 'm').exec(service)?.[1]
  expect(valueIn(backups, 'image')).toBe(valueIn(database, 'image'))
  expect(valueIn(backups, 'PGDATABASE')).toBe(valueIn(database, 'POSTGRES_DB'))
  expect(valueIn(backups, 'PGUSER')).toBe(valueIn(database, 'POSTGRES_USER'))
  expect(valueIn(backups, 'PGPASSWORD_FILE')).toBe(valueIn(database, 'POSTGRES_PASSWORD_FILE'))
  const [, mounted = '', inside] = /- \.\/(\S+):(\S+):ro/.exec(backups) ?? []
  expect(read(mounted)).toContain('PGPASSWORD_FILE')
  expect(valueIn(backups, 'entrypoint')).toBe(`[bash, ${inside}]`)
  expect(valueIn(backups, 'test')).toBe(`[CMD, bash, ${inside}, healthy]`)
  // What is not declared as a volume goes with the container.
  expect(backups).toContain(`- backups:${valueIn(backups, 'BACKUP_TO')}\n`)
  expect(read('compose.postgres.yaml')).toMatch(/^volumes:\n( {2}\w+:\n)* {2}backups:$/m)
})

const caddyfiles = [...snippets('reverse_proxy'), read('deploy/Caddyfile')]
const nginxConfigurations = snippets('proxy_pass')

test('every configuration of a proxy keeps the metrics from the internet', () => {
  expect(caddyfiles.length + nginxConfigurations.length).toBe(5)
  for (const file of caddyfiles)
    expect(file).toMatch(/@metrics path \/metrics \/metrics\/\*\n\s+respond @metrics 404\n/)
  for (const file of nginxConfigurations)
    expect(file).toContain('location ~ ^/metrics(/|$) {\n    return 404;\n  }')
})

// Neither is needed for anything else, so most machines have none.
test.skipIf(!isInstalled('caddy')).each(caddyfiles)(
  'Caddy takes the configuration %#, and keeps the metrics',
  async (file) => {
    const folder = temporaryFolder()
    const [daymark, port] = [await startDaymark(), await freePort()]
    const runnable = file
      .replace(/^\S+ \{$/m, `http://127.0.0.1:${port} {`)
      .replace('tls internal', '')
      .replace(/\S+:3000/g, `127.0.0.1:${daymark.port}`)
    writeFileSync(join(folder, 'Caddyfile'), `{\n  admin off\n}\n${runnable}`)
    startProxy('caddy', ['run', '--config', join(folder, 'Caddyfile')], folder)
    await expectMetricsKept(port, daymark.asked)
    if (!file.includes('lb_try_duration')) return
    await daymark.stop()
    const waiting = fetch(`http://127.0.0.1:${port}/during-a-restart`)
    await daymark.start()
    expect((await waiting).status).toBe(200)
  },
)

test.skipIf(!isInstalled('nginx')).each(nginxConfigurations)(
  'nginx takes the configuration %#, and keeps the metrics',
  async (server) => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o777)
    const [daymark, port] = [await startDaymark(), await freePort()]
    const runnable = server
      .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
      .replace(/^ *ssl_.*\n/gm, '')
      .replace('127.0.0.1:3000', `127.0.0.1:${daymark.port}`)
    const file = join(folder, 'nginx.conf')
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    writeFileSync(
      file,
      `daemon off; pid ${folder}/pid; events {}\nhttp { access_log off; ${places.join(' ')}\n${runnable} }`,
    )
    startProxy('nginx', ['-c', file, '-p', folder, '-e', 'stderr'], folder)
    await expectMetricsKept(port, daymark.asked)
  },
)

test('the secrets that are made as told are ones that Daymark takes, in a folder that is closed to others', () => {
  const folder = temporaryFolder()
  const commands = /```sh\n(mkdir -m 700 secrets\n.*?)```/s.exec(read('docs/hosting.md'))?.[1] ?? ''
  execFileSync('bash', ['-ec', commands], { cwd: folder })
  const secret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8')
  expect((statSync(join(folder, 'secrets')).mode & 0o777).toString(8)).toBe('700')
  const reading = readConfiguration({
    DATABASE_URL: secret('database-url'),
    AUTH_SECRET: secret('auth-secret'),
  })
  expect(reading).toHaveProperty('configuration')
  expect(new URL(secret('database-url').trim())).toMatchObject({
    username: 'daymark',
    password: secret('database-password').trim(),
    hostname: 'database',
    pathname: '/daymark',
  })
})

test('every message that the troubleshooting explains is one that Daymark says, word for word', () => {
  const hosting = read('docs/hosting.md')
  const rows = hosting.slice(hosting.indexOf('## Troubleshooting')).match(/^\| .* \|$/gm) ?? []
  const symptoms = rows.map((row) => row.split(' | '))
  expect(symptoms.length).toBeGreaterThan(40)
  const quoted = symptoms
    // In the last table, the codes come before the log messages.
    .flatMap(([seen = '', inLog = '']) => (seen.includes('`STORAGE_') ? [seen, inLog] : [seen]))
    .flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))
  const said = whatTheProgramsSay()
  expect(quoted.filter((text) => !said.includes(text))).toEqual([])
})

// It comes with systemd, which not every machine has.
test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
  'the unit is one that systemd reads without a complaint, and confined',
  () => {
    const unit = join(temporaryFolder(), 'daymark.service')
    // systemd checks that the program exists.
    const text = read('deploy/daymark.service')
    writeFileSync(unit, text.replace('/opt/daymark/node_modules/.bin/node', process.execPath))
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    expect(verified.stderr).not.toContain('daymark.service')
    expect(verified.status).toBe(0)
    // Out of 100; without any confinement, it is 96.
    const confined = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit])
    expect(confined.status).toBe(0)
  },
)

/** The configurations in the documentation that contain a word. */
function snippets(word: string): string[] {
  const blocks = read('docs/hosting.md').matchAll(/^ *```\w*\n(.*?)^ *```$/gms)
  return [...blocks].flatMap(([, text = '']) => (text.includes(word) ? [text] : []))
}

function serviceIn(file: string, name: string): string {
  const parts = read(file).split(/^ {2}(?=\w)/m)
  return parts.find((part) => part.startsWith(`${name}:\n`)) ?? ''
}

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}

/** What responds to everything, in the place of Daymark behind a proxy. */
async function startDaymark() {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.end()
  })
  const port = await freePort()
  const start = async () => void (await once(server.listen(port, '127.0.0.1'), 'listening'))
  async function stop() {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  await start()
  onTestFinished(() => void server.close())
  return { asked, port, start, stop }
}

function startProxy(program: string, words: string[], folder: string): void {
  const child = spawn(program, words, {
    env: { ...process.env, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, HOME: folder },
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await once(child, 'close')
  })
}

async function expectMetricsKept(port: number, asked: string[]): Promise<void> {
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
  await waitFor(async () => expect(await statusOf('/metrics-of-mine')).toBe(200))
  for (const path of ['/metrics', '/metrics/', '/metrics/all', '/metrics?all', '//metrics', '/%6detrics'])
    expect(await statusOf(path), path).toBe(404)
  expect(asked.filter((path) => !path.startsWith('/api/health'))).toEqual(['/metrics-of-mine'])
}

/** All string literals in the sources, joined where they span several lines, with … for the variable parts. */
function whatTheProgramsSay(): string {
  return ['src', 'scripts']
    .flatMap((folder) =>
      readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !/\.test\./.test(path))
    .map(read)
    .join('\n')
    .replace(/['"`] \+\s*['"`]/g, '')
    .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…')
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-hosting-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function read(path: string): string {
  return readFileSync(join(repository, path), 'utf8')
}
