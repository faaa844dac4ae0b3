import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readConfiguration } from '#app/configuration.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))

const ofOthers = ['DOMAIN', 'NODE_ENV', 'NODE_COMPILE_CACHE', 'PATH', /^POSTGRES_/]

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

test.each(['compose.yaml', 'compose.postgres.yaml'])('%s confines it as the container was tried', (file) => {
  const service = read(file)
    .split(/^ {2}(?=\w)/m)
    .find((part) => part.startsWith('daymark:'))
  const confined = [
    'read_only: true',
    'tmpfs: [/tmp]',
    'cap_drop: [ALL]',
    "security_opt: ['no-new-privileges:true']",
  ]
  expect(confined.filter((line) => !service?.includes(`\n    ${line}\n`))).toEqual([])
})

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
