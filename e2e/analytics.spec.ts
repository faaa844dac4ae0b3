import { readFile } from 'node:fs/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Download, expect, type Locator, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { fetchedLater } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { expectNothingSticksOut, leastShownOfAWeek, resize } from './testing/looks/looks.ts'
import {
  analyticsShown,
  aYear,
  card,
  chart,
  live,
  openAnalytics,
} from './testing/person/analytics-account.ts'
import { call } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test, withoutEvents } from './testing/person/person.ts'
import { daysAgo, inWords } from './testing/screens/habit-list.ts'

test.use({ timezoneId: 'UTC' })

const names = ['Completed todos', 'Completed habits', 'Completed focus'] as const
const number = (card: Locator) => card.getByRole('link', { name: /Show the list$/ })
const label = async (link: Locator) => (await link.getAttribute('aria-label')) ?? ''
const ranges = (page: Page) => page.getByRole('radiogroup', { name: 'Range' })
const bars = (card: Locator) => chart(card).getByRole('rowheader').getByRole('link')
const readOut = (card: Locator, text: string) => card.getByText(text).filter({ visible: true })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** The cells of a file without quotes. */
async function cellsOf(download: Download): Promise<string[][]> {
  const text = await readFile(await download.path(), 'utf8')
  expect(text.startsWith('\uFEFF')).toBe(true)
  const lines = text.slice(1).split('\r\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => line.split(','))
}

async function download(page: Page, within: Locator = page.getByRole('main')): Promise<string[][]> {
  const downloading = page.waitForEvent('download')
  await within.getByRole('button', { name: 'Download CSV' }).click()
  return cellsOf(await downloading)
}

/** A text that is drawn before is a little wider or narrower, and moves what stands beside it when the font comes. */
async function fontIsThere(page: Page): Promise<void> {
  const load = () => page.evaluate(async () => (await document.fonts.load('1em "Hanken Grotesk"')).length)
  // The page knows the font only once its styles have come.
  await expect.poll(load).toBeGreaterThan(0)
}

test('nothing moves while the cards load, at any width, and each card reserves its place', async ({
  page,
}) => {
  await live(page, aYear())
  await page.addInitScript(() => {
    const shifts: unknown[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!('value' in entry && 'sources' in entry && Array.isArray(entry.sources))) continue
        const moved = entry.sources.map(({ node }) => node?.outerHTML ?? node?.textContent)
        shifts.push({ value: entry.value, at: entry.startTime, moved })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 2400 })
    const letGo = await holdRequest(page, /\/api\/(todos|habits|focus)(\/(completed|due))?(\?|$)/)
    const letDraw = await holdRequest(page, /\/assets\/analytics-page-/)
    await page.goto('/analytics', { waitUntil: 'commit' })
    await fontIsThere(page)
    letDraw()
    for (const name of names) {
      await expect(card(page, name)).toHaveAttribute('aria-busy', 'true')
      await expect(card(page, name).getByRole('status')).toHaveText('Loading...')
    }
    const places = () => Promise.all(names.map((name) => card(page, name).boundingBox()))
    // While a card replaces its skeleton, it is missing for a moment.
    let before: Awaited<ReturnType<typeof places>> = []
    await expect
      .poll(async () => {
        before = await places()
        return before
      })
      .not.toContain(null)
    letGo()
    await page.getByRole('heading', { name: 'Streak records' }).waitFor()
    for (const name of names) await expect(number(card(page, name))).toBeVisible()
    expect(await places()).toEqual(before)
    const shifts = await page.evaluate(() => Reflect.get(globalThis, 'shifts'))
    expect(shifts, `at ${width} px`).toEqual([])
  }
})

test.describe('a card that fails to load', () => {
  test.use({ mayLog: /Failed to load resource/ })

  test('and a list', async ({ page }) => {
    await live(page, { todos: { 1: ['Water the lemon tree'] }, focus: { 0: [1_500] } })

    await test.step('says so in its place, leaves the others alone and can be retried on its own', async () => {
      let failing = true
      await page.route('**/api/todos/completed?*', (route) =>
        failing
          ? route.fulfill({ status: 500, json: { code: 'internal', message: 'Something went wrong' } })
          : route.continue(),
      )
      await page.goto('/analytics')
      const todos = card(page, 'Completed todos')
      await expect(todos.getByRole('alert')).toContainText("Completed todos couldn't be loaded.")
      await expect(card(page, 'Completed habits')).toContainText('No habits due in the last 30 days.')
      await expect(card(page, 'Completed focus').getByRole('alert')).toHaveCount(0)
      await expect(page.getByText("Insights and records couldn't be loaded.")).toBeVisible()
      await expectNoAxeViolations(page)
      // What the page asks for by itself once it stands is not part of the retry.
      await settled(page)
      const asked: string[] = []
      page.on(
        'request',
        (request) => request.url().includes('/api/') && asked.push(new URL(request.url()).pathname),
      )
      failing = false
      await todos.getByRole('button', { name: 'Try again' }).click()
      await expect(number(todos)).toHaveAccessibleName(/^1 task in/)
      expect(asked).toEqual(['/api/todos/completed'])
    })

    await test.step('a list that fails to load says so, too, and can be retried', async () => {
      let failing = true
      await page.route('**/api/focus?*', (route) =>
        failing
          ? route.fulfill({ status: 500, json: { code: 'internal', message: 'Something went wrong' } })
          : route.continue(),
      )
      await page.goto('/analytics/focus')
      await expect(page.getByRole('alert')).toContainText("The list couldn't be loaded.")
      await expectNoAxeViolations(page)
      failing = false
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByText('25 min, 1 session')).toBeVisible()
    })
  })
})

test('a new person is told what is missing, and where it comes from', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await openAnalytics(page)
  await expect(card(page, 'Completed todos')).toContainText('No tasks completed in the last 30 days.')
  await expect(card(page, 'Completed habits')).toContainText('Nothing was due in the previous 30 days')
  await expect(card(page, 'Completed focus')).toContainText('No focus sessions in the last 30 days.')
  await expect(page.getByText(/^No insights yet\. .* So far you have 0 days/)).toBeVisible()
  await expectNoAxeViolations(page)
  await number(card(page, 'Completed todos')).click()
  await expect(page.getByText('No tasks completed on these days.')).toBeVisible()
  await page.getByRole('link', { name: 'Analytics' }).last().click()
  await card(page, 'Completed habits').getByRole('link', { name: 'Go to Habits' }).click()
  await expect(page).toHaveURL('/habits')
})

test('a life of a few entries', async ({ page }) => {
  const many = Array.from({ length: 60 }, (_, nth) => `Errand ${nth}`)
  const one = (ago: number) => ({ [ago]: ['Errand'] })
  await live(page, {
    todos: {
      0: ['Water the lemon tree', 'Call Ada'],
      200: ['Plant the quince'],
      400: many,
      401: many,
      ...one(1),
      ...one(20),
      ...one(40),
      ...one(80),
      ...one(300),
    },
    habits: [{ name: 'Read 20 pages', since: 10, done: [1, 2] }],
    focus: { 0: [1_500, 1_500], 1: [60], 3: [1_500], 29: [5_400] },
  })

  await test.step('while the year loads, no day of it is drawn as before the start', async () => {
    const letGo = await holdRequest(page, /\/api\/habits\/completed/)
    await page.goto('/analytics')
    const year = card(page, 'The past year')
    const dot = (ago: number) =>
      year
        .locator(`[data-day="${daysAgo(ago)}"]`)
        .evaluate((it) => getComputedStyle(it, '::before').width === '2px')
    await expect(year.getByRole('grid')).toHaveAttribute('aria-busy', 'true')
    expect([await dot(200), await dot(5)]).toEqual([false, false])
    letGo()
    await expect(year.getByRole('grid')).toHaveAttribute('aria-busy', 'false')
    expect([await dot(200), await dot(5)]).toEqual([true, false])
    await page.unrouteAll()
    await analyticsShown(page)
  })

  await test.step('no partial week shows beside the weekdays of the year, at any width', async () => {
    for (const width of [320, 360, 361, 365, 369, 414, 500, 768, 900, 1023]) {
      await resize(page, width)
      expect(
        await leastShownOfAWeek(card(page, 'The past year').getByRole('grid')),
        `${width} px`,
      ).toBeGreaterThan(10)
    }
    await resize(page, 1280)
  })

  await test.step('the year shows all three, named in words, and every day of it links to its list', async () => {
    const year = card(page, 'The past year')
    const day = (ago: number) => year.locator(`[data-day="${daysAgo(ago)}"]`)
    await expect(year.getByRole('listitem')).toHaveText([
      'None',
      'Up to a third',
      'Up to two thirds',
      'Most',
      'All',
    ])
    await expect(day(1)).toHaveAccessibleName(`${inWords(daysAgo(1))}: 1 of 1 habits`)
    await year.getByText('Focus', { exact: true }).click()
    await expect(day(3)).toHaveAccessibleName(`${inWords(daysAgo(3))}: 25 min`)
    await expect(year.getByRole('listitem').last()).toHaveText(/^Over /)
    await year.getByText('Tasks', { exact: true }).click()
    await expect(day(0)).toHaveAccessibleName(`${inWords(daysAgo(0))}: 2 tasks`)
    const cells = (await download(page, year)).slice(1)
    expect(cells.filter(([, count]) => count !== '0')).toEqual([
      ...[300, 200, 80, 40, 20, 1].map((ago) => [daysAgo(ago), '1']),
      [daysAgo(0), '2'],
    ])
    await day(0).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(day(7)).toBeFocused()
    await day(200).click()
    await expect(page).toHaveURL(`/analytics/todos?from=${daysAgo(200)}&to=${daysAgo(200)}`)
    await expect(page.getByRole('main').getByRole('listitem')).toHaveText([/^Plant the quince/])
    await page.goBack()
    await analyticsShown(page)
  })

  await test.step('a chart is one Tab stop, arrow keys move between bars, and Enter opens the list of a bar', async () => {
    const focus = card(page, 'Completed focus')
    await number(focus).focus()
    await page.keyboard.press('Tab')
    await expect(bars(focus).last()).toBeFocused()
    await expect(bars(focus).last()).toHaveAccessibleName(inWords(daysAgo(0)))
    await expect(bars(focus).last()).toHaveAccessibleDescription('50 min 2 sessions')
    await expect(readOut(focus, `${inWords(daysAgo(0))}: 50 min`)).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expect(readOut(focus, `${inWords(daysAgo(1))}: 1 min`)).toBeVisible()
    await page.keyboard.press('Home')
    await expect(readOut(focus, `${inWords(daysAgo(29))}: 1 h 30 min`)).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(focus.locator(':focus')).toHaveCount(0)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/analytics/focus?from=${daysAgo(29)}&to=${daysAgo(29)}`)
    await expect(heading(page)).toHaveText('Completed focus')
    await expect(heading(page)).toBeFocused()
    await expect(page.getByText('1 h 30 min, 1 session')).toBeVisible()
    await page.goBack()
    await analyticsShown(page)
  })

  await test.step('a change that reaches the server is counted while the page is open', async () => {
    const todos = card(page, 'Completed todos')
    await expect(number(todos)).toHaveAccessibleName(/^4 task/)
    const { todo } = await call(page, 'post', '/api/todos', { title: 'Pick the plums', completed: 0 })
    await call(page, 'put', `/api/todos/${todo.id}`, { completed: 1 })
    await expect(number(todos)).toHaveAccessibleName(/^5 task/)
    await call(page, 'put', `/api/todos/${todo.id}`, { completed: 0 })
    await expect(number(todos)).toHaveAccessibleName(/^4 task/)
  })

  await test.step('the range stays in the address across reloads, the keyboard and lists; an invalid one becomes the default', async () => {
    const todos = card(page, 'Completed todos')
    await expect(ranges(page).getByRole('radio', { name: '30 days' })).toBeChecked()
    await expect(number(todos)).toHaveAccessibleName(/^4 task/)
    await expect(todos).toContainText('3 more than in the previous 30 days')
    await ranges(page).getByText('90 days').click()
    await expect(page).toHaveURL('/analytics?range=90')
    await expect(number(todos)).toHaveAccessibleName(/^6 task/)
    await expect(todos).toContainText('None in the previous 90 days')
    await page.keyboard.press('ArrowRight')
    await expect(page).toHaveURL('/analytics?range=year')
    await expect(number(todos)).toHaveAccessibleName(/^8 task/)
    const months = new Set(Array.from({ length: 365 }, (_, ago) => daysAgo(ago).slice(0, 7)))
    await expect(bars(todos)).toHaveCount(months.size)
    await page.reload()
    await expect(ranges(page).getByRole('radio', { name: 'Year' })).toBeChecked()
    await number(todos).click()
    await expect(page).toHaveURL(`/analytics/todos?from=${daysAgo(364)}&to=${daysAgo(0)}&range=year`)
    await page.getByRole('main').getByRole('link', { name: 'Analytics' }).click()
    await expect(page).toHaveURL('/analytics?range=year')
    await page.goto('/analytics?range=12')
    await expect(ranges(page).getByRole('radio', { name: '30 days' })).toBeChecked()
    await expect(number(todos)).toHaveAccessibleName(/^4 task/)
  })

  await test.step('a long list of todos loads more at its end, and its file has all of them', async () => {
    await page.goto(`/analytics/todos?from=${daysAgo(402)}&to=${daysAgo(399)}`)
    await expect(page.getByText('120 tasks', { exact: true })).toBeVisible()
    const rows = page.getByRole('main').getByRole('listitem')
    await expect(rows).toHaveCount(50)
    await expect(page.getByRole('status').filter({ hasText: '50 of 120' })).toBeVisible()
    await page.getByRole('button', { name: 'Load more' }).click()
    await expect(rows).toHaveCount(100)
    const [head, ...cells] = await download(page)
    expect(head).toEqual(['day', 'title', 'completed_at', 'list'])
    expect(new Set(cells.map(([day, title]) => `${day} ${title}`)).size).toBe(120)
    await expect(rows).toHaveCount(100)
    await page.getByRole('button', { name: 'Load more' }).click()
    await expect(rows).toHaveCount(120)
    await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0)
    await expect(page.getByRole('list', { name: inWords(daysAgo(401)) }).getByRole('listitem')).toHaveCount(
      60,
    )
  })
})

test('habits of two months', async ({ page }) => {
  await live(page, {
    habits: [
      { name: 'Read 20 pages', since: 60, done: Array.from({ length: 30 }, (_, ago) => ago) },
      { name: 'Long run', frequency: 'weekly', since: 60, done: [50, 43] },
    ],
    focus: { 1: [1_500], 2: [4_000] },
  })
  await openAnalytics(page)

  await test.step('records, weekdays and focus against habits show their counts', async () => {
    const records = card(page, 'Streak records').getByRole('row')
    await expect(records.nth(1)).toHaveText(/Read 20 pages ?30 days ?30 days \(current\)/)
    await expect(records.nth(2)).toHaveText(/Long run ?0 weeks ?2 weeks/)
    await expect(card(page, 'Best day of the week').getByRole('row')).toHaveCount(8)
    const bands = card(page, 'Focus time and habits').getByRole('row')
    await expect(bands.nth(1)).toHaveText(/None ?47% ?58/)
    await expect(bands.nth(2)).toHaveText(/Up to 30 min ?100% ?1/)
    await expect(bands.nth(4)).toHaveText(/Over 1 h ?100% ?1/)
  })

  await test.step('a row that counts only daily habits links to a list of only those', async () => {
    const weekday = card(page, 'Best day of the week')
    await weekday.getByRole('button', { name: /^Show \d/ }).click()
    const shown = page.getByRole('region', { name: 'Share of daily habits done, day by day' })
    await shown.getByRole('link', { name: inWords(daysAgo(43)) }).click()
    await expect(page).toHaveURL(/[?&]daily=/)
    await expect(page.getByRole('main').getByRole('listitem')).toHaveText([/Read 20 pages/])
    const { pathname, search } = new URL(page.url())
    await page.goto(pathname + search.replace(/&?daily=[^&]*/, ''))
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2)
  })
})

test('the numbers of a year', async ({ page }) => {
  await live(page, aYear())
  await openAnalytics(page)

  await test.step('every number links to the entries behind it, which add up to it, and so does their file', async () => {
    const todos = Number((await label(number(card(page, names[0])))).match(/^\d+/)?.[0])
    await number(card(page, names[0])).click()
    await expect(page).toHaveTitle('Completed todos · Daymark')
    await expect(page.getByText(`${todos} tasks`, { exact: true })).toBeVisible()
    expect((await download(page)).slice(1)).toHaveLength(todos)
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(todos)
    await expectNoAxeViolations(page)
    await page.goBack()

    const habits = (await label(number(card(page, names[1])))).match(/^(\d+) of (\d+) due/)
    await number(card(page, names[1])).click()
    await expect(page.getByText(`${habits?.[1]} of ${habits?.[2]} due`, { exact: true })).toBeVisible()
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(Number(habits?.[2]))
    await expect(page.getByText('Done', { exact: true })).toHaveCount(Number(habits?.[1]))
    const done = (await download(page)).slice(1)
    expect([done.length, done.filter(([, , completed]) => completed === '1').length]).toEqual([
      Number(habits?.[2]),
      Number(habits?.[1]),
    ])
    await page.goBack()

    const focus = (await label(number(card(page, names[2])))).match(/^(\d+) h(?: (\d+) min)?/)
    await number(card(page, names[2])).click()
    const time = `${focus?.[1]} h${focus?.[2] ? ` ${focus[2]} min` : ''}`
    const sum = page.getByText(new RegExp(`^${time}, \\d+ sessions$`))
    await expect(sum).toBeVisible()
    const seconds = (await download(page)).slice(1).map(([, seconds]) => Number(seconds))
    expect(seconds.reduce((all, one) => all + one, 0)).toBe(
      Number(focus?.[1]) * 3_600 + Number(focus?.[2] ?? 0) * 60,
    )
    expect(await sum.textContent()).toContain(`, ${seconds.length} sessions`)
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(seconds.length)
    await page.goBack()
    await analyticsShown(page)
  })

  await test.step('screen readers get each chart as a table whose rows add up to the number, and hovering says the same', async () => {
    const habits = card(page, 'Completed habits')
    const rows = chart(habits).getByRole('row')
    await expect(rows).toHaveCount(31)
    await expect(rows.first().getByRole('columnheader')).toHaveText(['Day', 'Completed', 'Due'])
    const cells = await chart(habits).getByRole('cell').allTextContents()
    const sum = (word: string) =>
      cells.filter((cell) => cell.includes(word)).reduce((all, cell) => all + Number.parseInt(cell, 10), 0)
    await expect(number(habits)).toHaveAccessibleName(new RegExp(`^${sum('completed')} of ${sum('due')} due`))
    await bars(habits).nth(5).hover()
    const [done, due] = [cells[10], cells[11]].map((cell) => Number.parseInt(cell ?? '', 10))
    await expect(readOut(habits, `${inWords(daysAgo(24))}: ${done} of ${due} habits`)).toBeVisible()
    const months = page.getByRole('table', { name: 'Completed habits, the past year by month' })
    expect(await months.getByRole('row').count()).toBeGreaterThan(13)
  })

  await test.step('an insight shows both numbers and its sample, and exactly the days that it counts', async () => {
    const insight = page
      .getByRole('article')
      .filter({ hasText: 'You complete more tasks on days with a focus session.' })
    const sample = await insight.getByText(/^Tasks completed per day, /).textContent()
    const [, withSum, withDays, withoutSum, withoutDays] =
      sample?.match(/: (\d+) on (\d+) days with focus, (\d+) on (\d+) days without\.$/)?.map(Number) ?? []
    expect((withDays ?? 0) + (withoutDays ?? 0)).toBe(90)
    const rate = (sum = 0, days = 1) => (sum / days).toFixed(1)
    await expect(insight.getByRole('definition')).toHaveText([
      rate(withSum, withDays),
      rate(withoutSum, withoutDays),
    ])
    await insight.getByRole('button', { name: 'Show 90 days' }).click()
    const shown = page.getByRole('region', {
      name: /^Days behind this insight: You complete more tasks on days with a focus/,
    })
    await expect(shown.getByRole('rowheader')).toHaveCount(90)
    // Scrolled as it is, today's cell of a year is half under the top bar on a Monday, and axe measures its distance to that.
    await page.evaluate(() => scrollTo(0, 0))
    await expectNoAxeViolations(page)
    const cells = (await download(page, shown)).slice(1)
    const sum = (kind: string) =>
      cells.filter((row) => row[2] === kind).reduce((all, row) => all + Number(row[1]), 0)
    expect([sum('With focus'), sum('Without focus')]).toEqual([withSum, withoutSum])
    await shown.getByRole('rowheader').first().getByRole('link').click()
    await expect(page).toHaveURL(`/analytics/todos?from=${daysAgo(1)}&to=${daysAgo(1)}`)
  })
})

test('the looks of a year', async ({ page }) => {
  await live(page, aYear())
  await openAnalytics(page)

  await test.step('the days behind an insight are below it across the whole width, without a gap beside it', async () => {
    const insights = page.getByRole('article')
    await expect(insights.nth(1)).toBeVisible()
    const place = async (part: Locator) => {
      const found = await part.boundingBox()
      if (!found) throw new Error('not on the screen')
      return found
    }
    const pair = async () => [await place(insights.nth(0)), await place(insights.nth(1))]
    const top = ({ y }: { y: number }) => y
    const before = await pair()
    expect(before.map(top)).toEqual([before[0]?.y, before[0]?.y])
    for (const opened of [insights.nth(0), insights.nth(1)]) {
      await opened.getByRole('button', { name: /^Show \d/ }).click()
      const shown = page.getByRole('region', { name: /^Days behind this insight/ })
      await expect(shown).toHaveCount(1)
      const [first, second] = await pair()
      expect([first?.height, second?.height]).toEqual(before.map(({ height }) => height))
      expect(second?.y).toBe(first?.y)
      const days = await place(shown)
      expect(days.x).toBe(first?.x)
      expect(days.x + days.width).toBe((second?.x ?? 0) + (second?.width ?? 0))
      await opened.getByRole('button', { name: /^Hide \d/ }).click()
    }
  })

  await test.step("'Download CSV' stays on one line wherever there is room for it, even beside the legend", async () => {
    const year = card(page, 'The past year')
    const button = year.getByRole('button', { name: 'Download CSV' })
    await expect(year.getByRole('listitem').last()).toHaveText('All')
    const oneLine = async () => {
      const lines = await button.evaluate((it) => {
        const words = document.createRange()
        words.selectNodeContents(it)
        return new Set([...words.getClientRects()].filter(({ height }) => height > 17).map(({ top }) => top))
          .size
      })
      expect(lines).toBe(1)
    }
    for (const width of [1280, 768, 360]) {
      await resize(page, width)
      await oneLine()
      const [names, beside] = [await year.getByRole('list').boundingBox(), await button.boundingBox()]
      expect(beside?.y, `${width} px`).toBeLessThan((names?.y ?? 0) + (names?.height ?? 0))
      expect(beside?.x).toBeGreaterThanOrEqual((names?.x ?? 0) + (names?.width ?? 0))
    }
    await number(card(page, names[0])).click()
    await expect(heading(page)).toHaveText('Completed todos')
    for (const width of [1280, 360]) {
      await resize(page, width)
      await expect(page.getByRole('button', { name: 'Download CSV' })).toBeVisible()
      await expect
        .poll(() => page.getByRole('button', { name: 'Download CSV' }).evaluate((it) => it.scrollHeight))
        .toBeLessThan(46)
    }
    await page.goBack()
    await analyticsShown(page)
  })

  await test.step('the full screen fits and passes the accessibility check, narrow and wide, light and dark', async () => {
    for (const width of [1280, 360]) {
      await resize(page, width)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectNoAxeViolations(page)
        await expectNothingSticksOut(page)
      }
    }
    await resize(page, 768)
    await expectNothingSticksOut(page)
    // If the year is wider than its card, its end is in view.
    await card(page, 'The past year').scrollIntoViewIfNeeded()
    await expect(page.locator(`[data-day="${daysAgo(0)}"]`)).toBeInViewport({ ratio: 1 })
    await resize(page, 320)
    await expectNothingSticksOut(page)
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    await expectNothingSticksOut(page)
    for (const part of [heading(page), ranges(page), ...names.map((name) => number(card(page, name)))]) {
      await part.scrollIntoViewIfNeeded()
      await expect(part).toBeInViewport({ ratio: 1 })
    }
  })
})

test.describe('on touch', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('the first touch of a bar or a day selects it, and the line below links to its entries', async ({
    page,
  }) => {
    await live(page, { todos: { 4: ['Water the lemon tree'], 9: ['Call Ada', 'Plant the quince'] } })
    await openAnalytics(page)
    const todos = card(page, 'Completed todos')
    await bars(todos).nth(25).tap()
    await expect(page).toHaveURL('/analytics')
    const ofBar = todos.getByRole('link', { name: `${inWords(daysAgo(4))}: 1 task` })
    await expect(ofBar).toBeVisible()
    expect((await ofBar.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await bars(todos).nth(20).tap()
    await todos.getByRole('link', { name: `${inWords(daysAgo(9))}: 2 tasks` }).tap()
    await expect(page).toHaveURL(`/analytics/todos?from=${daysAgo(9)}&to=${daysAgo(9)}`)
    await page.goBack()
    const year = card(page, 'The past year')
    await year.getByText('Tasks', { exact: true }).tap()
    await year.locator(`[data-day="${daysAgo(9)}"]`).tap()
    const line = year.getByRole('link', { name: `${inWords(daysAgo(9))}: 2 tasks` }).last()
    await expect(line).toBeVisible()
    expect(await line.evaluate((it) => [it.scrollWidth, it.scrollHeight]), 'nothing of it is cut').toEqual(
      await line.evaluate((it) => [it.clientWidth, it.clientHeight]),
    )
    expect(
      await line
        .locator('span')
        .last()
        .evaluate((it) => getComputedStyle(it).overflow),
    ).toBe('visible')
    await expect(page).toHaveURL('/analytics')
  })
})

test('analytics add at most 60 KB of compressed scripts, and only where they are shown', async ({ page }) => {
  const scripts = new Set<string>()
  page.on('request', (request) => request.resourceType() === 'script' && scripts.add(request.url()))
  await withoutEvents(page)
  await live(page, aYear())
  await page.goto('/todos')
  await expect(page.getByPlaceholder('Add a new task...')).toBeVisible()
  // What is fetched after any screen is no part of this one. It comes one after the other: without activity the last is there.
  await fetchedLater(page, 'toaster')
  await settled(page)
  const shell = new Set(scripts)
  expect([...shell].filter((url) => /analytics|metric-card|patterns|list-page/.test(url))).toEqual([])
  await page.getByRole('link', { name: 'Analytics' }).first().click()
  await analyticsShown(page)
  await number(card(page, names[0])).click()
  // The button of the former screen says the same.
  await expect(heading(page)).toHaveText('Completed todos')
  await expect(page.getByRole('region', { name: 'The past year' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeVisible()
  await settled(page)
  const added = await Promise.all(
    [...scripts].filter((url) => !shell.has(url)).map(async (url) => (await page.request.get(url)).body()),
  )
  expect(added.length).toBeGreaterThan(2)
  const total = (compress: (body: Buffer) => Buffer) =>
    added.reduce((sum, body) => sum + compress(body).length, 0)
  expect(total((body) => gzipSync(body))).toBeLessThanOrEqual(60 * 1024)
  expect(total((body) => brotliCompressSync(body))).toBeLessThanOrEqual(60 * 1024)
})
