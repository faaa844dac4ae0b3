// Finds a Chromium that runs, for the browser tests; `node scripts/chromium.mjs` installs one if there is none. Also
// finds its headless shell, if there is one: no notifications and no find in page, but a sixth of the processor time.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'

const root = fileURLToPath(new URL('..', import.meta.url))

const systemNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']

const debianPackages = ['chromium', 'chromium-headless-shell', 'fonts-liberation']

const shellNames = ['chromium-headless-shell', 'headless_shell']

const systemPlaces = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/** Stops Chromium from calling home, and lets it run as root and without a graphics card. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/**
 * The first Chromium that runs: CHROMIUM_PATH, Playwright's own, the system's. Installs nothing.
 * @returns {{ path: string, from: string } | undefined}
 */
export function locateChromium() {
  const named = process.env.CHROMIUM_PATH
  // Use only this path: falling back to another browser would hide a mistake in it.
  if (named) return runs(named) ? { path: named, from: 'CHROMIUM_PATH' } : undefined

  const own = chromium.executablePath()
  if (runs(own)) return { path: own, from: "Playwright's own" }

  const path = [...inPath(systemNames), ...systemPlaces].find(runs)
  return path === undefined ? undefined : { path, from: "the system's" }
}

/**
 * The system's headless shell, for tests that need only a page; undefined if there is none, or if a browser is configured.
 * Installs nothing.
 * @returns {string | undefined}
 */
export function locateHeadlessShell() {
  if (process.env.CHROMIUM_PATH) return undefined
  return inPath(shellNames).find(runs)
}

/** @param {readonly string[]} names */
function inPath(names) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => names.map((name) => join(folder, name)))
}

/**
 * `locateChromium`, or if there is none: Playwright's download, then Debian's package.
 * @param {(line: string) => void} say
 * @returns {string} the path; if none can be installed, throws an error that says what to do
 */
export function obtainChromium(say) {
  const present = locateChromium()
  if (present) {
    say(`Chromium: ${present.path} (${present.from})`)
    installHeadlessShell(say)
    return present.path
  }
  if (process.env.CHROMIUM_PATH) {
    throw new Error(`CHROMIUM_PATH is ${process.env.CHROMIUM_PATH}, which is no browser that starts.`)
  }
  for (const way of [download, installOnDebian]) {
    way(say)
    const installed = locateChromium()
    if (installed) {
      say(`Chromium: ${installed.path} (${installed.from})`)
      return installed.path
    }
  }
  throw new Error(
    'The browser tests need Chromium and none could be installed. Install Chromium or Chrome with the ' +
      'means of this system, or set CHROMIUM_PATH to one, and run this again.',
  )
}

/** @param {(line: string) => void} say */
function download(say) {
  say('Chromium: none found, asking Playwright to download its own ...')
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js')
  run(process.execPath, [cli, 'install', 'chromium'], { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' })
}

/** @param {(line: string) => void} say */
function installOnDebian(say) {
  if (!isDebian()) return
  if (process.getuid?.() !== 0) {
    say('Chromium: installing the Debian package needs root: apt-get update && apt-get install -y chromium')
    return
  }
  say('Chromium: installing the Debian package ...')
  aptGet(...debianPackages)
}

/** @param {string[]} packages */
function aptGet(...packages) {
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  run('apt-get', ['update', '-q'], quiet)
  run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], quiet)
}

/**
 * Nearly every browser test needs only a page: with a whole browser they take three times as long.
 * @param {(line: string) => void} say
 */
function installHeadlessShell(say) {
  if (process.env.CHROMIUM_PATH || locateHeadlessShell() !== undefined) return
  if (!isDebian() || process.getuid?.() !== 0) {
    say(
      'Chromium: without its headless shell, which is not here, the browser tests take three times as long.',
    )
    return
  }
  say('Chromium: installing its headless shell ...')
  aptGet('chromium-headless-shell')
}

function isDebian() {
  if (process.platform !== 'linux' || !existsSync('/etc/os-release')) return false
  // Ubuntu is left out: its chromium package is a stub for snap.
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/** @param {string} path */
function runs(path) {
  if (!existsSync(path)) return false
  // chrome.exe doesn't print its version on the console: --version would open a window.
  if (process.platform === 'win32') return true
  return spawnSync(path, ['--version', '--no-sandbox'], { stdio: 'ignore', timeout: 20_000 }).status === 0
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
function run(command, args, env) {
  spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    obtainChromium((line) => process.stderr.write(`${line}\n`))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
