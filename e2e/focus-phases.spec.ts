import { expect, type Page } from '@playwright/test'
import { test, withoutEvents } from './testing/person/person.ts'
import {
  breaksByThemselves,
  button,
  closePlan,
  countdown,
  expectRecorded,
  hide,
  hour,
  minute,
  morning,
  openPlan,
  openTabs,
  openTimer,
  pass,
  plan,
  second,
  sidebarTime,
  toasts,
} from './testing/screens/focus-timer.ts'

// When minutes pass in a moment, a request in progress takes too long.
test.use({
  fakeClock: true,
  timezoneId: 'UTC',
  mayLog: /Could not read [\w-]+: none|session could not be read TimeoutError/,
})
test.beforeEach(({ page }) => withoutEvents(page))

async function choosePreset(page: Page, name: string) {
  await openPlan(page)
  await plan(page)
    .getByRole('radio', { name: new RegExp(name) })
    .press('Space')
  await expect(plan(page).getByRole('radio', { name: new RegExp(name) })).toBeChecked()
  await closePlan(page)
}

const ring = (page: Page) => page.getByRole('main').locator('svg[viewBox="0 0 332 332"] g > g')
const filled = (page: Page, color: 'amber' | 'accent' | 'ink-3') =>
  page.getByRole('main').locator(`svg path.stroke-${color}`)

test.describe('the plan', () => {
  test('a new person has the 25 minutes that everybody knows, and breaks that they start', async ({
    page,
  }) => {
    await openTimer(page)
    await openPlan(page)
    await expect(plan(page).getByRole('radio', { name: /Classic/ })).toBeChecked()
    await expect(plan(page).getByRole('switch')).not.toBeChecked()
    await closePlan(page)
    await expect(button(page, 'Plan')).toBeFocused()
    await expect(page.getByText('25 · 5 · long 15 after 4')).toBeVisible()
  })

  test('the ring has one segment a minute for any length up to an hour, then one for five', async ({
    page,
  }) => {
    await openTimer(page)
    await choosePreset(page, 'Long')
    await expect(countdown(page)).toHaveText('50:00')
    await expect(page.getByText('50 minutes of focused work', { exact: true })).toBeVisible()
    await expect(ring(page)).toHaveCount(50)
    await openPlan(page)
    const focus = plan(page).getByRole('spinbutton', { name: 'Focus' })
    await focus.fill('1')
    await focus.press('Tab')
    await expect(ring(page)).toHaveCount(1)
    await focus.fill('90')
    await focus.press('Tab')
    await expect(ring(page)).toHaveCount(18)
    await expect(countdown(page)).toHaveText('90:00')
    await expect(page.getByText('90 minutes of focused work, each segment is 5 minutes')).toBeAttached()
    await focus.fill('241')
    await focus.press('Tab')
    await expect(countdown(page)).toHaveText('90:00')
  })

  test('it is stepped by keys alone, and is the same after a reload', async ({ page }) => {
    await openTimer(page)
    await button(page, 'Plan').press('Enter')
    await expect(plan(page).getByRole('radio', { name: /Classic/ })).toBeFocused()
    await plan(page).getByRole('spinbutton', { name: 'Focus' }).focus()
    await page.keyboard.press('ArrowUp')
    await expect(countdown(page)).toHaveText('30:00')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(countdown(page)).toHaveText('20:00')
    await page.clock.resume()
    await expect
      .poll(
        async () => (await (await page.request.get('/api/preferences')).json()).preferences.focus_plan.focus,
      )
      .toBe(20)
    await page.reload()
    await expect(countdown(page)).toHaveText('20:00')
  })

  test('changing it never touches a phase that runs', async ({ page }) => {
    await openTimer(page)
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await pass(page, 10 * minute)
    await choosePreset(page, 'Long')
    await expect(countdown(page)).toHaveText(/^14:5/)
    await expect(page.getByText('25 · 5 · long 15 after 4')).toBeVisible()
    await button(page, 'Reset').click()
    await expect(countdown(page)).toHaveText('50:00')
    await expect(page.getByText('50 · 10 · long 20 after 4')).toBeVisible()
  })
})

test.describe('breaks', () => {
  test('one is started after the focus, can be made longer, and ends with nothing recorded', async ({
    page,
  }) => {
    await openTimer(page)
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await pass(page, 25 * minute)
    await button(page, 'Start break').click()
    await expect(countdown(page)).toHaveText('5:00')
    await expect(page.getByText('Take a break!')).toBeVisible()
    await expect(page.getByText('A break of 5 minutes, then session 2 of 4')).toBeVisible()
    await pass(page, minute)
    await expect(filled(page, 'ink-3')).toHaveCount(1)
    await expect(filled(page, 'amber')).toHaveCount(0)
    await expect(sidebarTime(page)).toContainText('4:00')
    await expect(page).toHaveTitle('Break 4:00 · Focus Timer · Daymark')
    await button(page, '5 min more').click()
    await expect(countdown(page)).toHaveText('9:00')
    await pass(page, 9 * minute)
    await expect(page.getByText('Your break is over')).toBeVisible()
    await expectRecorded(page, [1_500])
    await button(page, 'Start focus').click()
    await expect(countdown(page)).toHaveText('25:00')
    await pass(page, 25 * minute)
    await expectRecorded(page, [1_500, 1_500])
  })

  test('Start on Today begins the next focus when one has ended', async ({ page }) => {
    await openTimer(page)
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await pass(page, 25 * minute)
    await expect(button(page, 'Start break')).toBeVisible()
    await page.getByRole('link', { name: /^Today/ }).click()
    const timer = page.getByRole('region', { name: 'Focus timer' })
    await timer.getByRole('button', { name: 'Start' }).click()
    await expect(timer.getByRole('button', { name: 'Pause' })).toBeVisible()
    await expect(sidebarTime(page)).toContainText('25:00')
    await expectRecorded(page, [1_500])
  })

  test('Start focus skips what is left of it, Stop returns to 25:00', async ({ page }) => {
    await openTimer(page)
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await pass(page, 25 * minute)
    await button(page, 'Start break').click()
    await expect(button(page, 'Start focus')).toBeVisible()
    await pass(page, minute)
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('Space')
    await expect(countdown(page)).toHaveText('25:00')
    await expect(button(page, 'Pause')).toBeVisible()
    await pass(page, 25 * minute)
    await button(page, 'Start break').click()
    await expect(button(page, 'Stop')).toBeVisible()
    await pass(page, minute)
    await button(page, 'Stop').click()
    await expect(countdown(page)).toHaveText('25:00')
    await expect(button(page, 'Start')).toBeFocused()
    await expectRecorded(page, [1_500, 1_500])
  })

  test('a whole cycle of four with breaks by themselves, the long one in a hidden tab', async ({ page }) => {
    await openTimer(page)
    await breaksByThemselves(page)
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    for (let session = 1; session <= 3; session++) {
      await pass(page, 25 * minute)
      await expect(page.getByText(`A break of 5 minutes, then session ${session + 1} of 4`)).toBeVisible()
      await expect(countdown(page)).toHaveText(/^(5:00|4:5\d)$/)
      await pass(page, 5 * minute)
      await expect(page.getByText('Your break is over')).toBeVisible()
      await button(page, 'Start focus').click()
      await expect(button(page, 'Pause')).toBeVisible()
    }
    await hide(page)
    const started = await page.evaluate(() => Date.now())
    // Moves the time without letting any timer of the page fire.
    await page.clock.setSystemTime(started + 25 * minute)
    await expect(page).toHaveTitle("Time's up! · Focus Timer · Daymark")
    await hide(page, false)
    await expect(page).toHaveTitle(/^Break (15:00|14:5\d) · Focus Timer · Daymark$/)
    await hide(page)
    await page.clock.setSystemTime(started + 30 * minute)
    await expect(page).toHaveTitle(/^Break (10:00|9:5\d) · Focus Timer · Daymark$/)
    await page.clock.setSystemTime(started + 41 * minute)
    await expect(page).toHaveTitle('Break is over · Focus Timer · Daymark')
    await hide(page, false)
    await expect(page.getByText('Your break is over')).toBeVisible()
    await expectRecorded(page, [1_500, 1_500, 1_500, 1_500])
    await expect(page.getByText('A long break of 15 minutes, then session 1 of 4')).toBeVisible()
  })

  test('two tabs begin the break by itself once, and record the focus once', async ({ page }) => {
    await openTimer(page)
    await breaksByThemselves(page)
    const [other = page] = await openTabs(page, 1)
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await pass(page, 25 * minute)
    for (const tab of [page, other]) await expect(countdown(tab)).toHaveText(/^(5:00|4:5\d)$/)
    await expectRecorded(page, [1_500])
    await button(other, 'Stop').click()
    for (const tab of [page, other]) await expect(countdown(tab)).toHaveText('25:00')
  })

  test('a lid closed over the end of the focus: the break still waits to be begun', async ({ page }) => {
    await openTimer(page)
    await breaksByThemselves(page)
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await pass(page, 10 * minute)
    await page.clock.fastForward(3 * hour)
    await expect(countdown(page)).toHaveText('00:00')
    await expect(button(page, 'Start break')).toBeVisible()
    await expectRecorded(page, [1_500])
  })

  test('the end of a break is told on other screens', async ({ page }) => {
    await openTimer(page)
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await pass(page, 25 * minute)
    await button(page, 'Start break').click()
    await expect(countdown(page)).toHaveText('5:00')
    await page.clock.resume()
    await page.getByRole('link', { name: 'Habits', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Habits')
    await page.clock.fastForward(5 * minute)
    await expect(toasts(page).filter({ hasText: 'Your break is over' })).toBeVisible()
  })
})

test.describe('counting up', () => {
  test('it counts without an end; saving it records it, and a fifth of it is due as a break', async ({
    page,
  }) => {
    await openTimer(page)
    await choosePreset(page, 'Count up')
    await expect(countdown(page)).toHaveText('00:00')
    await expect(page.getByText('Counting up, without an end')).toBeVisible()
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await pass(page, 37 * minute + 24 * second)
    await expect(countdown(page)).toHaveText(/^37:2/)
    await expect(filled(page, 'amber')).toHaveCount(38)
    await expect(page.getByText('One turn is an hour. A break of 7 min is due.')).toBeVisible()
    await expect(sidebarTime(page)).toContainText('37:2')
    await pass(page, 32 * minute)
    await expect(countdown(page)).toHaveText(/^1:09:2/)
    await expect(filled(page, 'amber')).toHaveCount(70)
    await button(page, 'Save session').click()
    await button(page, 'Start break').click()
    await expect(page.getByText(/^A break of 13 minutes/)).toBeVisible()
    await expect(async () => {
      const { sessions } = await (await page.request.get('/api/focus')).json()
      expect(sessions).toMatchObject([{ kind: 'flow' }])
    }).toPass()
  })

  test('after four hours it asks; unanswered it ended at four hours', async ({ page }) => {
    await openTimer(page)
    await choosePreset(page, 'Count up')
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await pass(page, 4 * hour + 2 * second)
    await expect(button(page, 'Still going')).toBeVisible()
    await button(page, 'Still going').click()
    await expect(button(page, 'Still going')).toHaveCount(0)
    await pass(page, 4 * hour)
    await expect(button(page, 'Still going')).toBeVisible()
    await pass(page, 16 * minute)
    await expect(page.getByText("Time's up! Great work!")).toBeVisible()
    await expectRecorded(page, [8 * 3_600])
  })

  test('over midnight each day gets its own minutes', async ({ page }) => {
    const lateEvening = morning - 24 * hour + 14 * hour + 30 * minute
    await openTimer(page, lateEvening)
    await choosePreset(page, 'Count up')
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await pass(page, hour)
    await button(page, 'Save session').click()
    await expect(async () => {
      await page.clock.runFor(second / 2)
      const { sessions } = await (await page.request.get('/api/focus')).json()
      expect(sessions).toHaveLength(1)
      const [before, after] = sessions[0].days
      expect(before.seconds).toBeGreaterThan(1_790)
      expect(before.seconds).toBeLessThanOrEqual(1_800)
      expect(after.seconds).toBeGreaterThanOrEqual(1_790)
      expect(after.seconds).toBeLessThan(1_810)
      expect(before.seconds + after.seconds).toBe(sessions[0].duration)
    }).toPass()
  })
})
