// npm run test:stress -- FILE [times]: runs one file of tests many times beside a planted load, and says how often each test
// failed: for finding the causes of failures by chance.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { obtainChromium } from '../chromium.mjs'
import { buildWebWhenChanged } from '../web-build.mjs'
import { formatFailures, outcomesOfPlaywright, outcomesOfVitest } from './test-outcomes.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [file, times = '20'] = process.argv.slice(2)
if (file === undefined || !existsSync(join(root, file)) || !/^[1-9]\d*$/.test(times)) {
  say('Name a file of tests, and how many times to run it: npm run test:stress -- e2e/todos.spec.ts 20')
  process.exit(2)
}

const inBrowser = file.endsWith('.spec.ts')
if (inBrowser) {
  obtainChromium(say)
  await buildWebWhenChanged(say)
}
const folder = mkdtempSync(join(tmpdir(), 'daymark-stress-'))
const report = join(folder, 'report.json')
const load = Array.from({ length: availableParallelism() * 2 }, () =>
  spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
)
try {
  const outcomes = inBrowser ? await runBrowser() : await runUnits()
  say(`\n${formatFailures(outcomes).join('\n')}`)
  process.exitCode = outcomes.some(({ failures }) => failures.length > 0) ? 1 : 0
} finally {
  for (const each of load) each.kill('SIGKILL')
  rmSync(folder, { recursive: true })
}

async function runBrowser() {
  const args = ['test', file ?? '', `--repeat-each=${times}`, '--reporter=dot,json']
  await run([join('node_modules', '@playwright', 'test', 'cli.js'), ...args], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  })
  return outcomesOfPlaywright([read()])
}

async function runUnits() {
  const reports = []
  for (let time = 0; time < Number(times); time++) {
    const args = ['run', file ?? '', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
    await run([join('node_modules', 'vitest', 'vitest.mjs'), ...args], {})
    reports.push(read())
  }
  return outcomesOfVitest(reports)
}

function read() {
  const text = readFileSync(report, 'utf8')
  rmSync(report)
  return JSON.parse(text)
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
function run(args, env) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
}
