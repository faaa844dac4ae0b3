import { expect, type Page } from '@playwright/test'
import { settled } from '../connection/settled.ts'
import { type Person, signUpBehindTheScreens } from '../person/person.ts'

export const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
export const countdown = (page: Page) => page.getByRole('timer')
export const sessions = (page: Page) =>
  page.getByRole('region', { name: "Today's sessions" }).getByRole('listitem')
/** Each opens a session to edit it. */
export const sessionButtons = (page: Page) =>
  page.getByRole('region', { name: "Today's sessions" }).getByRole('button', { name: /^\d.*(min|s)$/ })
/** How many sessions the day has, and their sum. */
export const totalToday = (page: Page) =>
  page.getByRole('region', { name: "Today's sessions" }).getByRole('heading')
/** Those that stay; one that leaves is still drawn for 200 ms. */
export const toasts = (page: Page) => page.locator('[data-sonner-toast]:not([data-removed=true])')
export const sidebarTime = (page: Page) =>
  page.getByRole('complementary').getByRole('link', { name: /^Focus Timer/ })

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** Nine o'clock yesterday morning: sessions recorded then are in the server's past, whenever the tests run. */
export const morning = Math.floor(Date.now() / day) * day - 15 * hour

/**
 * Opens the timer of a new user, at an instant from which the clock of all their tabs moves only when told to. Loading pages and
 * toasts need a running clock: `page.clock.resume()`.
 */
export async function openTimer(page: Page, at = morning): Promise<Person> {
  const person = await signUpBehindTheScreens(page)
  await keepServerTimeless(page)
  await page.clock.install({ time: at - 2 * minute })
  await page.goto('/focus')
  await expect(button(page, 'Start')).toBeEnabled()
  await expect(page.getByText(/^No sessions yet today\./)).toBeVisible()
  await settled(page)
  // What the skipped time sets going is answered while a second is still to come: nothing shows a response without a timer.
  await page.clock.pauseAt(at - second)
  await settled(page)
  await page.clock.runFor(second)
  await settled(page)
  return person
}

/** The server's clock does not follow one that a test moves, so this hides the server's time from the browser. */
export async function keepServerTimeless(page: Page) {
  await page.context().addInitScript(() => {
    const { get } = Headers.prototype
    Headers.prototype.get = function (name) {
      return name === 'date' ? null : get.call(this, name)
    }
  })
}

/**
 * Lets time pass: skips ahead, except for the last seconds, which tick one by one. Ticking through every minute would take most
 * of a test's own time.
 */
export async function pass(page: Page, milliseconds: number) {
  const ticked = Math.min(milliseconds, 10 * second)
  if (milliseconds > ticked) await page.clock.fastForward(milliseconds - ticked)
  await page.clock.runFor(ticked)
}

/** Deletes the sessions on the server. */
export async function deleteRecorded(page: Page): Promise<void> {
  const headers = { origin: new URL(page.url()).origin }
  for (const { id } of await recorded(page)) {
    expect((await page.request.delete(`/api/focus/${id}`, { headers })).ok()).toBe(true)
  }
}

/**
 * Takes an open timer to nine o'clock of the next morning, at rest and with nothing recorded, and returns that instant: so one
 * page serves several tests. The clock of all tabs stands still from then on.
 */
export async function nextMorning(page: Page): Promise<number> {
  await button(page, 'Reset').or(button(page, 'Stop')).click()
  await expect(button(page, 'Start')).toBeVisible()
  await settled(page)
  await deleteRecorded(page)
  const now = await page.evaluate(() => Date.now())
  const at = (Math.floor(now / day) + 1) * day + 9 * hour
  await page.clock.pauseAt(at - 5 * second)
  await page.clock.runFor(5 * second)
  await expect(toasts(page)).toHaveCount(0)
  await expect(page.getByText(/^No sessions yet today\./)).toBeVisible()
  await settled(page)
  return at
}

/** Opens more tabs of the same person, and stops the clock of all of them at a minute past `at`. */
export async function openTabs(page: Page, count: number, at = morning): Promise<Page[]> {
  await page.clock.resume()
  const tabs: Page[] = []
  for (let opened = 0; opened < count; opened++) {
    const tab = await page.context().newPage()
    await tab.goto('/focus')
    await expect(button(tab, 'Start')).toBeEnabled()
    await expect(tab.getByText(/^No sessions yet today\./)).toBeVisible()
    tabs.push(tab)
  }
  await page.clock.pauseAt(at + minute)
  return tabs
}

/**
 * Expects this countdown on a running clock: the given time, or the few seconds less that the test took. `off`: up to how many
 * seconds more, where another device's clock counted.
 */
export async function expectLeft(page: Page, left: string, off = 0) {
  const seconds = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
  await expect(async () => {
    const shown = seconds((await countdown(page).textContent({ timeout: second })) ?? '')
    expect(shown).toBeLessThanOrEqual(seconds(left) + off)
    expect(shown).toBeGreaterThan(seconds(left) - 20)
  }).toPass()
}

/** The sessions on the server, newest first. */
export async function recorded(page: Page): Promise<{ id: string; duration: number; days: object[] }[]> {
  const response = await page.request.get('/api/focus')
  return (await response.json()).sessions
}

/** Waits until the server has exactly these sessions, letting the browser's own timeouts pass. */
export async function expectRecorded(page: Page, durations: number[]) {
  await expect(async () => {
    await page.clock.runFor(second / 2)
    expect((await recorded(page)).map(({ duration }) => duration)).toEqual(durations)
  }).toPass()
}

/** Hides the tab, as a browser does with a tab in the background: its timers do not fire, but time goes on. */
export async function hide(page: Page, hidden = true) {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    hidden ? 'hidden' : 'visible',
  )
}

export const plan = (page: Page) => page.getByRole('dialog', { name: 'Plan' })

export async function openPlan(page: Page) {
  await button(page, 'Plan').click()
  await expect(plan(page)).toBeVisible()
}

export async function closePlan(page: Page) {
  await page.keyboard.press('Escape')
  await page.clock.runFor(second)
  await expect(plan(page)).toHaveCount(0)
  // Only then does the button get the focus back.
  await page.clock.runFor(100)
}

export async function breaksByThemselves(page: Page) {
  await openPlan(page)
  await plan(page).getByRole('switch', { name: 'Breaks start by themselves' }).click()
  await expect(plan(page).getByRole('switch')).toBeChecked()
  await closePlan(page)
}
