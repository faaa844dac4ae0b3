// Puts another version in the place of the one in a folder of `npm run deploy`: stop, swap, start, and back if it doesn't
// get ready. What is needed to go on after an interruption is written down in the folder.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hintForPostgres } from './agrees.mjs'
import { exists, putInPlace, readRecord, store, takeBack, takeLock, writeRecord } from './exchange.mjs'
import { addressOf, serversIn, stateAt, whyItIsNotReady } from './servers.mjs'

/**
 * @typedef {object} Service how the server of the folder is stopped and started
 * @property {string} stop a command
 * @property {string} start a command
 * @property {string[]} addresses where it answers
 * @property {string} [unit] of systemd, which runs it as a user of its own
 *
 * @typedef {import('./exchange.mjs').Exchange & { step: 'begun' | 'swapped', back: boolean, service?: Service }} Replacement
 */

export const parts = ['package.json', 'LICENSE', 'src', 'scripts', 'dist', 'node_modules']

const places = { arriving: '.arriving', leaving: '.leaving', previous: '.previous', record: '.update.json' }

// Its own nine seconds to end, on a slow machine.
const longestStop = 60_000

/** @param {string} folder */
export const wasInterrupted = (folder) => exists(join(folder, places.record))

/** @param {string} folder */
export function lock(folder) {
  takeLock(join(folder, '.update.lock'))
}

/** @param {string} folder */
export const draftIn = (folder) => join(folder, places.arriving)

/**
 * Not in the middle of a replacement: some of what is in place would then be lost.
 * @param {string} folder
 */
export function discardDraft(folder) {
  if (!exists(join(folder, places.record))) rmSync(draftIn(folder), { recursive: true, force: true })
}

/** @param {string} folder */
export const hasPrevious = (folder) => existsSync(join(folder, places.previous, 'package.json'))

/**
 * @param {string} folder
 * @param {{ stop?: string | undefined, start?: string | undefined, service?: string | undefined, at?: string | undefined }} given
 * @returns {Promise<Service | undefined>} undefined if nothing runs there; throws if something does that it can't stop
 */
export async function serviceOf(folder, { stop, start, service = 'daymark', at }) {
  if (!existsSync(join(folder, 'package.json'))) return undefined
  const isUnit = stop === undefined && start === undefined && isUnitOf(folder, service)
  const running = serversIn(folder, isUnit ? usersOf(service) : [])
  const addresses = at === undefined ? running.map(({ environment }) => addressOf(environment)) : [at]
  if (addresses.length === 0) addresses.push(addressOf(process.env))
  if (stop !== undefined && start !== undefined) return { stop, start, addresses }
  if (stop !== undefined || start !== undefined) throw new Error('--stop and --start belong together.')
  if (isUnit) {
    // It is waited for here, where an end is seen at once.
    const start = `systemctl start --no-block ${service}`
    return { stop: `systemctl stop ${service}`, start, addresses, unit: service }
  }
  if (running.length === 0) return undefined
  throw new Error(
    `Daymark runs in ${folder} (process ${running.map(({ pid }) => pid).join(', ')}), not as the systemd unit ${service}.
Say how it is stopped and started: --stop COMMAND --start COMMAND, or --service UNIT; or stop it first.`,
  )
}

/**
 * @param {string} folder
 * @param {string} unit
 */
function isUnitOf(folder, unit) {
  const show = ['show', unit, '--property=ActiveState', '--property=WorkingDirectory']
  const { status, stdout } = spawnSync('systemctl', show, { encoding: 'utf8' })
  if (status !== 0) return false
  const place = /^WorkingDirectory=(.+)$/m.exec(stdout)?.[1]
  const isThis = place !== undefined && existsSync(place) && realpathSync(place) === realpathSync(folder)
  return isThis && /^ActiveState=(active|activating|reloading)$/m.test(stdout)
}

/**
 * The user of the unit's main process, which systemd may have made for it.
 * @param {string | undefined} unit
 * @returns {number[]}
 */
function usersOf(unit) {
  if (unit === undefined) return []
  const show = ['show', unit, '--property=MainPID', '--value']
  const pid = Number(spawnSync('systemctl', show, { encoding: 'utf8' }).stdout)
  const place = `/proc/${pid}`
  return pid > 0 && existsSync(place) ? [statSync(place).uid] : []
}

/**
 * Puts the draft in place. The version that leaves is kept, for `goBack`.
 * @param {string} folder
 * @param {Service | undefined} service
 * @param {(line: string) => void} say
 */
export function replaceWithDraft(folder, service, say) {
  return replace(plan(folder, places.arriving, service), say)
}

/**
 * Puts the version in place that was there before. Done twice, it changes nothing.
 * @param {string} folder
 * @param {Service | undefined} service
 * @param {(line: string) => void} say
 */
export function goBack(folder, service, say) {
  return replace({ ...plan(folder, places.previous, service), back: true }, say)
}

/**
 * What an interrupted replacement needs, so that one version is in place as a whole, and serves if one did.
 * @param {string} folder
 * @param {(line: string) => void} say
 * @returns {Promise<boolean>} whether that completed what had been asked for
 */
export async function goOnAfterInterruption(folder, say) {
  const place = join(folder, places.record)
  // Whoever could write there could have it run anything.
  if (exists(place) && process.getuid !== undefined && lstatSync(place).uid !== process.getuid())
    throw new Error(`${place} belongs to another user: run this as that user, or remove it.`)
  /** @type {Replacement | undefined} */
  const record = readRecord(place)
  if (record === undefined) {
    keepAsPrevious(resolve(folder))
    return false
  }
  // The folder may have been moved since.
  const replacement = { ...record, ...placesIn(folder, record.back ? places.previous : places.arriving) }
  if (replacement.step === 'swapped') {
    say('An update was interrupted after the swap: it goes on.')
    await startSwapped(replacement, say)
    return true
  }
  say('An update was interrupted: the version before is put back.')
  const { root, service } = replacement
  // It may have been stopping. That there is nothing to stop is no problem.
  if (service) await stop(root, service)
  takeBack(replacement)
  const problem = service && (await whyNotStarted(root, service, say, true))
  rmSync(goBackMark(root), { force: true })
  forget(replacement)
  if (problem !== undefined)
    throw new Error(`The version before is in place again, but doesn't start: ${problem}`)
  return false
}

/**
 * @param {string} folder
 * @param {string} from
 * @param {Service | undefined} service
 * @returns {Replacement}
 */
function plan(folder, from, service) {
  const where = placesIn(folder, from)
  const partsIn = (/** @type {string} */ place) => parts.filter((part) => exists(join(place, part)))
  return {
    ...where,
    step: 'begun',
    back: false,
    arriving: partsIn(where.from),
    leaving: partsIn(folder),
    ...(service && { service }),
  }
}

/**
 * @param {string} folder
 * @param {string} from
 */
function placesIn(folder, from) {
  const root = resolve(folder)
  return { root, from: join(root, from), to: join(root, places.leaving) }
}

/**
 * @param {Replacement} replacement
 * @param {(line: string) => void} say
 */
async function replace(replacement, say) {
  const { root, to, service, back } = replacement
  store(root)
  rmSync(to, { recursive: true, force: true })
  if (back) markGoingBack(replacement.from)
  const wasReady = await areReady(service)
  const record = join(root, places.record)
  // A Ctrl+C would leave it stopped.
  const ignored = () => say('Not in the middle: it takes a moment.')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, ignored)
  try {
    writeRecord(record, replacement)
    const stopped = performance.now()
    const problem = service && (await stop(root, service))
    if (service && problem !== undefined) {
      // It may have been stopped all the same.
      await run(service.start)
      forget(replacement)
      throw new Error(problem)
    }
    try {
      putInPlace(replacement)
    } catch (error) {
      takeBack(replacement)
      if (service) await run(service.start)
      forget(replacement)
      throw error
    }
    writeRecord(record, { ...replacement, step: 'swapped' })
    await startSwapped(replacement, say, wasReady)
    if (service) say(`It was away for ${((performance.now() - stopped) / 1000).toFixed(1)} s.`)
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, ignored)
  }
}

/**
 * @param {Replacement} replacement
 * @param {(line: string) => void} say
 * @param {boolean} wasReady without it, nothing better is expected of the new version
 */
async function startSwapped(replacement, say, wasReady = true) {
  const { root, from, to, service, back } = replacement
  const problem = service && (await whyNotStarted(root, service, say, wasReady))
  if (service === undefined || problem === undefined) {
    // Whoever starts a stopped server later needs the mark.
    if (service) rmSync(goBackMark(root), { force: true })
    rmSync(from, { recursive: true, force: true })
    rmSync(join(root, places.previous), { recursive: true, force: true })
    rmSync(join(root, places.record))
    keepAsPrevious(root)
    return
  }
  say(`It doesn't start: ${problem}. The version before is put back.`)
  await stop(root, service)
  if (!back) markGoingBack(to)
  // Interrupted from here on, the next run puts the version before back.
  writeRecord(join(root, places.record), { ...replacement, step: 'begun' })
  takeBack(replacement)
  rmSync(goBackMark(from), { force: true })
  const second = await whyNotStarted(root, service, say, wasReady)
  rmSync(goBackMark(root), { force: true })
  forget(replacement)
  throw new Error(
    second === undefined
      ? `${problem}. The version before serves again${back ? `. ${hintForPostgres}` : ''}`
      : `${problem}. The version before is in place again, but doesn't start either: ${second}`,
  )
}

/**
 * @param {string} folder
 * @param {Service} service
 * @param {(line: string) => void} say
 * @param {boolean} wasReady
 */
async function whyNotStarted(folder, service, say, wasReady) {
  // After an interruption, it may have been started.
  const isStarted = serversIn(folder, usersOf(service.unit)).length > 0
  const problem = isStarted ? undefined : await run(service.start)
  if (problem !== undefined) return problem
  if (wasReady) return whyItIsNotReady(folder, service.addresses, say, () => usersOf(service.unit))
  await pause(1000)
  return undefined
}

/**
 * @param {string} folder
 * @param {Service} service
 * @returns {Promise<string | undefined>} why it isn't stopped
 */
async function stop(folder, service) {
  const users = usersOf(service.unit)
  const problem = await run(service.stop)
  if (problem !== undefined) return problem
  const until = performance.now() + longestStop
  while (serversIn(folder, users).length > 0) {
    if (performance.now() > until) return `it still runs after ${service.stop}`
    await pause(20)
  }
  return undefined
}

/**
 * @param {string} command
 * @returns {Promise<string | undefined>} what went wrong
 */
async function run(command) {
  // In a session of its own, which a Ctrl+C doesn't reach.
  const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code, signal] = await once(child, 'exit')
  return code === 0 ? undefined : `\`${command}\` ended with ${code ?? signal}`
}

/** @param {Service | undefined} service */
async function areReady(service) {
  const states = await Promise.all((service?.addresses ?? []).map(stateAt))
  return states.every((state) => state === 'ready')
}

/** @param {string} root */
function keepAsPrevious(root) {
  if (exists(join(root, places.leaving))) renameSync(join(root, places.leaving), join(root, places.previous))
}

/** @param {Replacement} replacement */
function forget({ root, from, to, back }) {
  rmSync(to, { recursive: true, force: true })
  if (!back) rmSync(from, { recursive: true, force: true })
  rmSync(join(root, places.record))
}

/**
 * Lets an older version start, on SQLite, when a newer one has updated the database (src/platform/database/sqlite/file/go-back.ts).
 * @param {string} version
 */
function markGoingBack(version) {
  if (existsSync(join(version, 'dist'))) writeFileSync(goBackMark(version), '')
}

/** @param {string} version */
function goBackMark(version) {
  return join(version, 'dist', 'go-back')
}
