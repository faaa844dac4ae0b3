import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { builtFiles } from '../../../../scripts/web/built-files.mjs'
import { type BuiltFile, hasTypeOf, isFile } from './built-file.ts'

const script = "export const greeting = 'Grüße'\n"
const javascript = 'text/javascript; charset=utf-8'

let folder: string
let listed: BuiltFile[]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'daymark-built-'))
  mkdirSync(join(folder, 'assets'))
  for (const name of ['greeting-x1.js', 'greeting-x1.js.br', 'greeting-x1.js.gz'])
    writeFileSync(join(folder, 'assets', name), script)
  for (const name of ['index.html', 'index.html.gz', 'service-worker.js', 'icon.png'])
    writeFileSync(join(folder, name), name)
  listed = await builtFiles(folder)
})
afterAll(() => rmSync(folder, { recursive: true }))

const file = () => listed.find(([path]) => path.endsWith('.js')) ?? ['', 0, '']
const responseWith = (body: BodyInit, type = javascript, status = 200) =>
  new Response(body, { status, headers: { 'content-type': type } })

test('the build lists what the app is made of, without the worker and what is compressed', () => {
  expect(listed.map(([path]) => path)).toEqual(['assets/greeting-x1.js', 'icon.png', 'index.html'])
})

describe('only what was built is taken for a file of the app', () => {
  test('as the server sends it, and as a proxy may spell its type', async () => {
    expect(await isFile(responseWith(script), file())).toBe(true)
    expect(await isFile(responseWith(script, 'Text/JavaScript;charset=UTF-8'), file())).toBe(true)
  })

  test('and not when it is refused, of another type, or led elsewhere', async () => {
    expect(await isFile(responseWith(script, javascript, 503), file())).toBe(false)
    expect(await isFile(responseWith(script, 'text/html'), file())).toBe(false)
    expect(await isFile(new Response(new TextEncoder().encode(script)), file())).toBe(false)
    const redirected = Object.defineProperty(responseWith(script), 'redirected', { value: true })
    expect(await isFile(redirected, file())).toBe(false)
  })

  test('and never with a byte changed, missing or added', async () => {
    const bytes = new TextEncoder().encode(script)
    const place = fc.nat(bytes.length - 1)
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = bytes.map((byte, index) => (index === at ? byte ^ change : byte))
        expect(await isFile(responseWith(changed), file())).toBe(false)
        expect(await isFile(responseWith(bytes.slice(0, at)), file())).toBe(false)
        expect(await isFile(responseWith(`${script}${change}`), file())).toBe(false)
      }),
      { numRuns: runs(10_000, 100) },
    )
  })

  test('and it can be stored afterwards', async () => {
    const response = responseWith(script)
    await isFile(response, file())
    expect(await response.text()).toBe(script)
  })
})

test('of a file of an older build, a page in its place is noticed', () => {
  expect(hasTypeOf('/assets/older.js', responseWith(script))).toBe(true)
  expect(hasTypeOf('/assets/older.js', responseWith('<!doctype html>', 'text/html'))).toBe(false)
  expect(hasTypeOf('/screens/older.html', responseWith('<!doctype html>', 'text/html'))).toBe(true)
})
