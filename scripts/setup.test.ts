import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

// npm is the outside world here: this one puts down one package and Node, or fails as it is told to.
const pretendedNpm = `
const fs = require('fs')
fs.appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n')
if (process.env.PRETEND === 'offline') {
  console.error('npm error code ECONNREFUSED')
  process.exit(1)
}
fs.rmSync('node_modules', { recursive: true, force: true })
fs.mkdirSync('node_modules/.bin', { recursive: true })
for (const folder of ['thing', 'native', 'node-for-this/bin']) {
  fs.mkdirSync('node_modules/' + folder, { recursive: true })
}
fs.writeFileSync('node_modules/thing/package.json', '{}')
fs.writeFileSync('node_modules/native/package.json', '{}')
fs.symlinkSync(process.env.REAL_NODE, 'node_modules/node-for-this/bin/node')
fs.writeFileSync('node_modules/.bin/thing', '')
fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({
  packages: { 'node_modules/thing': { bin: { thing: 'thing.js' } } },
}))
if (process.env.PRETEND === 'no node') {
  fs.rmSync('node_modules/node-for-this', { recursive: true })
  process.exit(0)
}
const runByOldNode = process.execPath === process.env.REAL_NODE
if (process.env.PRETEND === 'never complete' || (process.env.PRETEND === 'npm 9' && runByOldNode)) {
  fs.rmSync('node_modules/native', { recursive: true })
}
if (process.env.PRETEND === 'npm 9') process.exit(0)
if (process.env.PRETEND === 'broken node') fs.writeFileSync('node_modules/.bin/node', 'no program', { mode: 0o755 })
else fs.symlinkSync(process.env.REAL_NODE, 'node_modules/.bin/node')
`

const lockedPackages = {
  'node_modules/native': { optional: true, os: [process.platform], cpu: [process.arch] },
  'node_modules/native-elsewhere': { optional: true, os: ['plan9'] },
  'node_modules/part-of-something-elsewhere': { optional: true },
}
const lock = JSON.stringify({ packages: lockedPackages })
const changedLock = JSON.stringify({ packages: lockedPackages, changed: true })

let tree: string

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'daymark-setup-'))
  mkdirSync(join(tree, 'scripts'))
  for (const name of ['run', 'setup.mjs', 'own-node.mjs']) {
    cpSync(fileURLToPath(new URL(name, import.meta.url)), join(tree, 'scripts', name))
  }
  writeManifest({ dependencies: { thing: '1.0.0' } })
  writeFileSync(join(tree, 'package-lock.json'), lock)
  writeFileSync(join(tree, 'npm-cli.js'), pretendedNpm)
  // An old Node as the machine's own, which the real one must not be taken for.
  mkdirSync(join(tree, 'bin'))
  writeFileSync(join(tree, 'bin', 'node'), '#!/bin/sh\necho v18.0.0\n', { mode: 0o755 })
})

afterEach(() => rmSync(tree, { recursive: true }))

test('a clone without node_modules is set up, and says so', () => {
  const { status, said } = setup()
  expect(said).toContain('Set-up: node_modules is not there; installing the packages')
  expect(said).toMatch(/Set-up: done in \d+ s, with Node v/)
  expect(said).toContain(process.version)
  expect(status).toBe(0)
})

test('a current node_modules is left alone', () => {
  setup()
  expect(setup()).toEqual({ status: 0, said: 'Set-up: up to date.\n' })
  expect(npmCalls()).toHaveLength(1)
})

test('development and optional packages come whatever the environment says', () => {
  setup()
  expect(npmCalls()[0]).toMatch(/^ci --include=dev --include=optional /)
})

test.each<[stale: string, spoil: () => void]>([
  ['a changed lock file', () => writeFileSync(join(tree, 'package-lock.json'), changedLock)],
  ['a changed dependency', () => writeManifest({ dependencies: { thing: '2.0.0' } })],
  ['a package that was deleted', () => rmSync(join(tree, 'node_modules', 'thing'), { recursive: true })],
  ['a command that was deleted', () => rmSync(join(tree, 'node_modules', '.bin', 'thing'))],
  ['a Node that was deleted', () => rmSync(join(tree, 'node_modules', '.bin', 'node'))],
  ['another Node', () => replaceNode('#!/bin/sh\necho v25.0.0\n')],
  ['an installation that failed half-way', failHalfWay],
])('%s is set up again', (_stale, spoil) => {
  setup()
  spoil()
  const before = npmCalls().length
  const { status, said } = setup()
  expect(said).toContain('Set-up: done')
  expect(status).toBe(0)
  expect(npmCalls()).toHaveLength(before + 1)
})

test('a changed script or description installs nothing again', () => {
  setup()
  writeManifest({ dependencies: { thing: '1.0.0' }, description: 'other', scripts: { x: 'y' } })
  expect(setup().said).toBe('Set-up: up to date.\n')
})

test('when npm fails, its own message and what may help are shown', () => {
  const { status, said } = setup({ PRETEND: 'offline' })
  expect(status).toBe(1)
  expect(said).toContain('npm error code ECONNREFUSED')
  expect(said).toContain('Set-up: failed: npm ci ended with 1, its message is above.')
  expect(said).toContain('no connection')
})

test('a Node that silently did not arrive is told, with what to do', () => {
  const { status, said } = setup({ PRETEND: 'no node' })
  expect(status).toBe(1)
  expect(said).toContain(`the package that brings Node ${process.version} did not arrive`)
  expect(said).toContain(`install Node ${process.version.slice(1)} or a later 26`)
})

test('a Node that arrived but does not start is told, and put out of the way', () => {
  const { status, said } = setup({ PRETEND: 'broken node' })
  expect(status).toBe(1)
  expect(said).toContain(`the package that brings Node ${process.version} does not start on this machine`)
  expect(setup({ PRETEND: 'no node' }).said).toContain('did not arrive')
})

test('an old npm and Node that leave out what the new Node needs are helped on', () => {
  const { status, said } = setup({ PRETEND: 'npm 9' })
  expect(said).toContain('left out node_modules/native; once more with')
  expect(said).toContain('Set-up: done in')
  expect(status).toBe(0)
  expect(npmCalls()).toHaveLength(2)
  expect(setup().said).toBe('Set-up: up to date.\n')
})

test('what npm leaves out even then is told', () => {
  const { status, said } = setup({ PRETEND: 'never complete' })
  expect(said).toContain('Set-up: failed: npm left out node_modules/native, which this machine needs.')
  expect(status).toBe(1)
})

test("where no Node arrives, the machine's own of the same line serves", () => {
  writeFileSync(join(tree, 'bin', 'node'), '#!/bin/sh\necho v26.99.0\n', { mode: 0o755 })
  expect(setup({ PRETEND: 'no node' })).toMatchObject({ status: 0 })
  expect(setup().said).toBe('Set-up: up to date.\n')
})

test('a node_modules of another system, whose Node cannot even run this script, is repaired', () => {
  setup()
  replaceNode('no program')
  expect(repair().said).toContain('Set-up: done')
})

test('a command waits for the set-up, and is run by the Node that has just arrived', () => {
  const printVersion = ['node', '-p', 'process.version']
  expect(begin(printVersion).said).toMatch(new RegExp(`Set-up: done in .*\\n${process.version}\\n$`, 's'))
  replaceNode('no program')
  expect(begin(printVersion).said).toMatch(new RegExp(`Set-up: done in .*\\n${process.version}\\n$`, 's'))
})

test('a command is not run where the set-up failed', () => {
  expect(begin(['echo', 'done'], { PRETEND: 'offline' })).toMatchObject({ status: 1 })
  expect(begin(['echo', 'done'], { PRETEND: 'offline' }).said).not.toMatch(/^done$/m)
})

test('a repair adds nothing to a failure that was told already', () => {
  setup()
  expect(repair()).toEqual({ status: 1, said: '' })
})

test('whoever has Node 20.19 or later waits for one installation: the lock file has nothing that npm leaves out', () => {
  const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')
  const packages: Record<string, { os?: string[]; cpu?: string[]; engines?: { node?: string } }> =
    JSON.parse(text).packages
  const kinds = Object.entries(packages).filter(([path]) => /^node_modules\/node-[\w-]+$/.test(path))
  const native = Object.entries(packages).filter(([, { os, cpu }]) =>
    kinds.some(([, kind]) => os && cpu && kind.os?.includes(`${os}`) && kind.cpu?.includes(`${cpu}`)),
  )
  expect(native.length).toBeGreaterThan(30)
  for (const node of ['20.19.0', '20.20.2', '22.12.0', '24.0.0', process.versions.node]) {
    const leftOut = native.filter(([, { engines }]) => !admits(engines?.node ?? '*', node))
    expect(leftOut.map(([path, { engines }]) => `${path} wants Node ${engines?.node}, not ${node}`)).toEqual(
      [],
    )
  }
})

test.each([
  ['^22.20 || ^24.12 || >=25', '20.20.2', false],
  ['^22.20 || ^24.12 || >=25', '24.12.0', true],
  ['^20.19.0 || >=22.12.0', '20.18.3', false],
  ['^20.19.0 || >=22.12.0', '22.0.0', false],
  ['>= 10', '20.19.0', true],
])('a package that wants Node %s is installed by %s: %s', (range, node, installed) => {
  expect(admits(range, node)).toBe(installed)
})

/** As npm reads the ranges that our packages use, and no others. */
function admits(range: string, node: string): boolean {
  return range.split('||').some((part) => {
    const read = /^\s*(?<operator>\^|>=|\*)\s*(?<version>[\d.]*)\s*$/.exec(part)?.groups
    if (read === undefined) throw new Error(`A range of another kind: ${range}`)
    const { operator, version = '' } = read
    const least = [0, 1, 2].map((place) => Number(version.split('.')[place] ?? 0))
    const found = node.split('.').map(Number)
    if (operator === '^' && found[0] !== least[0]) return false
    const differs = [0, 1, 2].find((place) => found[place] !== least[place])
    return differs === undefined || (found[differs] ?? 0) > (least[differs] ?? 0)
  })
}

function failHalfWay(): void {
  writeFileSync(join(tree, 'package-lock.json'), changedLock)
  setup({ PRETEND: 'offline' })
  writeFileSync(join(tree, 'package-lock.json'), lock)
}

function writeManifest(parts: Record<string, unknown>): void {
  const optionalDependencies = { 'node-for-this': process.version.slice(1) }
  writeFileSync(join(tree, 'package.json'), JSON.stringify({ ...parts, optionalDependencies }))
}

function replaceNode(text: string): void {
  rmSync(join(tree, 'node_modules', '.bin', 'node'))
  writeFileSync(join(tree, 'node_modules', '.bin', 'node'), text, { mode: 0o755 })
}

function npmCalls(): string[] {
  return readFileSync(join(tree, 'npm-calls'), 'utf8').trim().split('\n')
}

function setup(environment: Record<string, string> = {}) {
  return run([], environment)
}

function repair() {
  return run(['--repair'], {})
}

function run(args: string[], environment: Record<string, string>) {
  return spawn(process.execPath, [join(tree, 'scripts', 'setup.mjs'), ...args], environment)
}

/** As an npm script begins, on a machine whose own Node can do no more than the set-up. */
function begin(command: string[], environment: Record<string, string> = {}) {
  const setUpOnly = `#!/bin/sh\n[ "$1" = scripts/setup.mjs ] && exec "$REAL_NODE" "$@"\necho v18.0.0\n`
  writeFileSync(join(tree, 'bin', 'node'), setUpOnly)
  const PATH = [join(tree, 'node_modules', '.bin'), join(tree, 'bin'), '/usr/bin', '/bin'].join(':')
  return spawn('sh', ['-c', `exec scripts/run ${command.join(' ')}`], { PATH, ...environment })
}

function spawn(command: string, args: string[], environment: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: tree,
    encoding: 'utf8',
    env: {
      PATH: `${join(tree, 'bin')}:/usr/bin:/bin`,
      REAL_NODE: process.execPath,
      npm_execpath: join(tree, 'npm-cli.js'),
      npm_node_execpath: process.execPath,
      ...environment,
    },
  })
  return { status, said: stderr + stdout }
}
