// npm run deploy -- <folder>: installs what the server needs to run, and nothing else, in that folder: its sources, the
// built pages, its packages and Node. Leaves everything else in the folder, such as data/, alone. A server that runs there
// is replaced in seconds, once the new version has been tried; `--back` puts the one before in place again.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { tests, web } from '../.dependency-cruiser.mjs'
import { ownNodeFile } from './own-node.mjs'
import { agrees, whatGoingBackCosts } from './update/agrees.mjs'
import { whyNotTo } from './update/deploy-folder.mjs'
import {
  discardDraft,
  draftIn,
  goBack,
  goOnAfterInterruption,
  hasPrevious,
  lock,
  parts,
  replaceWithDraft,
  serviceOf,
  wasInterrupted,
} from './update/replace-deployed.mjs'
import { whyItDoesNotServe } from './update/try-version.mjs'
import { buildWebWhenChanged } from './web-build.mjs'

/**
 * @typedef {object} Locked a package as recorded in package-lock.json
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */

const root = fileURLToPath(new URL('..', import.meta.url))

// The programs that an operator runs besides the server, and their names.
const programs = { admin: 'scripts/admin.mjs', backup: 'scripts/backup.mjs', restore: 'scripts/restore.mjs' }

// The walls say what belongs only to the web or the tests; the demo has a program of its own, which isn't deployed.
const notServed = [web, tests, '^src/app/demo/'].map((pattern) => new RegExp(pattern))

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      stop: { type: 'string' },
      start: { type: 'string' },
      service: { type: 'string' },
      at: { type: 'string' },
      back: { type: 'boolean' },
      yes: { type: 'boolean' },
    },
  })
  const [given] = positionals
  const folder = resolve(String(given))
  // In the middle of a swap, a folder doesn't look like one that was deployed to.
  const problem = wasInterrupted(folder) ? undefined : whyNotTo(given)
  if (problem !== undefined) throw new Error(problem)
  lock(folder)
  if (await goOnAfterInterruption(folder, say)) {
    say('What was interrupted is done now. Run the command again for another version.')
  } else {
    const service = await serviceOf(folder, values)
    if (values.back) await back(folder, service, values.yes === true)
    else await deploy(folder, service)
  }
} catch (error) {
  say(`${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

/**
 * @param {string} folder
 * @param {import('./update/replace-deployed.mjs').Service | undefined} service
 */
async function deploy(folder, service) {
  const draft = draftIn(folder)
  try {
    await buildWebWhenChanged(say)
    const started = performance.now()
    rmSync(draft, { recursive: true, force: true })
    putSources(draft)
    putPackages(draft)
    const reason = await whyItDoesNotServe(draft, 'src/app/server.ts')
    if (reason !== undefined) throw new Error(`Tried beside, ${reason}`)
    await replaceWithDraft(folder, service, say)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    const size = parts.reduce((sum, part) => sum + sizeOf(join(folder, part)), 0)
    say(`Daymark is in ${folder}: ${Math.round(size / 1e6)} MB, in ${seconds} s.`)
    if (service === undefined) say('None was running there, so none was started.')
  } catch (error) {
    throw new Error(`It could not be deployed: ${error instanceof Error ? error.message : error}`)
  } finally {
    discardDraft(folder)
  }
}

/**
 * @param {string} folder
 * @param {import('./update/replace-deployed.mjs').Service | undefined} service
 * @param {boolean} agreed
 */
async function back(folder, service, agreed) {
  if (!hasPrevious(folder)) throw new Error(`${folder} keeps no version from before.`)
  if (!agreed && !(await agrees(whatGoingBackCosts))) throw new Error('Nothing was changed.')
  await goBack(folder, service, say)
  say(`The version before is in ${folder} again. The same command leads forward.`)
  if (service === undefined) say('None was running there, so none was started.')
}

/** @param {string} to */
function putSources(to) {
  const served = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => join('src', path))
    .filter(
      (path) => /\.(ts|txt)$/.test(path) && !notServed.some((not) => not.test(path.replaceAll(sep, '/'))),
    )
  const built = readdirSync(join(root, 'dist', 'web'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
  const single = ['LICENSE', join('dist', 'web-inputs.sha256'), ...Object.values(programs)]
  for (const path of [...served, ...built, ...single]) putFile(join(root, path), join(to, path))

  const { name, version, license, type, imports } = readManifest()
  const scripts = Object.fromEntries(Object.entries(programs).map(([word, path]) => [word, `node ${path}`]))
  const manifest = { name, version, private: true, license, type, imports, scripts }
  const file = join(to, 'package.json')
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
  chmodSync(file, 0o644)
}

/**
 * Everything that `dependencies` reach. `npm ci --omit=dev` would install more: our packages for the web and the tests,
 * because a package of the server could use them.
 * @param {string} to
 */
function putPackages(to) {
  /** @type {Record<string, Locked>} */
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  for (const path of reached(locked, Object.keys(readManifest().dependencies))) {
    for (const file of filesOfPackage(join(root, path))) {
      putFile(file, join(to, relative(root, file)))
    }
  }
  const node = ownNodeFile()
  // If no package with Node exists, the machine's own is used.
  if (node === undefined) return
  putFile(node, join(to, relative(root, node)))
  putFile(
    join(dirname(node), '..', 'LICENSE'),
    join(to, relative(root, join(dirname(node), '..', 'LICENSE'))),
  )
  const commands = join(to, 'node_modules', '.bin')
  putFolder(commands)
  if (process.platform !== 'win32')
    symlinkSync(join('..', '..', relative(root, node)), join(commands, 'node'))
}

/**
 * @param {Record<string, Locked>} locked
 * @param {string[]} names
 * @returns {Set<string>} the folders of these packages and of everything they need
 */
function reached(locked, names) {
  const found = new Set(names.map((name) => folderOf(locked, '', name)))
  // Also visits what is added during the loop.
  for (const path of found) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = locked[path] ?? {}
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    )
    for (const name of [...Object.keys(dependencies ?? {}), ...peers]) found.add(folderOf(locked, path, name))
    for (const name of Object.keys(optionalDependencies ?? {})) {
      // Packages for other kinds of machine aren't installed.
      const optional = lookUp(locked, path, name)
      if (optional !== undefined) found.add(optional)
    }
  }
  return found
}

/**
 * @param {Record<string, Locked>} locked
 * @param {string} from
 * @param {string} name
 */
function folderOf(locked, from, name) {
  const folder = lookUp(locked, from, name)
  if (folder === undefined) throw new Error(`${name} is missing, which ${from || 'the server'} needs`)
  return folder
}

/**
 * Resolves it as Node does: inside the package that needs it, or next to one of the packages that contain it.
 * @param {Record<string, Locked>} locked
 * @param {string} from
 * @param {string} name
 * @returns {string | undefined}
 */
function lookUp(locked, from, name) {
  const path = join(from, 'node_modules', name).replaceAll(sep, '/')
  if (locked[path] && existsSync(join(root, path))) return path
  if (from === '') return undefined
  return lookUp(locked, from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)), name)
}

/**
 * @param {string} folder
 * @returns {string[]} its files, without the packages inside it
 */
function filesOfPackage(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesOfPackage(path)
    return entry.isFile() ? [path] : []
  })
}

/**
 * Readable for whoever runs it, whatever the umask of whoever installs it.
 * @param {string} from
 * @param {string} to
 */
function putFile(from, to) {
  putFolder(dirname(to))
  copyFileSync(from, to)
  chmodSync(to, statSync(from).mode & 0o100 ? 0o755 : 0o644)
}

/** @param {string} folder */
function putFolder(folder) {
  if (existsSync(folder)) return
  putFolder(dirname(folder))
  mkdirSync(folder)
  chmodSync(folder, 0o755)
}

/** @param {string} path */
function sizeOf(path) {
  if (!statSync(path).isDirectory()) return statSync(path).size
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

function readManifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`${line}\n`)
}
