import { type Browser, expect, type Page, type Request } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { sentChanges } from './testing/connection/sent-changes.ts'
import { signInBehindTheScreens, signUpBehindTheScreens, test } from './testing/person/person.ts'
import { shownLive } from './testing/person/two-devices.ts'
import {
  breaksByThemselves,
  button,
  closePlan,
  countdown,
  expectLeft as expectLeftThere,
  hour,
  keepServerTimeless,
  minute,
  openPlan,
  openTimer,
  plan,
  recorded,
  second,
  sessions,
  sidebarTime,
  toasts,
} from './testing/screens/focus-timer.ts'
import { anotherBrowser } from './testing/screens/settings.ts'

test.use({
  fakeClock: true,
  timezoneId: 'UTC',
  mayLog: /ERR_INTERNET_DISCONNECTED|Could not read [\w-]+: none|session could not be read TimeoutError/,
})

/** A new person's timer on two devices, idle on both. Their clocks run and agree. */
async function openOnTwo(page: Page, browser: Browser) {
  const person = await openTimer(page)
  await page.clock.resume()
  const other = await anotherBrowser(browser, person, {})
  await keepServerTimeless(other)
  await other.clock.install({ time: await page.evaluate(() => Date.now()) })
  await other.goto('/focus')
  await expect(button(other, 'Start')).toBeEnabled()
  await expect(other.getByText(/^No sessions yet today\./)).toBeVisible()
  // Its clock was set a moment after it had been read from the other.
  const [here, there] = await Promise.all([page, other].map((device) => device.evaluate(() => Date.now())))
  await other.clock.fastForward(Math.max(0, (here ?? 0) - (there ?? 0)))
  return other
}

/** The same, started on one, and paused there after four minutes. */
async function pausedOnTwo(page: Page, browser: Browser) {
  const other = await openOnTwo(page, browser)
  await press(page, 'Start')
  await expect(button(other, 'Pause')).toBeVisible()
  await passOnBoth(page, other, 4 * minute)
  await press(page, 'Pause')
  for (const device of [page, other]) {
    await expect(device.getByText('Paused', { exact: true })).toBeVisible()
    await expect(button(device, 'Save session')).toBeVisible()
  }
  return other
}

const isOfTimer = (request: Request, method: string) =>
  request.method() === method && request.url().endsWith('/api/focus/timer')

/** A new person's timer on two devices in real time; the second one's clock is wrong by `off`. */
async function listenOnTwo(page: Page, browser: Browser, off = 0) {
  const person = await signUpBehindTheScreens(page)
  const other = await anotherBrowser(browser, person, {})
  if (off !== 0) await other.clock.install({ time: Date.now() + off })
  for (const device of [page, other]) {
    const stream = device.waitForResponse((response) => response.url().endsWith('/api/events'))
    await device.goto('/focus')
    expect((await stream).status()).toBe(200)
    await expect(button(device, 'Start')).toBeEnabled()
    await expect(device.getByText(/^No sessions yet today\./)).toBeVisible()
  }
  return other
}

const statusAfter = { Start: 'running', Pause: 'paused', Reset: 'idle' }

/** Presses a button, and waits until the server has received it. */
async function press(page: Page, name: keyof typeof statusAfter) {
  const received = page.waitForResponse((response) => {
    const request = response.request()
    return isOfTimer(request, 'PUT') && request.postDataJSON().timer.status === statusAfter[name]
  })
  await button(page, name).click()
  await received
}

async function pressOffline(page: Page, name: string, then: string) {
  await button(page, name).click()
  await expect(button(page, then)).toBeVisible()
}

async function passOnBoth(page: Page, other: Page, milliseconds: number) {
  for (const device of [page, other]) await device.clock.fastForward(milliseconds)
}

/** Allows for the seconds by which two clocks differ. */
const expectLeft = (page: Page, left: string) => expectLeftThere(page, left, 2)

/** Allows for the seconds that the tests take, and by which two clocks differ. */
async function expectSeconds(page: Page, seconds: number[]) {
  await expect.poll(async () => (await recorded(page)).length).toBe(seconds.length)
  const durations = (await recorded(page)).map(({ duration }) => duration)
  for (const [place, duration] of durations.entries()) {
    expect(duration).toBeGreaterThan((seconds[place] ?? 0) - 5)
    expect(duration).toBeLessThan((seconds[place] ?? 0) + 30)
  }
}

test.describe('one timer on all devices', () => {
  test('started on one, it runs on the other with the same time left, and can be paused, resumed and reset there', async ({
    page,
    browser,
  }) => {
    const other = await openOnTwo(page, browser)
    await press(page, 'Start')
    await passOnBoth(page, other, 5 * minute)
    await expect(button(other, 'Pause')).toBeVisible()
    await expectLeft(other, '20:00')
    await press(other, 'Pause')
    await expect(button(other, 'Start')).toBeVisible()
    const left = await countdown(other).textContent()
    await expect(button(page, 'Start')).toBeVisible()
    await expect(countdown(page)).toHaveText(left ?? '')
    await press(page, 'Start')
    await expect(button(other, 'Pause')).toBeVisible()
    await press(other, 'Reset')
    await expect(countdown(other)).toHaveText('25:00')
    await expect(countdown(page)).toHaveText('25:00')
    expect(await recorded(page)).toEqual([])
  })

  test('with both open it runs and pauses on the other at once', async ({ page, browser }) => {
    const other = await listenOnTwo(page, browser)
    await shownLive(() => button(page, 'Start').click(), [[other, 'main button', 'Pause']])
    await expectLeft(other, '25:00')
    await shownLive(() => button(other, 'Pause').click(), [[page, 'main button', 'Start']])
    await expect(countdown(page)).toHaveText((await countdown(other).textContent()) ?? '')
  })

  for (const [wrong, off] of [
    ['behind', -26 * minute],
    ['ahead', 26 * minute],
  ] as const) {
    test(`a device whose clock is 26 minutes ${wrong} shows the time left, and pauses it`, async ({
      page,
      browser,
    }) => {
      const other = await listenOnTwo(page, browser, off)
      await button(page, 'Start').click()
      await expect(button(other, 'Pause')).toBeVisible()
      await expectLeft(other, '25:00')
      // Enough time to notice an end, or a clock that was set back, and to say so.
      await expect(countdown(other)).toHaveText(/^24:5\d$/)
      await expect(button(other, 'Pause')).toBeVisible()
      await expectLeft(page, '25:00')
      await expect(button(page, 'Pause')).toBeVisible()
      await button(other, 'Pause').click()
      await expect(button(page, 'Start')).toBeVisible()
      await expectLeft(page, '25:00')
      expect(await recorded(page)).toEqual([])
    })
  }

  test('run and saved offline, it is idle and recorded on the other once it is back', async ({
    page,
    browser,
  }) => {
    const other = await openOnTwo(page, browser)
    await press(page, 'Start')
    await expect(button(other, 'Pause')).toBeVisible()
    await page.context().setOffline(true)
    await passOnBoth(page, other, 4 * minute)
    await pressOffline(page, 'Pause', 'Start')
    await passOnBoth(page, other, 30 * second)
    await pressOffline(page, 'Start', 'Pause')
    await passOnBoth(page, other, 2 * minute)
    await pressOffline(page, 'Save session', 'Start')
    await expect(countdown(page)).toHaveText('25:00')
    await expect(button(other, 'Pause')).toBeVisible()
    await page.context().setOffline(false)
    await expectSeconds(page, [360])
    await expect(countdown(other)).toHaveText('25:00')
    await expect(sessions(other)).toHaveText([/6 min/])
  })

  test('paused on one and saved offline on the other, it is idle on both once that is back', async ({
    page,
    browser,
  }) => {
    const other = await pausedOnTwo(page, browser)
    await other.context().setOffline(true)
    await pressOffline(other, 'Save session', 'Start')
    await expect(countdown(other)).toHaveText('25:00')
    await expect(sessions(other)).toHaveText([/4 min/])
    await expect(page.getByText('Paused', { exact: true })).toBeVisible()
    await other.context().setOffline(false)
    await expectSeconds(page, [240])
    await expect(page.getByText('Ready to focus?')).toBeVisible()
    await expect(countdown(page)).toHaveText('25:00')
    await expect(sessions(page)).toHaveText([/4 min/])
  })

  test('paused, and saved on both offline, it is recorded once', async ({ page, browser }) => {
    const other = await pausedOnTwo(page, browser)
    for (const device of [page, other]) {
      await device.context().setOffline(true)
      await pressOffline(device, 'Save session', 'Start')
    }
    await page.context().setOffline(false)
    await expectSeconds(page, [240])
    const sent = other.waitForResponse((response) =>
      sentChanges(response.request()).some(({ url }) => url.pathname === '/api/focus'),
    )
    await other.context().setOffline(false)
    expect((await sent).ok()).toBe(true)
    await expectSeconds(page, [240])
    for (const device of [page, other]) {
      await expect(countdown(device)).toHaveText('25:00')
      await expect(sessions(device)).toHaveCount(1)
    }
  })

  test('a run that ends with both open is recorded once, and both say so', async ({ page, browser }) => {
    const other = await openOnTwo(page, browser)
    await press(page, 'Start')
    await expect(button(other, 'Pause')).toBeVisible()
    await passOnBoth(page, other, 24 * minute + 50 * second)
    for (const device of [page, other]) {
      await expect(device.getByText("Time's up! Great work!")).toBeVisible({ timeout: 20 * second })
    }
    await expectSeconds(page, [1_500])
    for (const device of [page, other]) {
      await expect(sessions(device)).toHaveCount(1)
      await expect(countdown(device)).toHaveText('00:00')
    }
    expect(await recorded(page)).toHaveLength(1)
    await press(other, 'Reset')
    await expect(countdown(page)).toHaveText('25:00')
  })

  test("started on both offline, the later run goes on, and the earlier one's time is recorded", async ({
    page,
    browser,
  }) => {
    const other = await openOnTwo(page, browser)
    for (const device of [page, other]) await device.context().setOffline(true)
    await pressOffline(page, 'Start', 'Pause')
    await passOnBoth(page, other, 5 * minute)
    await pressOffline(other, 'Start', 'Pause')
    await passOnBoth(page, other, 3 * minute)
    await page.context().setOffline(false)
    await expect.poll(async () => (await page.request.get('/api/focus/timer')).text()).toContain('running')
    await other.context().setOffline(false)
    await expectLeft(other, '22:00')
    await expectLeft(page, '22:00')
    await expectSeconds(page, [300])
    await expectLeft(other, '22:00')
  })

  test('a lid closed over the end does not undo a pause made on the other meanwhile', async ({
    page,
    browser,
  }) => {
    const other = await openOnTwo(page, browser)
    await press(page, 'Start')
    await expect(button(other, 'Pause')).toBeVisible()
    await other.clock.fastForward(10 * minute)
    await press(other, 'Pause')
    await expect(button(other, 'Start')).toBeVisible()
    await page.clock.fastForward(3 * hour)
    await expect(button(page, 'Start')).toBeVisible()
    await expectLeft(page, '15:00')
    expect(await recorded(page)).toEqual([])
    await expect(toasts(page)).toHaveCount(0)
  })

  test('someone who wakes it much later and hears only minutes later that it goes on finds the right time left', async ({
    page,
    browser,
  }) => {
    // While responses are held back, so are events.
    const openStream = await holdRequest(page, '**/api/events')
    const other = await openOnTwo(page, browser)
    const readAfterwards = page.waitForResponse((response) => isOfTimer(response.request(), 'GET'))
    await press(page, 'Start')
    await readAfterwards
    await expect(button(other, 'Pause')).toBeVisible()
    const respond = await holdRequest(page, '**/api/focus/timer', { method: 'GET' })
    const asked = page.waitForRequest((request) => isOfTimer(request, 'GET'))
    // From here on no timer fires, so it waits for the response for as long as that takes.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3 * hour)
    await asked
    await other.clock.fastForward(10 * minute)
    await press(other, 'Pause')
    await other.clock.fastForward(3 * hour)
    await press(other, 'Start')
    await page.clock.setSystemTime((await page.evaluate(() => Date.now())) + 15 * minute)
    openStream()
    respond()
    await expectLeft(page, '10:00')
    await expect(button(page, 'Pause')).toBeVisible()
    expect(await recorded(page)).toEqual([])
  })

  test('someone who wakes it long after an end that the other one handled is told nothing', async ({
    page,
    browser,
  }) => {
    const other = await openOnTwo(page, browser)
    await press(page, 'Start')
    await expect(button(other, 'Pause')).toBeVisible()
    await other.clock.fastForward(25 * minute)
    await expectSeconds(other, [1_500])
    await press(other, 'Reset')
    await expect(countdown(other)).toHaveText('25:00')
    await page.clock.fastForward(8 * hour)
    await expect(countdown(page)).toHaveText('25:00')
    await expect(toasts(page)).toHaveCount(0)
    await expect(sessions(page)).toHaveCount(1)
  })

  test('someone who signs in on another device finds it running there', async ({ page, browser }) => {
    const person = await openTimer(page)
    await press(page, 'Start')
    await page.clock.fastForward(6 * minute)
    await page.clock.resume()
    const other = await anotherBrowser(browser, person, {})
    await keepServerTimeless(other)
    await other.clock.install({ time: await page.evaluate(() => Date.now()) })
    await other.goto('/todos')
    await expect(sidebarTime(other)).toContainText(/^Focus Timer1[89]:/)
  })
})

test.describe('a sign-out', () => {
  async function runningOnTwo(page: Page, browser: Browser) {
    const person = await signUpBehindTheScreens(page)
    const other = await anotherBrowser(browser, person, {})
    for (const device of [page, other]) {
      const stream = device.waitForResponse((response) => response.url().endsWith('/api/events'))
      await device.goto('/focus')
      expect((await stream).status()).toBe(200)
      await expect(button(device, 'Start')).toBeEnabled()
    }
    await press(page, 'Start')
    await expect(button(other, 'Pause')).toBeVisible()
    // There is a second to record.
    await expect(countdown(other)).not.toHaveText(/25:00|24:59/)
    return { person, other }
  }

  async function signOut(page: Page) {
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/sign-in$/)
  }

  test('on one device leaves the timer running on the other, and the last one records it, even on the landing page', async ({
    page,
    browser,
  }) => {
    const { person, other } = await runningOnTwo(page, browser)
    await signOut(page)
    await expect(page).toHaveTitle('Login · Daymark')
    await expect(button(other, 'Pause')).toBeVisible()
    expect(await recorded(other)).toEqual([])
    await other.reload()
    await expect(button(other, 'Pause')).toBeVisible()
    await expect(other.getByText(/^No sessions yet today\./)).toBeVisible()
    await other.goto('/')
    await other.getByRole('button', { name: 'Logout' }).click()
    await expect(other.getByRole('link', { name: 'Sign In' })).toBeVisible()
    await signInBehindTheScreens(page, person)
    await page.goto('/focus')
    await expect(sessions(page)).toHaveCount(1)
    await expect(button(page, 'Start')).toBeVisible()
    const [session] = await recorded(page)
    expect(session?.duration).toBeGreaterThanOrEqual(1)
    expect(session?.duration).toBeLessThan(120)
  })

  test('on all devices at once records the timer once', async ({ page, browser }) => {
    const { person, other } = await runningOnTwo(page, browser)
    await Promise.all([signOut(page), signOut(other)])
    await signInBehindTheScreens(page, person)
    expect(await recorded(page)).toHaveLength(1)
  })
})

test.describe('phases on all devices', () => {
  /** Started on one, where the break begins by itself. */
  async function focusingOnTwo(page: Page, browser: Browser) {
    const other = await openOnTwo(page, browser)
    await breaksByThemselves(page)
    await openPlan(other)
    await expect(plan(other).getByRole('switch')).toBeChecked()
    await closePlan(other)
    await press(page, 'Start')
    await expect(button(other, 'Pause')).toBeVisible()
    return other
  }
  const shortBreak = (page: Page) => page.getByText('A break of 5 minutes, then session 2 of 4')

  test('the break that begins by itself is on both, and skipped on one, the next focus is', async ({
    page,
    browser,
  }) => {
    const other = await focusingOnTwo(page, browser)
    await passOnBoth(page, other, 24 * minute + 50 * second)
    for (const device of [page, other]) {
      await expect(shortBreak(device)).toBeVisible({ timeout: 20 * second })
      await expect(button(device, 'Stop')).toBeVisible()
    }
    await expectSeconds(page, [1_500])
    await passOnBoth(page, other, 2 * minute)
    for (const device of [page, other]) await expect(countdown(device)).toHaveText(/^(3:00|2:[45]\d)$/)
    await button(other, 'Start focus').click()
    for (const device of [page, other]) {
      await expect(button(device, 'Pause')).toBeVisible()
      await expectLeft(device, '25:00')
      await expect(sessions(device)).toHaveCount(1)
    }
    await passOnBoth(page, other, 10 * minute)
    await press(page, 'Reset')
    for (const device of [page, other]) await expect(countdown(device)).toHaveText('25:00')
    await expectSeconds(page, [1_500])
  })

  test('a device that slept over the end finds the break that began on the other, and the focus once', async ({
    page,
    browser,
  }) => {
    const other = await focusingOnTwo(page, browser)
    await other.context().setOffline(true)
    await page.clock.fastForward(24 * minute + 50 * second)
    await expect(shortBreak(page)).toBeVisible({ timeout: 20 * second })
    await expectSeconds(page, [1_500])
    await page.clock.fastForward(2 * minute)
    await other.clock.fastForward(27 * minute)
    await expect(button(other, 'Start break')).toBeVisible()
    await expect(sessions(other)).toHaveCount(1)
    await other.context().setOffline(false)
    await expect(shortBreak(other)).toBeVisible()
    for (const device of [page, other]) await expect(countdown(device)).toHaveText(/^(3:00|2:[2345]\d)$/)
    await button(other, 'Stop').click()
    for (const device of [page, other]) {
      await expect(countdown(device)).toHaveText('25:00')
      await expect(sessions(device)).toHaveCount(1)
    }
    await expectSeconds(page, [1_500])
  })
})
