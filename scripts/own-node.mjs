// The Node that npm brings (docs/decisions/0002-npm-brings-node.md): whether it is installed, starts, and is the right
// one. Part of the setup, so it uses old syntax and no packages.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const link = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
const binary = join('bin', process.platform === 'win32' ? 'node.exe' : 'node')

const packages = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies

export const wantedNode = `v${Object.values(packages)[0]}`

/** Whether node_modules/.bin/node exists, even if it doesn't start. */
export function hasOwnNode() {
  return existsSync(link)
}

/** The version of node_modules/.bin/node; undefined if it doesn't exist or doesn't start. */
export function ownNodeVersion() {
  return hasOwnNode() ? versionOf(link) : undefined
}

/** The version of the Node that the npm scripts will find: ours, or else the machine's. */
export function nodeVersion() {
  return hasOwnNode() ? ownNodeVersion() : versionOf('node')
}

export function isNodeRight() {
  if (hasOwnNode()) return ownNodeVersion() === wantedNode
  // If no package with Node exists, the machine's own is used if it has the same major version and isn't older.
  const [major = 0, minor = 0] = numbersOf(nodeVersion())
  const [wantedMajor = 0, wantedMinor = 0] = numbersOf(wantedNode)
  return major === wantedMajor && minor >= wantedMinor
}

/** The installed file of our Node; undefined if its package wasn't installed. */
export function ownNodeFile() {
  const name = packageName()
  return name === undefined ? undefined : join(modules, name, binary)
}

/** npm 9 installs the package with Node, but removes its command again along with those for other systems. */
export function linkOwnNode() {
  const name = packageName()
  if (name === undefined || hasOwnNode()) return
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true })
  if (process.platform === 'win32') writeFileSync(link, `@"%~dp0\\..\\${name}\\${binary}" %*\r\n`)
  else symlinkSync(join('..', name, binary), link)
}

/** One that doesn't start would take precedence over the machine's own. */
export function unlinkOwnNode() {
  rmSync(link, { force: true })
}

/**
 * npm silently skips a failed optional dependency, and Node is one.
 * @param {string} found what happened to it
 */
export function whatToDoAboutNode(found) {
  return `the package that brings Node ${wantedNode} ${found} (${process.platform} ${process.arch} ${libc()}).
  Daymark runs on Node ${wantedNode}. Packages with it exist for Linux (glibc) and macOS on x64 and arm64, and for
  Windows on x64. If this is one of them, the download failed: delete node_modules and run this again. Where it is there
  and does not start, a small Linux lacks libatomic: \`apt-get install libatomic1\`, and run this again.
  If it is not, install Node ${wantedNode.slice(1)} or a later 26 from https://nodejs.org and run this again with it.`
}

export function libc() {
  if (process.platform !== 'linux' || !existsSync('/lib')) return ''
  return readdirSync('/lib').some((name) => name.startsWith('ld-musl-')) ? 'musl' : 'glibc'
}

/** There is one package with Node for each kind of machine, and npm installs the one that fits. */
function packageName() {
  return Object.keys(packages).find((name) => existsSync(join(modules, name, binary)))
}

/** @param {string} command */
function versionOf(command) {
  const asked = spawnSync(command, ['-v'], { encoding: 'utf8', shell: process.platform === 'win32' })
  return asked.status === 0 ? asked.stdout.trim() : undefined
}

/** @param {string | undefined} version */
function numbersOf(version) {
  return (version || '').replace(/^v/, '').split('.').map(Number)
}
