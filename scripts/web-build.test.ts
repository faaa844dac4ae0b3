import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

// A stand-in for Vite, whose work isn't tested here: it records that it was called, and creates a page.
const pretendedVite = `
import fs from 'node:fs'
fs.appendFileSync('builds', process.env.NODE_ENV + '\\n')
fs.mkdirSync('dist/web', { recursive: true })
fs.writeFileSync('dist/web/index.html', '')
if (fs.readFileSync('src/page.tsx', 'utf8') === 'broken') process.exit(1)
`

let tree: string

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'daymark-build-'))
  mkdirSync(join(tree, 'scripts'))
  cpSync(fileURLToPath(new URL('web-build.mjs', import.meta.url)), join(tree, 'scripts', 'web-build.mjs'))
  write('package.json', '{"type":"module"}')
  write('node_modules/vite/bin/vite.js', pretendedVite)
  write('src/page.tsx', 'page')
  write('index.html', 'html')
})

afterEach(() => rmSync(tree, { recursive: true }))

test('what is up to date is not built again, and that is said', () => {
  expect(build()).toContain('Web: built in')
  expect(build()).toBe('Web: dist/web is up to date.\n')
  expect(builds()).toHaveLength(1)
})

test.each([
  'src/page.tsx',
  'src/platform/ui/new.css',
  'public/favicon.svg',
  'index.html',
  'landing.html',
  'scripts/web/web-pages.mjs',
  'vite.config.ts',
  'package-lock.json',
])('a change of %s is built', (path) => {
  build()
  write(path, 'changed')
  build()
  expect(builds()).toHaveLength(2)
})

test('a renamed file is a change', () => {
  write('src/a.ts', 'same')
  build()
  rmSync(join(tree, 'src', 'a.ts'))
  write('src/b.ts', 'same')
  build()
  expect(builds()).toHaveLength(2)
})

test('a changed test is not built', () => {
  build()
  write('src/page.test.tsx', 'changed')
  expect(build()).toContain('up to date')
})

test('pages that were deleted are built again', () => {
  build()
  rmSync(join(tree, 'dist', 'web'), { recursive: true })
  build()
  expect(existsSync(join(tree, 'dist', 'web', 'index.html'))).toBe(true)
})

test('a build that failed is not taken for a finished one, even when the change is taken back', () => {
  build()
  write('src/page.tsx', 'broken')
  expect(build()).toContain('The web could not be built: vite build ended with 1.')
  write('src/page.tsx', 'page')
  expect(build()).toContain('Web: built in')
})

test('it is always built for production', () => {
  build()
  expect(builds()).toEqual(['production'])
})

function build(): string {
  const program = `
    const { buildWebWhenChanged } = await import('./scripts/web-build.mjs')
    await buildWebWhenChanged(console.log).catch((error) => console.log(error.message))
  `
  const env = { ...process.env, NODE_ENV: 'development' }
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: tree,
    encoding: 'utf8',
    env,
  }).stdout
}

function builds(): string[] {
  return readFileSync(join(tree, 'builds'), 'utf8').trim().split('\n')
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}
