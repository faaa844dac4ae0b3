// npm run test:near: the tests near what differs from main, or near the features that are named (npm run test:near -- todos).
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { obtainChromium } from '../chromium.mjs'
import { buildWebWhenChanged } from '../web-build.mjs'
import { filesOfFeatures, nearTests } from './near-tests.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = sourceFiles()
const named = process.argv.slice(2)
const changed = named.length > 0 ? filesOfFeatures(named, files) : changedFiles()
const { units, browser } = nearTests(changed, files)

if (units.length + browser.length === 0) {
  say('No test is near what was changed. Name a feature (npm run test:near -- todos), or run npm test.')
  process.exitCode = 1
}
if (units.length > 0) {
  say(`Near tests: ${units.length} files of units, server and stores ...`)
  run([join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...units])
}
if (browser.length > 0) {
  obtainChromium(say)
  await buildWebWhenChanged(say)
  say(`Near tests: ${browser.join(', ')} ...`)
  run([join('node_modules', '@playwright', 'test', 'cli.js'), 'test', '--reporter=list', ...browser])
}

function sourceFiles() {
  const paths = ['src', 'scripts', 'testing', 'e2e'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path.replaceAll('\\', '/')}`,
    ),
  )
  const sources = paths.filter((path) => /\.(ts|tsx|mjs)$/.test(path))
  return new Map(sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** What was committed since main, what is not committed yet, and what git does not know yet. */
function changedFiles() {
  const since = git('merge-base', 'main', 'HEAD')
  return [
    ...git('diff', '--name-only', since).split('\n'),
    ...git('ls-files', '--others', '--exclude-standard').split('\n'),
  ].filter((path) => path !== '')
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

/** @param {string[]} args */
function run(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
}
