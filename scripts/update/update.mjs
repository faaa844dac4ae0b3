// npm run update [-- REF]: another version of this checkout, prepared and tried beside the one that runs, and swapped with it
// in seconds. `--back` puts the one before in place again. `--of FOLDER` updates another checkout, whose version doesn't
// have this program yet.
import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readBackupConfiguration } from '../../src/app/settings/configuration.ts'
import { agrees, hintForPostgres, whatGoingBackCosts } from './agrees.mjs'
import {
  git,
  giveUpTrial,
  lastOutcome,
  settle,
  swap,
  swapUnderWay,
  undoInterruptedSwap,
  unkeptParts,
  updateFolder,
} from './checkout.mjs'
import { ask } from './control.mjs'
import { exists, isAlive, readRecord, store, takeLock, writeRecord } from './exchange.mjs'
import { serversIn, stateAt } from './servers.mjs'
import { nodeOf, whyItCannotUpdate, whyItDoesNotServe } from './try-version.mjs'

const own = fileURLToPath(new URL('../..', import.meta.url))

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { back: { type: 'boolean' }, yes: { type: 'boolean' }, of: { type: 'string' } },
  })
  const root = resolve(values.of ?? own)
  requireOwnCheckout(root)
  takeLock(join(updateFolder(root), 'lock'))
  undoInterruptedSwap(root)
  requireCleanCheckout(root)
  const isDone = endTrial(root, values.back === true)
  if (isDone) say('The version before is in place again. Start it: npm start')
  else if (values.back) await goBack(root, values.yes === true)
  else await update(root, positionals[0], values.of !== undefined)
} catch (error) {
  say(`${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

/**
 * The last swap left a version that has not been ready, or has gone back to the one before.
 * @param {string} root
 * @param {boolean} back
 * @returns {boolean} whether that was the way back that is wanted
 */
function endTrial(root, back) {
  const last = swapUnderWay(root)
  if (last === undefined) return false
  if (serversIn(root).length > 0)
    throw new Error('The version in place has not been ready yet. If it never will be, stop it first.')
  if (last.step === 'trial' && !back)
    throw new Error('The version in place has not been ready yet: start it, or go back with -- --back.')
  if (last.step === 'trial') giveUpTrial(root, 'it was not wanted any more')
  settle(root)
  return last.step === 'trial'
}

/** @param {string} root */
function requireOwnCheckout(root) {
  if (!existsSync(join(root, '.git')) || spawnSync('git', ['--version']).status !== 0)
    throw new Error(
      `${root} is no git checkout, so nothing says what the next version is. docs/hosting.md says how to update it.`,
    )
  const owner = statSync(root).uid
  if (process.getuid !== undefined && process.getuid() !== owner)
    throw new Error(`${root} belongs to user ${owner}: run this as that user.`)
}

/** @param {string} root */
function requireCleanCheckout(root) {
  const changed = git(root, 'status', '--porcelain', '--untracked-files=no')
  if (changed === '') return
  throw new Error(
    `Files of this checkout were changed. Commit them, or undo it with \`git checkout .\`, and update then:\n${changed}`,
  )
}

/**
 * @param {string} root
 * @param {string | undefined} ref
 * @param {boolean} isOther
 */
async function update(root, ref, isOther) {
  const target = isOther ? fetchOwnCommit(root) : fetchTarget(root, ref)
  const before = git(root, 'rev-parse', 'HEAD')
  const running = await ask(root, 'status')
  if (target === before && (running === undefined || running.commit === target)) {
    say(`This is already ${describe(root, target)}.`)
    return
  }
  requireWay(root, before, target)
  // Fails where a file that git doesn't know is in the way of one of the target.
  git(root, 'read-tree', '--dry-run', '-u', '-m', before, target)
  const next = join(updateFolder(root), 'next')
  try {
    await prepare(root, target, next)
    await tryBeside(root, next, running === undefined ? ownDatabase(root) : running.sqlite)
    store(root)
    const parts = unkeptParts.filter((part) => isNew(root, next, part))
    await replace(root, {
      id: randomUUID(),
      from: 'next',
      commits: { before, after: target },
      arriving: parts,
      leaving: parts.filter((part) => exists(join(root, part))),
      back: false,
      onTrial: hasUpdate(root, target),
    })
  } finally {
    // Not in the middle of a swap, of which it holds a part.
    if (swapUnderWay(root) === undefined) cleanUp(root)
  }
}

/**
 * @param {string} root
 * @param {boolean} agreed
 */
async function goBack(root, agreed) {
  const previous = join(updateFolder(root), 'previous')
  const version = readRecord(join(previous, 'version.json'))
  if (version === undefined) throw new Error('No version from before is kept here.')
  const head = git(root, 'rev-parse', 'HEAD')
  if (version.leadsFrom !== head)
    throw new Error(
      `This checkout has changed since its last update. Name the version: npm run update -- ${version.commit.slice(0, 12)}`,
    )
  const onTrial = hasUpdate(root, version.commit)
  if (!onTrial) requireSameTables(root, version.commit, head)
  say(`Back to ${describe(root, version.commit)}.`)
  if (!agreed && !(await agrees(whatGoingBackCosts))) throw new Error('Nothing was changed.')
  const parts = unkeptParts.filter((part) => exists(join(previous, part)))
  await replace(root, {
    id: randomUUID(),
    from: 'previous',
    commits: { before: head, after: version.commit },
    arriving: parts,
    leaving: parts.filter((part) => exists(join(root, part))),
    back: true,
    onTrial,
  })
  cleanUp(root)
}

/**
 * @param {string} root
 * @param {string | undefined} ref
 */
function fetchTarget(root, ref) {
  git(root, 'fetch', '--quiet')
  // A branch of one's own may be behind the one it follows.
  const wanted = ref === undefined ? ['@{upstream}'] : [`origin/${ref}`, ref]
  for (const name of wanted) {
    try {
      return git(root, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`)
    } catch {
      // The next may be one.
    }
  }
  throw new Error(
    ref === undefined
      ? 'This branch follows none. Name the version: npm run update -- origin/main'
      : `There is no commit, branch or tag ${ref} here.`,
  )
}

/** @param {string} root */
function fetchOwnCommit(root) {
  requireOwnCheckout(own)
  requireCleanCheckout(own)
  git(root, 'fetch', '--quiet', own, 'HEAD')
  return git(root, 'rev-parse', 'FETCH_HEAD')
}

/**
 * Without one, commits of one's own would no longer be on the branch.
 * @param {string} root
 * @param {string} before
 * @param {string} target
 */
function requireWay(root, before, target) {
  const left = git(root, 'rev-list', `${target}..${before}`, '--not', '--remotes')
  if (left === '') return
  throw new Error(
    `This checkout has commits of its own (${left.split('\n').length}), which ${describe(root, target)} does not contain: merge them first.`,
  )
}

/**
 * @param {string} root
 * @param {string} older
 * @param {string} newer
 */
function requireSameTables(root, older, newer) {
  const changed = git(root, 'diff', '--name-only', older, newer, '--', ':(glob)src/**/migrations/*.ts')
  if (changed.split('\n').every((path) => path === '' || path.includes('.test.'))) return
  throw new Error(
    `${describe(root, older)} can't go back by itself, because the tables have changed since. docs/hosting.md says how it is done by hand.`,
  )
}

/**
 * @param {string} root
 * @param {string} target
 * @param {string} next
 */
async function prepare(root, target, next) {
  say(`Preparing ${describe(root, target)} in ${relative(process.cwd(), next) || next} ...`)
  cleanUp(root)
  git(root, 'worktree', 'add', '--quiet', '--detach', '--force', next, target)
  if (wantsSamePackages(root, next))
    symlinkSync(join('..', '..', 'node_modules'), join(next, 'node_modules'), 'junction')
  else await run(next, process.execPath, ['scripts/setup.mjs'])
  for (const part of unkeptParts.filter((part) => part !== 'node_modules' && exists(join(root, part)))) {
    cpSync(join(root, part), join(next, part), { recursive: true })
  }
  await run(next, nodeOf(next), ['scripts/web-build.mjs'])
}

/**
 * @param {string} root
 * @param {string} next
 */
function wantsSamePackages(root, next) {
  if (!exists(join(root, 'node_modules', '.daymark-setup'))) return false
  const wishes = (/** @type {string} */ folder) => {
    const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
    return JSON.stringify([dependencies, devDependencies, optionalDependencies, overrides, lock])
  }
  return wishes(root) === wishes(next)
}

/**
 * @param {string} root
 * @param {string} next
 * @param {string | undefined} sqlite the database, if it is a file
 */
async function tryBeside(root, next, sqlite) {
  say('Trying it beside ...')
  const reason = await whyItDoesNotServe(next, 'scripts/start.mjs')
  if (reason !== undefined) throw new Error(`It was not updated. Tried beside, ${reason}`)
  const compiled = join('dist', 'compiled')
  if (exists(join(next, compiled))) cpSync(join(next, compiled), join(root, compiled), { recursive: true })
  if (sqlite === undefined || !existsSync(sqlite)) return
  const size = [sqlite, `${sqlite}-wal`].reduce(
    (sum, file) => sum + (existsSync(file) ? statSync(file).size : 0),
    0,
  )
  const { bavail, bsize } = statfsSync(root)
  const free = bavail * bsize
  say(
    `Trying the update on a copy of the database: up to ${megabytes(2 * size)} for a moment, of ${megabytes(free)} free. An update that changes the tables then keeps a copy of ${megabytes(size)}.`,
  )
  if (free < 2 * size) throw new Error('It was not updated. There is not enough space for the copies.')
  const folder = join(updateFolder(root), 'copy')
  rmSync(folder, { recursive: true, force: true })
  try {
    const env = { ...process.env, DATABASE_URL: `sqlite:${sqlite}` }
    const backup = spawnSync(nodeOf(root), ['scripts/backup.mjs', folder], {
      cwd: root,
      env,
      encoding: 'utf8',
    })
    if (backup.status !== 0) throw new Error(`It was not updated. ${backup.stderr.trim()}`)
    const copy = join(folder, readdirSync(folder).find((name) => name.endsWith('.db')) ?? '')
    const problem = await whyItCannotUpdate(next, copy)
    if (problem !== undefined) throw new Error(`It was not updated. Tried on a copy, ${problem}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} root */
function ownDatabase(root) {
  const reading = readBackupConfiguration(process.env)
  if ('wrong' in reading || reading.database.engine !== 'sqlite') return undefined
  return resolve(root, reading.database.path)
}

/**
 * Has the running server make room, or swaps where none runs.
 * @param {string} root
 * @param {import('./checkout.mjs').Plan} plan
 */
async function replace(root, plan) {
  requireCleanCheckout(root)
  const folder = updateFolder(root)
  mkdirSync(join(folder, 'program'), { recursive: true })
  for (const name of ['finish.mjs', 'checkout.mjs', 'exchange.mjs'])
    copyFileSync(fileURLToPath(new URL(name, import.meta.url)), join(folder, 'program', name))
  const running = await ask(root, 'status')
  if (running === undefined) {
    await untilStopped(root)
    swap(root, plan)
    say(`${describe(root, plan.commits.after)} is in place. Start it: npm start`)
    return
  }
  const others = serversIn(root).filter(({ pid }) => pid !== running.pid)
  if (others.length > 0)
    throw new Error(`More than one Daymark runs from ${root}. Stop all but one (${running.pid}) first.`)
  writeRecord(join(folder, 'plan.json'), plan)
  const stopped = performance.now()
  const { refused } = await ask(root, 'update')
  if (refused !== undefined) throw new Error(refused)
  const reason = await outcomeOf(root, plan, running)
  const seconds = ((performance.now() - stopped) / 1000).toFixed(1)
  if (reason !== undefined)
    throw new Error(`${describe(root, plan.commits.after)} does not start: ${reason}
The version before serves again, after ${seconds} s.${plan.back ? `\n${hintForPostgres}` : ''}`)
  say(`${describe(root, plan.commits.after)} is ready. Daymark was away for ${seconds} s.`)
}

/**
 * @param {string} root
 * @param {import('./checkout.mjs').Plan} plan
 * @param {import('./control.mjs').Status} running
 * @returns {Promise<string | undefined>} why the version before serves again
 */
async function outcomeOf(root, plan, running) {
  const started = performance.now()
  for (let reported = started; ; await pause(20)) {
    const last = lastOutcome(root)
    const isSettled = last?.id === plan.id
    const isReady =
      plan.onTrial || last?.reason
        ? (await ask(root, 'status')) !== undefined
        : (await stateAt(running.address)) === 'ready'
    if (isSettled && isReady) return last?.reason
    if (!isAlive(running.pid) && serversIn(root).length === 0)
      throw new Error('Daymark has ended. Start it: npm start')
    if (performance.now() - reported < 10_000) continue
    reported = performance.now()
    say(`Still starting, after ${Math.round((reported - started) / 1000)} s ...`)
  }
}

/**
 * A version without the socket, or a system without it, has to be stopped by hand.
 * @param {string} root
 */
async function untilStopped(root) {
  if (process.platform === 'linux') {
    if (serversIn(root).length > 0)
      say(
        `Everything is ready. Stop the Daymark in ${root} now (Ctrl+C in its terminal); the rest follows by itself.`,
      )
    while (serversIn(root).length > 0) await pause(50)
    return
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  await terminal.question(`Everything is ready. If Daymark runs in ${root}, stop it now; then press Enter. `)
  terminal.close()
}

/** @param {string} root */
function cleanUp(root) {
  const folder = updateFolder(root)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (['next', 'copy'].includes(name) || name.startsWith('old-'))
      rmSync(join(folder, name), { recursive: true, force: true })
  }
  // Others of the operator may be on a disk that is not there now, so only this one is forgotten.
  const worktrees = git(root, 'worktree', 'list', '--porcelain')
  const next = join(folder, 'next')
  if (worktrees.includes(`worktree ${realpathSync(folder)}/next\n`))
    git(root, 'worktree', 'remove', '--force', next)
}

/**
 * Whether the version there puts back the one before when it cannot start.
 * @param {string} root
 * @param {string} commit
 */
function hasUpdate(root, commit) {
  return (
    spawnSync('git', ['cat-file', '-e', `${commit}:scripts/update/checkout.mjs`], { cwd: root }).status === 0
  )
}

/**
 * Packages that are a link are those of the version in use, and pages are the same if they were built from the same.
 * @param {string} root
 * @param {string} next
 * @param {string} part
 */
function isNew(root, next, part) {
  if (!exists(join(next, part))) return false
  if (part === 'node_modules') return !lstatSync(join(next, part)).isSymbolicLink()
  const builtFrom = (/** @type {string} */ folder) => {
    const stamp = join(folder, 'dist', 'web-inputs.sha256')
    return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined
  }
  return builtFrom(root) !== builtFrom(next)
}

/**
 * @param {string} folder
 * @param {string} command
 * @param {string[]} args
 */
async function run(folder, command, args) {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code, signal] = await once(child, 'exit')
  if (code !== 0) throw new Error(`It was not updated. ${args.join(' ')} ended with ${code ?? signal}.`)
}

/**
 * @param {string} root
 * @param {string} commit
 */
function describe(root, commit) {
  return git(root, 'show', '--no-patch', '--format=%h (%cs, %s)', commit)
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${Math.ceil(bytes / 1e6)} MB`
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`${line}\n`)
}
