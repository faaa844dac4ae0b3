import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { locateChromium, locateHeadlessShell, obtainChromium } from './chromium.mjs'

// Where Playwright looks for its own browsers; it reads this when it is loaded.
vi.hoisted(() => vi.stubEnv('PLAYWRIGHT_BROWSERS_PATH', '/nowhere'))

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daymark-chromium-'))
  vi.stubEnv('PATH', folder)
  vi.stubEnv('CHROMIUM_PATH', '')
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

test('CHROMIUM_PATH comes before a browser of the system', () => {
  browser('chromium', 0)
  const named = browser('named', 0)
  vi.stubEnv('CHROMIUM_PATH', named)
  expect(locateChromium()).toEqual({ path: named, from: 'CHROMIUM_PATH' })
})

test('a CHROMIUM_PATH that does not start is told, and no other browser is taken in its place', () => {
  browser('chromium', 0)
  const said: string[] = []
  for (const path of [browser('broken', 1), join(folder, 'nowhere')]) {
    vi.stubEnv('CHROMIUM_PATH', path)
    expect(locateChromium()).toBeUndefined()
    expect(() => obtainChromium((line) => said.push(line))).toThrow(`CHROMIUM_PATH is ${path}`)
  }
  expect(said).toEqual([])
})

test('a stub of the system that does not start is passed over', () => {
  browser('chromium-browser', 1)
  const chrome = browser('google-chrome', 0)
  expect(locateChromium()).toEqual({ path: chrome, from: "the system's" })
})

test('a headless shell of the system is found beside the browser, and left alone by whoever names a browser', () => {
  const chrome = browser('chromium', 0)
  expect(locateHeadlessShell()).toBeUndefined()
  const shell = browser('chromium-headless-shell', 0)
  expect(locateHeadlessShell()).toBe(shell)
  expect(locateChromium()?.path).toBe(chrome)
  vi.stubEnv('CHROMIUM_PATH', chrome)
  expect(locateHeadlessShell()).toBeUndefined()
})

test('a browser that is there is used, and with its headless shell nothing is installed', () => {
  const chrome = browser('chromium', 0)
  browser('chromium-headless-shell', 0)
  const said: string[] = []
  expect(obtainChromium((line) => said.push(line))).toBe(chrome)
  expect(said).toEqual([`Chromium: ${chrome} (the system's)`])
})

function browser(name: string, exit: number): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\nexit ${exit}\n`, { mode: 0o755 })
  return path
}
