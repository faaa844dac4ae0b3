// Brings node_modules to what package-lock.json says, Node itself included, and does nothing when it is
// there already. Runs on whatever old Node the machine has (16 and later), so: old syntax, no packages.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const stamp = join(modules, '.daymark-setup')
const ownNode = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const wantedNode = `v${Object.values(manifest.optionalDependencies)[0]}`

async function main() {
  // Second in line in the npm scripts, run by npm's own Node: wanted when node_modules/.bin/node, which they
  // find first, is broken or of another system. Otherwise the first in line ran, and has said why it failed.
  if (process.argv.includes('--repair') && (!existsSync(ownNode) || nodeVersion() !== undefined)) {
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
  const failure = await install()
  if (failure !== undefined) {
    say(`failed: ${failure}`)
    process.exitCode = 1
    return
  }
  const arrived = existsSync(ownNode)
  // One that does not start would stand before the machine's own.
  if (arrived && nodeVersion() === undefined) rmSync(ownNode)
  if (!isNodeRight()) {
    say(whatToDoAboutNode(arrived ? 'does not start on this machine' : 'did not arrive'))
    process.exitCode = 1
    return
  }
  if (process.platform === 'win32') teachExec()
  writeFileSync(stamp, wanted)
  say(
    `done in ${Math.round((Date.now() - started) / 1000)} s, with Node ${versionOf(existsSync(ownNode) ? ownNode : 'node')}.`,
  )
}

/**
 * The npm scripts begin with `exec`, so that no shell stands between npm and the program to swallow a SIGTERM.
 * Windows has no such word, and no such signal either.
 */
function teachExec() {
  writeFileSync(join(modules, '.bin', 'exec.cmd'), '@%*\r\n')
}

/** What the installed packages depend on; a changed script or description installs nothing again. */
function hashOfWishes() {
  const wishes = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides']
  const hash = createHash('sha256')
  hash.update(JSON.stringify(wishes.map((name) => manifest[name])))
  hash.update(readFileSync(join(root, 'package-lock.json')))
  hash.update(`${process.platform} ${process.arch} ${libc()}`)
  return hash.digest('hex')
}

function libc() {
  if (process.platform !== 'linux' || !existsSync('/lib')) return ''
  return readdirSync('/lib').some((name) => name.startsWith('ld-musl-')) ? 'musl' : 'glibc'
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
 * Resolves to what went wrong, if anything did.
 * @returns {Promise<string | undefined>}
 */
function install() {
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
  const npm = told.endsWith('npm-cli.js') ? told : undefined
  const nodeOfNpm = process.env.npm_node_execpath || process.execPath
  const child = npm
    ? spawn(nodeOfNpm, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawn('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })

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

const whatToDoAboutInstalling = `What it may be, and what then helps:
  - no connection, or a proxy in between: try \`npm ping\`, set npm's proxy, run this again
  - "npm ci can only install packages when ... in sync": package.json was edited; run \`npm install\`
  - ENOTEMPTY, EBUSY or EPERM: something still uses node_modules; stop it, delete node_modules, run this again
  - ENOSPC: the disk is full (about 500 MB are needed)`

/** Whether the Node that the npm scripts will find is the wanted one. */
function isNodeRight() {
  if (existsSync(ownNode)) return nodeVersion() === wantedNode
  // Where no package with Node exists, the machine's own serves if it is of the same line and not older.
  const [major = 0, minor = 0] = numbersOf(versionOf('node'))
  const [wantedMajor = 0, wantedMinor = 0] = numbersOf(wantedNode)
  return major === wantedMajor && minor >= wantedMinor
}

/** The version of node_modules/.bin/node; undefined when it is not there or does not start. */
function nodeVersion() {
  return existsSync(ownNode) ? versionOf(ownNode) : undefined
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

/**
 * npm leaves a failed optional dependency out without a word, and Node arrives as one.
 * @param {string} found
 */
function whatToDoAboutNode(found) {
  return `failed: the package that brings Node ${wantedNode} ${found} (${process.platform} ${process.arch} ${libc()}).
  Daymark runs on Node ${wantedNode}. Packages with it exist for Linux (glibc) and macOS on x64 and arm64, and for
  Windows on x64. If this is one of them, the download failed: delete node_modules and run this again.
  If it is not, install Node ${wantedNode.slice(1)} or a later 26 from https://nodejs.org and run this again with it.`
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`Set-up: ${line}\n`)
}

await main()
