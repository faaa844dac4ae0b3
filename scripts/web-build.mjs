// Builds the web into dist/web, but only when what it is made from has changed. Run as a program, it does just that.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

// Next to dist/web, not in it, because everything in it is served.
const stamp = join(root, 'dist', 'web-inputs.sha256')
const page = join(root, 'dist', 'web', 'index.html')

const inputs = [
  'src',
  'public',
  'index.html',
  'landing.html',
  // All of them: those of the build import others.
  'scripts',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]

/**
 * Resolves once dist/web matches the sources; rejects if the build fails.
 * @param {(line: string) => void} say
 */
export async function buildWebWhenChanged(say) {
  const wanted = hashOfInputs()
  if (existsSync(page) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
    say('Web: dist/web is up to date.')
    return
  }
  say('Web: building dist/web ...')
  // Removed before the build begins, so that an interrupted build isn't taken for a finished one.
  rmSync(stamp, { force: true })
  const started = performance.now()
  await viteBuild()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
  say(`Web: built in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}

function hashOfInputs() {
  const hash = createHash('sha256')
  for (const path of inputs.flatMap(filesIn).sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

/**
 * @param {string} path
 * @returns {string[]} the files there, tests left out
 */
function filesIn(path) {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (!statSync(full).isDirectory()) return [path]
  return readdirSync(full)
    .filter((name) => !/\.test\.tsx?$/.test(name))
    .flatMap((name) => filesIn(join(path, name)))
}

/** @returns {Promise<void>} */
function viteBuild() {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  // A child process, so that the server that starts next doesn't keep the bundler's memory.
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const stop = () => child.kill('SIGTERM')
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      process.off('SIGTERM', stop)
      process.off('SIGINT', stop)
      if (code === 0) resolve()
      else reject(new Error(`The web could not be built: vite build ended with ${code ?? 'a signal'}.`))
    })
  })
}

if (import.meta.main) await buildWebWhenChanged((line) => process.stderr.write(`${line}\n`))
