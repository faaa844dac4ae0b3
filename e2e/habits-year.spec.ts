import { expect, type Locator, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { settled } from './testing/connection/settled.ts'
import { test, withoutEvents } from './testing/person/person.ts'
import {
  daysAgo,
  fact,
  inWords,
  name,
  openHabits,
  row,
  saidDays,
  saidHabits,
  streak,
  toasts,
  watchChanges,
  year,
} from './testing/screens/habit-list.ts'

test.use({ timezoneId: 'UTC' })

const cell = (row: Locator, day: string) => year(row).locator(`[data-day="${day}"]`)
const ago = (...days: number[]) => days.map((each) => daysAgo(each))

async function said(page: Page, habit: string) {
  return (await saidHabits(page)).find(({ name }) => name === habit)
}

/** Opens a habit, and waits until its year is loaded. */
async function openYear(page: Page, habit: string): Promise<Locator> {
  const opened = row(page, habit)
  await name(opened).click()
  await expect(year(opened)).toHaveAttribute('aria-busy', 'false')
  return opened
}

test('what a year and its numbers say', async ({ page }) => {
  const start = daysAgo(99)
  // The last 20 days, a gap of ten, and forty days before that.
  const done = [...Array(20).keys(), ...Array.from({ length: 40 }, (_, index) => 30 + index)].map((each) =>
    daysAgo(each),
  )
  const monday = (new Date().getUTCDay() + 6) % 7
  const weeks = (...back: number[]) => back.map((week) => daysAgo(monday + 7 * week))
  const first = `${daysAgo(0).slice(0, 7)}-01`
  const dayOfMonth = Number(daysAgo(0).slice(8))
  await openHabits(page, [
    { name: 'Read', start, done },
    { name: 'Run', frequency: 'weekly', start: weeks(20)[0], done: weeks(0, 1, 2, 5, 6, 7, 8) },
    { name: 'Draw' },
    { name: 'Swim', start: daysAgo(10), done: ago(0, 3) },
    { name: 'Stretch', start: first, done: ago(...Array(dayOfMonth).keys()) },
    { name: 'Walk', done: ago(1) },
  ])

  await test.step('a habit opens and closes in place by its name and by its chevron', async () => {
    const reading = row(page, 'Read')
    const box = () => reading.getByRole('checkbox').boundingBox()
    const before = await box()
    await expect(name(reading)).toHaveAttribute('aria-expanded', 'false')
    await name(reading).click()
    await expect(name(reading)).toHaveAttribute('aria-expanded', 'true')
    await expect(year(reading)).toBeVisible()
    expect(await box()).toEqual(before)
    await reading.locator('button[aria-hidden=true]').click()
    await expect(name(reading)).toHaveAttribute('aria-expanded', 'false')
    await expect(year(reading)).toHaveCount(0)
    expect(await box()).toEqual(before)
  })

  await test.step('shows both streaks, both rates with their counts, and the first day', async () => {
    const reading = await openYear(page, 'Read')
    expect(await fact(reading, 'Current streak')).toBe('20 days')
    expect(await fact(reading, 'Longest streak')).toBe('40 days')
    expect(await fact(reading, 'Completion rate, last 30 days')).toBe('67% 20 of 30')
    expect(await fact(reading, /^Completion rate since /)).toBe('60% 60 of 100')
    await expect(reading.getByRole('term').last()).toHaveText(
      `Completion rate since ${inWords(start).replace(/^\w+ /, '')}`,
    )
    await name(reading).click()
  })

  await test.step('a weekly habit counts weeks, and its rate covers the last twelve', async () => {
    const running = await openYear(page, 'Run')
    expect(await fact(running, 'Current streak')).toBe('3 weeks')
    expect(await fact(running, 'Longest streak')).toBe('4 weeks')
    expect(await fact(running, 'Completion rate, last 12 weeks')).toBe('58% 7 of 12')
    expect(await fact(running, /^Completion rate since /)).toBe('33% 7 of 21')
    await name(running).click()
  })

  await test.step('a habit created today has no rate yet, and says so', async () => {
    const drawing = await openYear(page, 'Draw')
    expect(await fact(drawing, /^Completion rate since /)).toBe('–nothing due yet')
    await row(page, 'Draw').getByRole('checkbox').check()
    await expect.poll(() => fact(drawing, /^Completion rate since /)).toBe('100% 1 of 1')
    await name(drawing).click()
  })

  await test.step('the year labels every day up to today with whether it was done', async () => {
    const swimming = await openYear(page, 'Swim')
    const cells = await year(swimming)
      .locator('[data-day]')
      .evaluateAll((them) => them.map((it) => [it.getAttribute('data-day'), it.ariaLabel, it.ariaPressed]))
    const shown = new Map(cells.map(([day, words, pressed]) => [day, { words, pressed }]))
    expect(shown.size).toBe(cells.length)
    expect(shown.size).toBeGreaterThanOrEqual(53 * 7 + 1)
    for (let back = 0; back < shown.size; back += 1) {
      const done = back === 0 || back === 3
      const day = daysAgo(back)
      const state = done ? 'done' : back <= 10 ? 'missed' : 'not due'
      expect(shown.get(day)).toEqual({
        words: `${inWords(day)}, ${state}`,
        pressed: String(done),
      })
    }
    expect(shown.has(daysAgo(-1))).toBe(false)
    await expect(cell(swimming, daysAgo(0))).toHaveAttribute('aria-current', 'date')
    await name(swimming).click()
  })

  await test.step('is summarised by month for people who do not see it', async () => {
    const stretching = await openYear(page, 'Stretch')
    const table = stretching.getByRole('table', { name: 'Stretch, past year by month' })
    await expect(table.getByRole('columnheader')).toHaveText([
      'Month',
      'Days done',
      'Days missed',
      'Days skipped',
      'Days paused',
    ])
    await expect(table.getByRole('row')).toHaveCount(2)
    await expect(table.getByRole('cell')).toHaveText([String(dayOfMonth), '0', '0', '0'])
    await name(stretching).click()
  })

  await test.step('says which day a cell is while the pointer or the focus is on it', async () => {
    const walking = await openYear(page, 'Walk')
    const tip = page.getByRole('tooltip')
    await cell(walking, daysAgo(8)).hover()
    await expect(tip).toHaveText(`${inWords(daysAgo(8))}, not due`)
    await cell(walking, daysAgo(1)).hover()
    await expect(tip).toHaveText(`${inWords(daysAgo(1))}, done`)
    await page.keyboard.press('Escape')
    await expect(tip).toHaveCount(0)
    await expect(year(walking), 'Escape closes the words, not the card').toBeVisible()
    await page.mouse.move(0, 0)
    await cell(walking, daysAgo(0)).focus()
    await page.keyboard.press('ArrowUp')
    await expect(tip).toHaveText(`${inWords(daysAgo(1))}, done`)
  })
})

test('days of a year that are set', async ({ page }) => {
  await withoutEvents(page)
  const done = Array.from({ length: 60 }, (_, back) => back)
    .filter((back) => back !== 25 && back !== 40)
    .map((back) => daysAgo(back))
  await openHabits(page, [
    { name: 'Read', start: daysAgo(80), done },
    { name: 'Draw', start: daysAgo(300) },
    { name: 'Swim' },
    { name: 'Walk' },
  ])

  await test.step('an old day can be set, the numbers are right at once, and the server agrees', async () => {
    const reading = await openYear(page, 'Read')
    expect(await fact(reading, 'Longest streak')).toBe('25 days')
    const saidStreaks = async () => {
      const habit = await said(page, 'Read')
      return `${habit?.current_streak} ${habit?.longest_streak}`
    }
    const expectStreaks = async (current: number, longest: number) => {
      await expect(streak(reading)).toHaveText(`Current streak: ${current} days`)
      expect(await fact(reading, 'Longest streak')).toBe(`${longest} days`)
    }

    const letGo = await holdRequest(page, '**/complete')
    await cell(reading, daysAgo(25)).click()
    await expectStreaks(40, 40)
    await cell(reading, daysAgo(40)).click()
    await expectStreaks(60, 60)
    expect(await fact(reading, /^Completion rate since /)).toBe('74% 60 of 81')
    await cell(reading, daysAgo(50)).click()
    await expectStreaks(50, 50)
    // After closing it, and after leaving the page and coming back, the row still shows it.
    await name(reading).click()
    await expect(streak(reading)).toHaveText('Current streak: 50 days')
    expect(await saidStreaks()).toBe('25 25')

    letGo()
    await expect.poll(saidStreaks).toBe('50 50')
    await expect(streak(reading)).toHaveText('Current streak: 50 days')
    await settled(page)
  })

  await test.step('no cell flips back between the click and the response', async () => {
    const drawing = await openYear(page, 'Draw')
    const day = daysAgo(200)
    await cell(drawing, day).evaluate((it) => {
      const seen: (string | null)[] = []
      new MutationObserver(() => seen.push(it.ariaPressed)).observe(it, { attributeFilter: ['aria-pressed'] })
      Object.assign(window, { seen })
    })
    const readAgain = page.waitForResponse((response) => response.url().includes('/days?'))
    await cell(drawing, day).click()
    await readAgain
    await expect.poll(() => saidDays(page, 'Draw')).toEqual([day])
    await settled(page)
    expect(await page.evaluate('seen')).toEqual(['true'])
    await name(drawing).click()
  })

  await test.step('completing a day before the habit began makes it the first day', async () => {
    const swimming = await openYear(page, 'Swim')
    const begin = daysAgo(100)
    await cell(swimming, begin).click()
    await expect(swimming.getByRole('term').last()).toHaveText(
      `Completion rate since ${inWords(begin).replace(/^\w+ /, '')}`,
    )
    expect(await fact(swimming, /^Completion rate since /)).toBe('1% 1 of 100')
    const saidStart = async () => (await said(page, 'Swim'))?.start_date
    await expect.poll(saidStart).toBe(begin)
    await settled(page)
    // Undone, it begins where it began.
    await page.keyboard.press('Control+z')
    await expect.poll(saidStart).toBe(daysAgo(0))
    await expect(
      swimming.getByRole('term').filter({ hasText: inWords(begin).replace(/^\w+ /, '') }),
    ).toHaveCount(0)
    await name(swimming).click()
    await settled(page)
  })

  await test.step('with the keyboard: one Tab stop, arrow keys through days and weeks, Home, End, Page Up and Page Down', async () => {
    const walking = await openYear(page, 'Walk')
    const sent = watchChanges(page)
    const today = daysAgo(0)
    await expect(year(walking).locator('[tabindex="0"]')).toHaveCount(1)
    await page.keyboard.press('Tab')
    // From the name: the days of the row, its buttons, then the year.
    for (let stops = 0; stops < 6 && !(await year(walking).locator(':focus').count()); stops += 1) {
      await page.keyboard.press('Tab')
    }
    await expect(cell(walking, today)).toBeFocused()
    const expectFocus = (day: string) => expect(cell(walking, day)).toBeFocused()
    for (const [key, back] of [
      ['ArrowUp', 1],
      ['ArrowUp', 2],
      ['ArrowDown', 1],
      ['ArrowLeft', 8],
      ['ArrowLeft', 15],
      ['ArrowRight', 8],
      ['ArrowDown', 7],
      ['ArrowRight', 0],
      ['ArrowRight', 0],
    ] as const) {
      await page.keyboard.press(key)
      await expectFocus(daysAgo(back))
    }
    await page.keyboard.press('Home')
    await expectFocus(daysAgo(53 * 7))
    await page.keyboard.press('End')
    await expectFocus(today)
    await page.keyboard.press('PageUp')
    const month = new Date(`${today}T00:00:00Z`)
    const lastOfBefore = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), 0)).getUTCDate()
    const before = Date.UTC(
      month.getUTCFullYear(),
      month.getUTCMonth() - 1,
      Math.min(month.getUTCDate(), lastOfBefore),
    )
    await expectFocus(new Date(before).toISOString().slice(0, 10))
    await page.keyboard.press('PageDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Control+End')
    await expectFocus(today)

    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Space')
    await expect(cell(walking, daysAgo(1))).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('Enter')
    await expect(cell(walking, daysAgo(1))).toHaveAttribute('aria-pressed', 'false')
    await expect
      .poll(() => sent.map(({ body }) => body))
      .toMatchObject([
        { date: daysAgo(1), completed: true },
        { date: daysAgo(1), completed: false },
      ])
    await page.keyboard.press('Tab')
    expect(await year(walking).locator(':focus').count()).toBe(0)
  })
})

test.describe('with a failing server', () => {
  test.use({ mayLog: /Failed to (load resource|update habit)/ })

  test('a day and a year', async ({ page }) => {
    await openHabits(page, [
      { name: 'Read', start: daysAgo(90), done: ago(29, 31) },
      { name: 'Draw', done: ago(0, 1) },
    ])

    await test.step('an old day that is refused goes back, and so do the numbers', async () => {
      const reading = await openYear(page, 'Read')
      await page.route('**/complete', (route) =>
        route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'It broke.' } }),
      )
      await cell(reading, daysAgo(30)).click()
      await expect(toasts(page)).toContainText('Failed to update habit')
      await expect(cell(reading, daysAgo(30))).toHaveAttribute('aria-pressed', 'false')
      expect(await fact(reading, 'Longest streak')).toBe('1 day')
      await name(reading).click()
      await settled(page)
    })

    await test.step('a year that cannot be loaded says so and can be retried, and the streaks stay', async () => {
      let broken = true
      await page.route('**/days?**', (route) =>
        broken
          ? route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'It broke.' } })
          : route.fallback(),
      )
      const drawing = row(page, 'Draw')
      await name(drawing).click()
      await expect(drawing.getByText("The year couldn't be loaded.")).toBeVisible()
      expect(await fact(drawing, 'Current streak')).toBe('2 days')
      expect(await fact(drawing, /^Completion rate since /)).toBe('–not loaded')
      broken = false
      await drawing.getByRole('button', { name: 'Try again' }).click()
      await expect(year(drawing)).toBeVisible()
      await expect.poll(() => fact(drawing, /^Completion rate since /)).toBe('100% 2 of 2')
    })
  })
})

test.describe('on touch', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('the newest days are in view, a touch selects a day, and a large button sets it', async ({ page }) => {
    await openHabits(page, [{ name: 'Read', start: daysAgo(300) }])
    const reading = row(page, 'Read')
    await name(reading).tap()
    await expect(year(reading)).toHaveAttribute('aria-busy', 'false')
    await expect(cell(reading, daysAgo(0))).toBeInViewport({ ratio: 1 })
    await expect(cell(reading, daysAgo(300))).not.toBeInViewport()
    const sent = watchChanges(page)
    await cell(reading, daysAgo(60)).tap()
    const chosen = reading.getByRole('button', { name: inWords(daysAgo(60)) }).last()
    await expect(chosen).toBeVisible()
    await expect(chosen).toHaveAttribute('aria-pressed', 'false')
    expect(sent).toEqual([])
    await reading.getByRole('button', { name: 'Next day' }).tap()
    const next = reading.getByRole('button', { name: inWords(daysAgo(59)) }).last()
    const box = await next.boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
    await next.tap()
    await expect(cell(reading, daysAgo(59))).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(() => saidDays(page, 'Read')).toEqual([daysAgo(59)])
  })
})
