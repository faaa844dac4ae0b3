// A checkout of sources that is replaced as a whole: its commit, its packages and its built pages. Run by whatever Node the
// machine has (16 and later) when an update was interrupted, so: old syntax, no packages.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exists, putInPlace, readRecord, store, takeBack, writeRecord } from './exchange.mjs'

/**
 * @typedef {object} Plan what a swap does
 * @property {string} id
 * @property {string} from a folder in .update, where the other version's parts wait
 * @property {{ before: string, after: string }} commits
 * @property {string[]} arriving
 * @property {string[]} leaving
 * @property {boolean} back whether it leads to the version before
 * @property {boolean} onTrial whether the arriving version puts this one back when it cannot start
 *
 * @typedef {Plan & { step: 'swapping' | 'trial' | 'returned', reason?: string, starts?: number }} Swap
 *
 * @typedef {object} Outcome of the last swap
 * @property {string} id
 * @property {string} [reason] why the version before is in place again
 */

/** @param {string} root */
export const updateFolder = (root) => join(root, '.update')

// What git does not keep. The pages and the hash of what they were built from belong together.
export const unkeptParts = ['node_modules', join('dist', 'web'), join('dist', 'web-inputs.sha256')]

const goBackMark = join('dist', 'go-back')
const mostStarts = 3

/**
 * Puts the prepared version in place. Throws if it can't be, and has then changed nothing.
 * @param {string} root
 * @param {Plan} plan
 */
export function swap(root, plan) {
  const record = recordOf(root)
  const leaving = join(updateFolder(root), 'leaving')
  try {
    rmSync(leaving, { recursive: true, force: true })
    mkdirSync(leaving, { recursive: true })
    // Somebody may have edited a file while the server ended, and undoing a failed swap would take that away.
    if (git(root, 'status', '--porcelain', '--untracked-files=no') !== '')
      throw new Error('Files of this checkout were changed meanwhile')
    writeRecord(record, { ...plan, step: 'swapping' })
    git(root, 'reset', '--quiet', '--keep', plan.commits.after)
    putInPlace(exchangeOf(root, plan))
    store(root)
  } catch (error) {
    if (exists(record)) undo(root, plan)
    const reason = error instanceof Error ? error.message : String(error)
    writeRecord(lastOf(root), { id: plan.id, reason })
    rmSync(record, { force: true })
    throw error
  }
  if (plan.back && plan.onTrial) markGoingBack(root)
  writeRecord(record, { ...plan, step: 'trial' })
  if (!plan.onTrial) settle(root)
}

/**
 * Puts the version before in place again: the one on trial cannot start.
 * @param {string} root
 * @param {string} reason
 */
export function giveUpTrial(root, reason) {
  const plan = swapUnderWay(root)
  if (plan === undefined) return
  // Interrupted from here on, the next start goes on.
  writeRecord(recordOf(root), { ...plan, step: 'swapping', reason })
  undo(root, plan)
  returned(root, plan, reason)
}

/**
 * Counts the starts of a version on trial, which may hang, or be killed without a word.
 * @param {string} root
 * @returns {boolean} whether it has been given up
 */
export function giveUpAfterSomeStarts(root) {
  const plan = swapUnderWay(root)
  if (plan?.step !== 'trial') return false
  const starts = (plan.starts || 0) + 1
  if (starts > mostStarts) {
    giveUpTrial(root, `it was not ready after ${mostStarts} starts`)
    return true
  }
  writeRecord(recordOf(root), { ...plan, starts })
  return false
}

/**
 * The version in place is ready: what the swap needed is no longer needed, and the one before is kept for the way back.
 * @param {string} root
 */
export function settle(root) {
  const plan = swapUnderWay(root)
  // What is in place may be half of each.
  if (plan === undefined || plan.step === 'swapping') return
  const folder = updateFolder(root)
  const { id, reason, commits, step } = plan
  if (plan.onTrial) rmSync(join(root, goBackMark), { force: true })
  if (step === 'trial') {
    const old = join(folder, 'previous')
    // Unless that was done before it was interrupted.
    if (exists(join(folder, 'leaving'))) {
      // Removed by the next update: that takes long.
      if (exists(old)) renameSync(old, join(folder, `old-${id}`))
      renameSync(join(folder, 'leaving'), old)
    }
    writeRecord(join(old, 'version.json'), { commit: commits.before, leadsFrom: commits.after })
  }
  writeRecord(lastOf(root), { id, ...(reason !== undefined && { reason }) })
  rmSync(recordOf(root))
}

/**
 * Before anything of the checkout runs: a swap that was interrupted is undone.
 * @param {string} root
 */
export function undoInterruptedSwap(root) {
  const plan = swapUnderWay(root)
  if (plan === undefined || plan.step !== 'swapping') return false
  const lock = join(root, git(root, 'rev-parse', '--git-path', 'index.lock'))
  // Git may have survived whoever started it.
  for (let left = 50; left > 0 && existsSync(lock); left--) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
  rmSync(lock, { force: true })
  rmSync(join(root, goBackMark), { force: true })
  const { before, after } = plan.commits
  if (![before, after].includes(git(root, 'rev-parse', 'HEAD'))) {
    // Somebody has chosen another commit since. What it needs is installed and built at the start.
    rmSync(recordOf(root))
    return false
  }
  // Not --keep, since the files may be half written. Nobody else's changes were among them when the swap began.
  git(root, 'reset', '--quiet', '--hard', before)
  takeBack(exchangeOf(root, plan))
  if (plan.reason === undefined) rmSync(recordOf(root))
  else returned(root, plan, plan.reason)
  return true
}

/**
 * @param {string} root
 * @returns {Swap | undefined}
 */
export function swapUnderWay(root) {
  return readRecord(recordOf(root))
}

/**
 * @param {string} root
 * @returns {Outcome | undefined}
 */
export function lastOutcome(root) {
  return readRecord(lastOf(root))
}

/**
 * @param {string} root
 * @param {string[]} args
 */
export function git(root, ...args) {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw new Error(`git ${args[0]}: ${said || error}`)
  }
}

/** @param {string} root */
function lastOf(root) {
  return join(updateFolder(root), 'last.json')
}

/** @param {string} root */
function recordOf(root) {
  return join(updateFolder(root), 'swap.json')
}

/**
 * @param {string} root
 * @param {Plan} plan
 */
function undo(root, plan) {
  takeBack(exchangeOf(root, plan))
  // Not --keep, for which files that are half written are changes of somebody. There were none before the swap.
  git(root, 'reset', '--quiet', '--hard', plan.commits.before)
}

/**
 * @param {string} root
 * @param {Plan} plan
 * @param {string} reason
 */
function returned(root, plan, reason) {
  // The newer of the two may have updated the database before it failed.
  if (plan.back) rmSync(join(root, goBackMark), { force: true })
  else markGoingBack(root)
  writeRecord(recordOf(root), { ...plan, step: 'returned', reason })
}

/**
 * @param {string} root
 * @param {Plan} plan
 * @returns {import('./exchange.mjs').Exchange}
 */
function exchangeOf(root, { from, arriving, leaving }) {
  const folder = updateFolder(root)
  return { root, from: join(folder, from), to: join(folder, 'leaving'), arriving, leaving }
}

/**
 * Lets an older version start, on SQLite, when a newer one has updated the database (src/platform/database/sqlite/file/go-back.ts).
 * @param {string} root
 */
function markGoingBack(root) {
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(join(root, goBackMark), '')
}
