import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { screensOpenToAll, signedInScreens } from '../../src/app/screens.ts'
import { buildWebWhenChanged } from '../web-build.mjs'
import budgets from './web-budget.json' with { type: 'json' }

const web = fileURLToPath(new URL('../../dist/web', import.meta.url))

const pages = {
  '/': 'landing.html',
  '/todos': 'screens/todos.html',
  '/today': 'screens/today.html',
  // These share fields and icons with the first screens, and must not be sent whole parts of them for that.
  '/sign-in': 'screens/sign-in.html',
  '/habits': 'screens/habits.html',
  '/settings': 'screens/settings.html',
}

beforeAll(() => buildWebWhenChanged(() => {}), 300_000)

// What the pages name, in KB of 1,024 bytes, compressed as they are sent to a browser that takes Brotli. What their scripts ask for
// before a screen is usable is counted in a browser, by e2e/first-screen.spec.ts.
describe.each(Object.entries(pages) as [keyof typeof pages, string][])(
  'whoever opens %s is sent',
  (address, page) => {
    const budget = budgets[address]

    test(`at most ${budget.script} KB of script`, () => {
      expect(kilobytes(scriptsOf(page).map(compressed))).toBeLessThanOrEqual(budget.script)
    })

    test(`at most ${budget.styles} KB of styles`, () => {
      const styles = named(page, 'css')
      expect(styles.length).toBeGreaterThan(0)
      expect(kilobytes(styles.map(compressed))).toBeLessThanOrEqual(budget.styles)
    })

    test(`at most ${budget.fonts} KB of fonts, also where a name needs letters of a second one`, () => {
      // The app asks for it once it is there; the landing page has nothing that would.
      const first = page === pages['/'] ? named(page, 'woff2') : [latinFont()]
      expect(first).toHaveLength(1)
      const others = readdirSync(join(web, 'assets'))
        .filter((file) => file.endsWith('.woff2') && !first.includes(`assets/${file}`))
        .map((file) => statSync(join(web, 'assets', file)).size)
      const sizes = [...first.map((file) => statSync(join(web, file)).size), Math.max(...others)]
      expect(kilobytes(sizes)).toBeLessThanOrEqual(budget.fonts)
    })

    test('all of the scripts at once, none found out by another', () => {
      const ahead = named(page, 'js')
      expect(scriptsOf(page).filter((script) => !ahead.includes(script))).toEqual([])
    })
  },
)

test('the browser is told to compile the frame while it arrives, where it looks for that', () => {
  const [frame = ''] = named('screens/todos.html', 'js').filter((file) => file.startsWith('assets/frame-'))
  expect(readFileSync(join(web, frame), 'utf8')).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/)
})

describe.each(Object.entries(budgets.chunks))('the part %s', (name, most) => {
  const files = () => readdirSync(join(web, 'assets')).filter((file) => chunkName(file) === name)

  test(`is a chunk of its own, of at most ${most} KB`, () => {
    expect(files()).toHaveLength(1)
    expect(kilobytes(files().map((file) => compressed(`assets/${file}`)))).toBeLessThanOrEqual(most)
  })

  test('is not sent with any first screen', () => {
    const first = [pages['/'], pages['/todos'], pages['/today']].flatMap(scriptsOf)
    expect(first.filter((script) => files().includes(script.replace('assets/', '')))).toEqual([])
  })
})

test('the page of the to-do screen names the script of that screen', () => {
  const texts = named(pages['/todos'], 'js').map((file) => readFileSync(join(web, file), 'utf8'))
  expect(texts.filter((text) => text.includes('Plan your day and track your tasks'))).toHaveLength(1)
})

test('every screen has a page, which asks for the session at once where it needs an account', () => {
  const asksIn = (screens: typeof screensOpenToAll | typeof signedInScreens) =>
    screens.flatMap(({ options }) => {
      const words = 'path' in options ? options.path.split('/') : []
      const name = words.filter((word) => word !== '' && !word.startsWith('$')).join('.')
      if (name === '') return []
      return readFileSync(join(web, 'screens', `${name}.html`), 'utf8').includes('src="/assets/session-')
    })
  expect(new Set(asksIn(screensOpenToAll))).toEqual(new Set([false]))
  expect(new Set(asksIn(signedInScreens))).toEqual(new Set([true]))
})

/** The letters of English, which every screen needs. */
function latinFont(): string {
  const [font, ...more] = readdirSync(join(web, 'assets')).filter((file) =>
    /-latin-wght.*\.woff2$/.test(file),
  )
  if (!font || more.length > 0) throw new Error('Which font has the letters of English?')
  return `assets/${font}`
}

/** 'palette' of 'palette-DLsdFDKy.js'. */
function chunkName(file: string): string | undefined {
  return /^(.+)-[\w-]{8}\.js$/.exec(file)?.[1]
}

/** What a page names, outside of the template that waits for somebody to go on. */
function named(page: string, ending: string): string[] {
  const html = readFileSync(join(web, page), 'utf8').replace(/<template.*<\/template>/s, '')
  return [...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].flatMap(([, file]) =>
    file?.endsWith(`.${ending}`) ? file : [],
  )
}

/** The scripts that a page names and what these import, whether named or not. */
function scriptsOf(page: string): string[] {
  const scripts = new Set<string>()
  const take = (file: string) => {
    if (scripts.has(file)) return
    scripts.add(file)
    const source = readFileSync(join(web, file), 'utf8')
    for (const [, imported] of source.matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)) {
      take(`assets/${imported}`)
    }
  }
  named(page, 'js').forEach(take)
  return [...scripts]
}

function compressed(file: string): number {
  return statSync(join(web, `${file}.br`)).size
}

function kilobytes(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}
