// Brings node_modules to what package-lock.json says, Node itself included, and does nothing when it is
// there already. Runs on whatever old Node the machine has (16 and later), so: old syntax, no packages.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  hasOwnNode,
  isNodeRight,
  libc,
  linkOwnNode,
  nodeVersion,
  ownNodeFile,
  ownNodeVersion,
  unlinkOwnNode,
  wantedNode,
  whatToDoAboutNode,
} from './own-node.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const stamp = join(modules, '.daymark-setup')

const nodeOfNpm = process.env.npm_node_execpath || process.execPath

async function main() {
  // Second in line in scripts/run, by npm's own Node: wanted when node_modules/.bin/node, which is found first, is broken
  // or of another system. Otherwise the first in line ran, and has said why it failed.
  if (process.argv.includes('--repair') && (!hasOwnNode() || ownNodeVersion() !== undefined)) {
    process.exitCode = 1
    return
  }
  const wanted = hashOfWishes()
  const reason = reasonToInstall(wanted)
  if (reason === undefined) {
    say('up to date.')
    return
  }

  say(`${reason}; installing the packages of package-lock.json (about a minute the first time) ...`)
  // Gone before the work begins, so that an interrupted one is not taken for a finished one.
  rmSync(stamp, { force: true })
  const started = Date.now()
  const failure = (await install(nodeOfNpm)) || (await installWhatWasLeftOut())
  if (failure) {
    say(`failed: ${failure}`)
    process.exitCode = 1
    return
  }
  const arrived = hasOwnNode()
  if (arrived && ownNodeVersion() === undefined) unlinkOwnNode()
  if (!isNodeRight()) {
    say(`failed: ${whatToDoAboutNode(arrived ? 'does not start on this machine' : 'did not arrive')}`)
    process.exitCode = 1
    return
  }
  writeFileSync(stamp, wanted)
  say(`done in ${Math.round((Date.now() - started) / 1000)} s, with Node ${nodeVersion()}.`)
}

/** What the installed packages depend on; a changed script or description installs nothing again. */
function hashOfWishes() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const wishes = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides']
  const hash = createHash('sha256')
  hash.update(JSON.stringify(wishes.map((name) => manifest[name])))
  hash.update(readFileSync(join(root, 'package-lock.json')))
  hash.update(`${process.platform} ${process.arch} ${libc()}`)
  return hash.digest('hex')
}

/** @param {string} wanted */
function reasonToInstall(wanted) {
  if (!existsSync(modules)) return 'node_modules is not there'
  if (!existsSync(stamp)) return 'node_modules is not known to be complete'
  if (readFileSync(stamp, 'utf8') !== wanted) return 'what package-lock.json asks for has changed'
  const lost = lostPackage()
  if (lost !== undefined) return `${lost} is missing`
  if (!isNodeRight()) return `node_modules/.bin/node is not ${wantedNode}`
  return undefined
}

/** The first package, or command of one, that npm had installed and that is there no more. */
function lostPackage() {
  const record = join(modules, '.package-lock.json')
  if (!existsSync(record)) return 'node_modules/.package-lock.json'
  for (const [path, entry] of Object.entries(JSON.parse(readFileSync(record, 'utf8')).packages)) {
    if (!existsSync(join(root, path, 'package.json'))) return path
    const isTopLevel = path.lastIndexOf('node_modules/') === 0
    for (const command of isTopLevel ? Object.keys(entry.bin || {}) : []) {
      if (command !== 'node' && !existsSync(join(modules, '.bin', command)))
        return `node_modules/.bin/${command}`
    }
  }
  return undefined
}

/**
 * Runs npm ci by a Node of one's choice. Resolves to what went wrong, if anything did.
 * @param {string} node
 * @returns {Promise<string | undefined>}
 */
function install(node) {
  const args = [
    'ci',
    // NODE_ENV=production or a user's .npmrc would leave out what the build, or Node itself, comes from.
    '--include=dev',
    '--include=optional',
    // The Node that runs npm here may be older than packages wish; they run on the one being installed.
    '--engine-strict=false',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ]
  // npm tells its scripts where it is (yarn and pnpm say it of themselves); else the one on the PATH has to do.
  const told = process.env.npm_execpath || ''
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
  const child = told.endsWith('npm-cli.js')
    ? spawn(node, [told, ...args], { cwd: root, env, stdio: 'inherit' })
    : spawn('npm', args, { cwd: root, env, stdio: 'inherit', shell: process.platform === 'win32' })

  const stop = () => child.kill('SIGTERM')
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // The shell between npm and this script dies of a SIGTERM without handing it on.
  const parent = process.ppid
  const orphaned = setInterval(() => process.ppid !== parent && stop(), 1000)
  // npm draws its progress on a terminal only; elsewhere this line says that it is alive.
  const started = Date.now()
  const pulse = process.stderr.isTTY
    ? undefined
    : setInterval(() => say(`still installing (${Math.round((Date.now() - started) / 1000)} s) ...`), 10_000)

  return new Promise((resolve) => {
    const end = (/** @type {string | undefined} */ failure) => {
      clearInterval(pulse)
      clearInterval(orphaned)
      resolve(failure)
    }
    child.once('error', (error) => end(`npm could not be started (${error.message}).`))
    child.once('exit', (code, signal) => {
      if (code === 0) end(undefined)
      else if (signal) end(`npm ci was ended by ${signal}.`)
      else end(`npm ci ended with ${code}, its message is above. ${whatToDoAboutInstalling}`)
    })
  })
}

/**
 * Run by a Node older than they wish, npm leaves the packages with native code out, which are all optional, without a
 * word. Then it is run once more, by the Node that has just arrived.
 * @returns {Promise<string | undefined>} what went wrong, if anything did
 */
async function installWhatWasLeftOut() {
  linkOwnNode()
  const file = ownNodeFile()
  if (file === undefined || ownNodeVersion() !== wantedNode || packagesLeftOut().length === 0)
    return undefined
  say(`npm, run by an old Node, left out ${packagesLeftOut().join(', ')}; once more with ${wantedNode} ...`)
  const folder = mkdtempSync(join(tmpdir(), 'daymark-node-'))
  try {
    // A copy, since npm removes the original with everything else before it begins.
    const copy = join(folder, basename(file))
    copyFileSync(file, copy)
    const failure = await install(copy)
    if (failure) return failure
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  linkOwnNode()
  const lost = packagesLeftOut()
  if (lost.length === 0) return undefined
  return `npm left out ${lost.join(', ')}, which this machine needs. Delete node_modules and run this again.`
}

/** What the lock file has for just this kind of machine and is not there. */
function packagesLeftOut() {
  /** @type {Record<string, { optional?: boolean, os?: string | string[], cpu?: string | string[], libc?: string | string[] }>} */
  const packages = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  return Object.entries(packages)
    .filter(([, { optional, os, cpu }]) => optional && (os || cpu))
    .filter(
      ([, { os, cpu, libc: c }]) => fits(os, process.platform) && fits(cpu, process.arch) && fits(c, libc()),
    )
    .map(([path]) => path)
    .filter((path) => !existsSync(join(root, path, 'package.json')))
}

/**
 * @param {string | string[] | undefined} wanted
 * @param {string} actual
 */
function fits(wanted, actual) {
  return wanted === undefined || [wanted].flat().includes(actual)
}

const whatToDoAboutInstalling = `What it may be, and what then helps:
  - no connection, or a proxy in between: try \`npm ping\`, set npm's proxy, run this again
  - "npm ci can only install packages when ... in sync": package.json was edited; run \`npm install\`
  - ENOTEMPTY, EBUSY or EPERM: something still uses node_modules; stop it, delete node_modules, run this again
  - ENOSPC: the disk is full (about 500 MB are needed)`

/** @param {string} line */
function say(line) {
  process.stderr.write(`Set-up: ${line}\n`)
}

await main()
