// The processes of a measurement, each pinned to a core if the machine has more than one, and Linux's `taskset`.
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../testing/free-port.ts'

const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0

/** The server has one core to itself; clients and PostgreSQL share the other. */
export const cores = { serving: 0, asking: 1 }
export const pinned = canPin

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/**
 * Forks a script in this folder, which receives messages and replies to them.
 * @param {string} name
 * @param {number} core
 */
export function forkPinned(name, core) {
  const child = fork(fileURLToPath(new URL(name, import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  pin(child, core)
  return child
}

/** @param {ChildProcess} child @param {object} message */
export async function tell(child, message) {
  const answered = once(child, 'message')
  child.send(message)
  const [reply] = await answered
  if (reply.failed) throw new Error(reply.failed)
  return reply
}

/**
 * Starts Daymark as usual, with its log going into a pipe as under a service manager.
 * @param {string} script
 * @param {Record<string, string>} environment
 * @param {number} core
 */
export async function startDaymark(script, environment, core) {
  const port = await freePort()
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const started = performance.now()
  const command = canPin ? ['taskset', '-c', String(core), process.execPath] : [process.execPath]
  const [file = '', ...args] = [...command, script]
  const child = spawn(file, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', RATE_LIMIT: 'off', PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  child.stdout.resume()
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`Daymark ended with ${code}: ${said}`)
  })
  ended.catch(() => {})
  await Promise.race([ended, respondsAt(port)])
  const firstResponse = performance.now() - started
  return {
    port,
    pid: child.pid ?? 0,
    firstResponse,
    async stop() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    },
    /** Ends it at once, even if it no longer responds. */
    async kill() {
      child.kill('SIGKILL')
      await ended.catch(() => {})
    },
  }
}

/** @param {number} port */
async function respondsAt(port) {
  for (;;) {
    const status = await fetch(`http://127.0.0.1:${port}/api/health`).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => 0,
    )
    if (status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Milliseconds of processor time that a process has used, including its threads. @param {number} pid */
export function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** A process's memory in megabytes, now and at its peak. @param {number} pid */
export function memory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (/** @type {string} */ name) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { now: field('VmRSS'), most: field('VmHWM') }
}

/** @param {ChildProcess} child @param {number} core */
function pin(child, core) {
  if (canPin) spawnSync('taskset', ['-a', '-p', '-c', String(core), String(child.pid)])
}
