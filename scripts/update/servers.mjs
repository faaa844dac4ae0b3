// The Daymark that runs from a folder: which processes, where it responds, and whether it does.
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const programs = ['src/app/server.ts', 'scripts/start.mjs']

// Milliseconds. A start is seen by its process, or else by what responds.
const patience = { untilItRuns: 60_000, untilItResponds: 600_000, betweenReports: 10_000 }

/**
 * @typedef {object} Server
 * @property {number} pid
 * @property {Record<string, string>} environment
 */

/**
 * Those of this user, of the folder's owner, and of the users named. Others could pretend to be one. Only Linux tells:
 * elsewhere, there seem to be none.
 * @param {string} folder
 * @param {readonly number[]} users
 * @returns {Server[]}
 */
export function serversIn(folder, users = []) {
  if (process.platform !== 'linux') return []
  const place = realpathSync(folder)
  const trusted = [...users, process.getuid?.(), statSync(place).uid]
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!trusted.includes(statSync(`/proc/${pid}`).uid)) return []
        if (readlinkSync(`/proc/${pid}/cwd`) !== place) return []
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        if (!words.some((word) => programs.some((program) => word.endsWith(program)))) return []
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
        return [{ pid: Number(pid), environment: Object.fromEntries(environment.map(nameAndValue)) }]
      } catch {
        // It has just ended, or is somebody else's.
        return []
      }
    })
}

/** @param {string} line */
function nameAndValue(line) {
  const at = line.indexOf('=')
  return [line.slice(0, at), line.slice(at + 1)]
}

/**
 * Where a server with these settings answers on its own machine.
 * @param {Record<string, string | undefined>} environment
 */
export function addressOf({ HOST, PORT }) {
  const host = HOST?.trim() || '127.0.0.1'
  const own = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  return `http://${own.includes(':') ? `[${own}]` : own}:${PORT?.trim() || '3000'}`
}

/**
 * @param {string} address
 * @returns {Promise<'ready' | 'not ready' | 'silent'>}
 */
export async function stateAt(address) {
  const ask = async (/** @type {string} */ path) => {
    const response = await fetch(new URL(path, address), { signal: AbortSignal.timeout(5000) })
    await response.arrayBuffer()
    return response
  }
  try {
    const response = await ask('/api/health/ready')
    // Versions before it have only this one.
    const { ok } = response.status === 404 ? await ask('/api/health') : response
    return ok ? 'ready' : 'not ready'
  } catch {
    return 'silent'
  }
}

/**
 * Waits until what was started in the folder is ready at these addresses. That an update of the database takes long is no
 * reason to give up, as long as it answers that it is starting.
 * @param {string} folder
 * @param {string[]} addresses
 * @param {(line: string) => void} say
 * @param {() => readonly number[]} [users] that may run it besides this one
 * @returns {Promise<string | undefined>} why it isn't ready
 */
export async function whyItIsNotReady(folder, addresses, say, users = () => []) {
  const started = performance.now()
  /** @type {Set<number>} */
  const seen = new Set()
  let ran = started
  let answered = started
  let reported = started
  for (;;) {
    const states = await Promise.all(addresses.map(stateAt))
    if (states.every((state) => state === 'ready')) return undefined
    const now = performance.now()
    const pids = serversIn(folder, users()).map(({ pid }) => pid)
    for (const pid of pids) seen.add(pid)
    if ([...seen].some((pid) => !pids.includes(pid)))
      return 'it ended while it was starting; its log says why'
    if (!states.includes('silent')) answered = now
    if (pids.length > 0 || answered === now) ran = now
    if (now - ran > patience.untilItRuns) return `nothing answers at ${addresses.join(' and ')}`
    if (now - answered > patience.untilItResponds)
      return `it runs, but ${addresses.join(' and ')} doesn't answer`
    if (now - reported > patience.betweenReports) {
      say(`Still starting, after ${Math.round((now - started) / 1000)} s ...`)
      reported = now
    }
    await pause(50)
  }
}
