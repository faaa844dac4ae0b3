import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Container, findEngine, type Image } from '../../testing/container-engine.ts'
import { isIgnored } from '../../testing/containerfile.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

// Where there is neither, what a run elsewhere proves has to do; CI has to have one.
const engine = findEngine()
const why = 'neither Docker nor root on Debian'

describe.skipIf(engine === undefined && process.env.CI !== 'true')(
  `the container, ${engine ? `built ${engine.name === 'Docker' ? 'by Docker' : engine.name}` : why}`,
  () => {
    let image: Image
    let steps = ''

    beforeAll(async () => {
      if (engine === undefined) throw new Error(`The container cannot be built here: ${why}`)
      // At full length the packages are fetched too, by the machine's own Node.
      const packages = process.env.DAYMARK_DEEP === '1' ? undefined : join(repository, 'node_modules')
      const say = (text: string) => {
        steps += text
      }
      image = await engine.build(repository, say, packages)
    }, 1_200_000)

    afterAll(() => image?.remove())

    test('installs its packages once', () => {
      expect(steps).toMatch(/Set-up: (up to date|done in \d+ s)/)
      expect(steps).not.toContain('once more with')
    })

    test('holds what the server needs to run, and nothing of the web, the tests or the build', () => {
      const files = image.files('/daymark')
      expect(files).toContain('src/app/server.ts')
      expect(files).toContain('dist/web/index.html')
      const { devDependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
      const packages = Object.keys(devDependencies).map((name) => `node_modules/${name}/`)
      const needless = [...packages, 'src/app/shell/', 'src/platform/ui/', 'data/', '.git/']
      const found = files.filter(
        (file) =>
          needless.some((folder) => file.startsWith(folder)) || /^src\/.*(\.test\.|\/testing\/)/.test(file),
      )
      expect(found).toEqual([])
    })

    test('is under 250 MB compressed', async () => {
      const bytes = await image.compressedBytes()
      process.stderr.write(`The container is ${Math.round(bytes / 1e6)} MB compressed.\n`)
      expect(bytes).toBeLessThan(250e6)
      expect(bytes).toBeGreaterThan(50e6)
    }, 300_000)

    test('serves as another user who can write its data and nothing else, and keeps them for the next one', async () => {
      const first = await image.run()
      expect(first.healthy()).toBe(true)
      expect(first.healthy({ PORT: '1' })).toBe(false)
      expect(first.exec(['id', '--user']).said.trim()).toBe('10001')
      expect(first.exec(['grep', 'CapEff', '/proc/1/status']).said).toMatch(/\t0+\n/)
      for (const folder of ['/daymark', '/etc', '/usr']) {
        const { status, said } = first.exec(['touch', `${folder}/planted`])
        expect(said).toContain('Read-only file system')
        expect(status).not.toBe(0)
      }
      expect(first.exec(['stat', '--format=%U %a', '/data/daymark.db']).said).toBe('UNKNOWN 600\n')
      expect(fetchInside(first, '/', {}).said).toContain('<html')
      expect(signUp(first).said).toContain('200')
      expect(first.exec(['node', 'scripts/backup.mjs']).said).toContain('It was opened and counted.')
      expect(first.exec(['node', '-e', drawPicture]).said).toContain('webp')
      expect(await first.stop()).toBe(0)
      expect(first.said()).toContain('"signal":"SIGTERM"')

      const second = await image.run()
      expect(signUp(second).said).toContain('422')
      expect(await second.stop()).toBe(0)
    }, 120_000)
  },
)

test('a build is given nothing that git ignores', () => {
  const ignore = readFileSync(join(repository, '.dockerignore'), 'utf8')
  const planted = {
    'node_modules/': 'node_modules/kysely/package.json',
    'dist/': 'dist/web/index.html',
    'data/': 'data/daymark.db',
    '.update/': '.update/next/package.json',
    '*.db': 'elsewhere/my.db',
    '*.db-*': 'my.db-wal',
    '*.copy': 'my.db.at-0009.copy',
    '/auth-secret*': 'auth-secret',
    'coverage/': 'coverage/index.html',
    'test-results/': 'test-results/trace.zip',
    'playwright-report/': 'playwright-report/index.html',
    '*.log': 'npm-debug.log',
    '/.env': '.env',
    'secrets/': 'secrets/auth-secret',
  }
  const git = readFileSync(join(repository, '.gitignore'), 'utf8')
  const lines = git.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  expect(lines.toSorted()).toEqual(Object.keys(planted).toSorted())
  expect(Object.values(planted).filter((path) => !isIgnored(ignore, path))).toEqual([])
  for (const needed of ['src/app/server.ts', 'src/app/settings/auth-secret.ts'])
    expect(isIgnored(ignore, needed)).toBe(false)
})

const drawPicture = `
  const sharp = (await import('sharp')).default
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  console.log((await sharp(await picture.webp().toBuffer()).metadata()).format)`

function signUp(container: Container) {
  const body = JSON.stringify({ name: 'kept', email: 'kept@example.org', password: 'correct horse' })
  return fetchInside(container, '/api/auth/sign-up/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://127.0.0.1:3000' },
    body,
  })
}

/** From inside, since nothing leads in. */
function fetchInside(container: Container, path: string, init: RequestInit) {
  const program = `
    const response = await fetch('http://127.0.0.1:3000${path}', ${JSON.stringify(init)})
    console.log(response.status, await response.text())`
  return container.exec(['node', '--input-type=module', '-e', program])
}
