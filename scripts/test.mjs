// npm test: every suite, the browser's included, and one closing line over all of them. `npm test -- units` leaves the
// browser's out, `npm test -- browser` the others, and `npm test -- browser 1/3` takes a third of the browser's.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { obtainChromium } from './chromium.mjs'
import { argumentsAlone, runFailedAgain, triesAlone } from './tests/failed-again.mjs'
import { closing, readPlaywright, readVitest } from './tests/test-counts.mjs'
import { buildWebWhenChanged } from './web-build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const words = process.argv.slice(2)
const deep = words.includes('--deep')
/** @type {Record<string, string>} */
const depth = deep ? { DAYMARK_DEEP: '1' } : {}
const [part, shard] = words.filter((word) => word !== '--deep')
if (![undefined, 'units', 'browser'].includes(part)) {
  say(`There is no part '${part}': say units, browser, or nothing for both.`)
  process.exit(2)
}
const vitest = join('node_modules', 'vitest', 'vitest.mjs')
const playwright = join('node_modules', '@playwright', 'test', 'cli.js')
const reports = mkdtempSync(join(tmpdir(), 'daymark-test-'))

/** @type {import('node:child_process').ChildProcess | undefined} */
let running
let stopped = false
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    stopped = true
    running?.kill('SIGTERM')
  })
}

const suites = []
if (part !== 'browser') suites.push(await runVitest())
// The deep run is about properties and schedules, none of which are in the browser.
if (part !== 'units' && !deep && !stopped) suites.push(await runPlaywright())
const again = await runFailedAgain(
  suites.flatMap((suite) => suite.failedTests),
  passesAlone,
  say,
)
const { lines, failed } = closing(suites, {
  again,
  requirePostgres: part !== 'browser' && process.env.DAYMARK_REQUIRE_POSTGRES === '1',
  checksFailed: process.env.DAYMARK_CHECKS === 'failed',
})
process.stdout.write(`\n${lines.join('\n')}\n`)
process.exitCode = failed === 0 ? 0 : 1
rmSync(reports, { recursive: true })

async function runVitest() {
  say(deep ? 'Tests: units, server and stores, at full numbers ...' : 'Tests: units, server and stores ...')
  const report = join(reports, 'vitest.json')
  const exit = await run(
    [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    depth,
  )
  return readVitest(read(report), exit)
}

async function runPlaywright() {
  const report = join(reports, 'playwright.json')
  try {
    obtainChromium(say)
    await buildWebWhenChanged(say)
    say('Tests: the browser ...')
    const exit = await run(
      [playwright, 'test', '--reporter=list,json', ...(shard ? [`--shard=${shard}`] : [])],
      { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    )
    return readPlaywright(read(report), exit)
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    return readPlaywright(undefined, 'no start')
  }
}

/**
 * @param {import('./tests/failed-again.mjs').FailedTest} test
 * @returns {Promise<boolean>} whether it passes every time
 */
async function passesAlone(test) {
  const args = argumentsAlone(test)
  if (test.runner === 'playwright') {
    const report = join(reports, 'alone.json')
    rmSync(report, { force: true })
    await run([playwright, ...args, '--workers=1', `--repeat-each=${triesAlone}`, '--reporter=line,json'], {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    })
    const { passed, failed } = readPlaywright(read(report), 0)
    return failed === 0 && passed === triesAlone
  }
  for (let tried = 0; tried < triesAlone; tried++) {
    const report = join(reports, 'alone.json')
    rmSync(report, { force: true })
    const exit = await run(
      [vitest, ...args, '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`],
      depth,
    )
    if (readVitest(read(report), exit).failed > 0) return false
  }
  return true
}

/** @param {string} path */
function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<number | string>} the exit code, or the signal that ended it
 */
function run(args, env) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  running = child
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'no code'))
  })
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
}
