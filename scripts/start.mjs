// npm start: builds the web when its sources have changed, then serves Daymark in this process. `npm run update` has it
// make room for another version, which takes over this process.
import { execFile } from 'node:child_process'
import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  giveUpAfterSomeStarts,
  giveUpTrial,
  settle,
  swap,
  swapUnderWay,
  undoInterruptedSwap,
} from './update/checkout.mjs'
import { takeRequests } from './update/control.mjs'
import { readRecord } from './update/exchange.mjs'
import { addressOf } from './update/servers.mjs'
import { nodeOf } from './update/try-version.mjs'
import { buildWebWhenChanged } from './web-build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

process.env.NODE_ENV ??= 'production'

// That of the sources that are loaded now: they may change while this runs.
const commit = commitHere()

// scripts/run has done that, unless this was started without it.
if (undoInterruptedSwap(root) || giveUpAfterSomeStarts(root)) becomeTheOther()

let why = 'it ended while it was starting'
process.on('uncaughtExceptionMonitor', (error) => {
  why = error.message
})
let isOnTrial = swapUnderWay(root)?.step === 'trial'
process.on('exit', (code) => {
  if (!isOnTrial || code === 0) return
  isOnTrial = false
  try {
    giveUpTrial(root, why)
  } catch (error) {
    say(`The version before cannot be put back: ${error instanceof Error ? error.message : error}`)
    return
  }
  becomeTheOther()
})

try {
  await buildWebWhenChanged(say)
} catch (error) {
  why = error instanceof Error ? error.message : String(error)
  say(why)
  process.exit(1)
}
// Cached for the next start, which then doesn't have to strip types or compile: it is faster and takes 30 MB less. Portable,
// because an update is tried in another folder, and its first start here should be fast, too.
enableCompileCache({ directory: fileURLToPath(new URL('../dist/compiled', import.meta.url)), portable: true })
// In this process, so that SIGTERM and SIGINT reach the server directly.
const { tryToServe } = await import('../src/app/server.ts')
const reason = await tryToServe(process.env, (address) => {
  say(`Daymark is ready at ${address}`)
  isOnTrial = false
  try {
    settle(root)
  } catch (error) {
    // On a full disk, for instance, where it can still serve. The next start tries again.
    say(`The update cannot be completed: ${error instanceof Error ? error.message : error}`)
  }
  void answerUpdates()
})
if (reason !== undefined) {
  why = reason
  say(`Daymark cannot start: ${reason.replace(/\s*\n\s*/g, ' ')}`)
  process.exitCode = 1
  if (isOnTrial) process.exit()
}

async function answerUpdates() {
  try {
    const { readBackupConfiguration } = await import('../src/app/settings/configuration.ts')
    const reading = readBackupConfiguration(process.env)
    const database = 'database' in reading ? reading.database : undefined
    const sqlite = database?.engine === 'sqlite' ? resolve(database.path) : undefined
    const status = { pid: process.pid, commit: await commit, address: addressOf(process.env), sqlite }
    await takeRequests(root, status, makeRoom)
  } catch (error) {
    say(`npm run update cannot reach this Daymark: ${error instanceof Error ? error.message : error}`)
  }
}

/** Ends as at a SIGTERM, and is then the other version. */
function makeRoom() {
  const plan = readRecord(resolve(root, '.update', 'plan.json'))
  if (plan === undefined) return 'Nothing is prepared.'
  process.once('exit', () => {
    try {
      swap(root, plan)
    } catch (error) {
      say(`The version stays: ${error instanceof Error ? error.message : error}`)
    }
    becomeTheOther()
  })
  setImmediate(() => process.emit('SIGTERM', 'SIGTERM'))
  return undefined
}

/** Keeps the process, and with it the terminal, and whoever watches over it. */
function becomeTheOther() {
  const node = nodeOf(root)
  if (process.execve) process.execve(node, [node, fileURLToPath(import.meta.url)], process.env)
  say('Another version is in place: run npm start again.')
  process.exit(1)
}

/** Undefined without git. */
function commitHere() {
  return new Promise((resolve) => {
    execFile('git', ['rev-parse', 'HEAD'], { cwd: root }, (error, said) =>
      resolve(error ? undefined : said.trim()),
    )
  })
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`${line}\n`)
}
