import { expect, type Page } from '@playwright/test'
import { settled } from './testing/connection/settled.ts'
import { test, withoutEvents } from './testing/person/person.ts'
import { expectOnlyErrorToast } from './testing/screens/error-toast.ts'
import {
  button,
  countdown,
  day,
  deleteRecorded,
  expectLeft,
  expectRecorded,
  hide,
  hour,
  minute,
  morning,
  nextMorning,
  openTabs,
  openTimer,
  pass,
  recorded,
  second,
  sessions,
  sidebarTime,
  toasts,
  totalToday,
} from './testing/screens/focus-timer.ts'
import { changeBehindTheScreens, dayStart } from './testing/screens/preferences.ts'

// When minutes pass in a moment, a request in progress takes too long.
test.use({
  fakeClock: true,
  timezoneId: 'UTC',
  mayLog: /Could not read [\w-]+: none|session could not be read TimeoutError/,
})
test.beforeEach(({ page }) => withoutEvents(page))

async function expectAtRest(page: Page) {
  await expect(countdown(page)).toHaveText('25:00')
  await expect(page.getByText('Ready to focus?')).toBeVisible()
  await expect(button(page, 'Start')).toBeVisible()
}

async function expectPaused(page: Page) {
  await expect(page.getByText('Paused', { exact: true })).toBeVisible()
  await expect(page.getByText('Ready to focus?')).toHaveCount(0)
  await expect(button(page, 'Start')).toBeVisible()
  await expect(button(page, 'Save session')).toBeVisible()
}

/** Starts it, and moves forward as far as given. */
async function startAndPass(page: Page, milliseconds: number) {
  await button(page, 'Start').click()
  await expect(button(page, 'Pause')).toBeVisible()
  await pass(page, milliseconds)
}

interface Announced {
  asked: number
  shown: string[]
  notes: number
}

/** Records what would ring and be shown, as a test hears nothing. */
async function listen(page: Page, permission: NotificationPermission) {
  await page.context().addInitScript((permission) => {
    const announced: Announced = { asked: 0, shown: [], notes: 0 }
    class Notified extends EventTarget {
      static permission = permission
      static async requestPermission() {
        announced.asked += 1
        Notified.permission = 'granted'
        return 'granted'
      }
      constructor(title: string) {
        super()
        if (Notified.permission === 'granted') announced.shown.push(title)
      }
      close() {}
    }
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (when) {
      announced.notes += 1
      start.call(this, when)
    }
    Object.assign(globalThis, { Notification: Notified, announced })
  }, permission)
}
const announced = (page: Page) => page.evaluate<Announced>('announced')
const expectAnnounced = (page: Page, what: Partial<Announced>) =>
  expect(async () => {
    await page.clock.runFor(100)
    expect(await announced(page)).toMatchObject(what)
  }).toPass()

test('sections 2 and 4, the focus timer: idle, running, paused, finished', async ({ page }) => {
  await openTimer(page, morning - 12 * day)
  await test.step('shows 25:00, the caption, and a start and a reset button', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Focus Timer')
    await expect(page.getByText('Pomodoro Timer - 25 minutes of focused work')).toBeVisible()
    await expectAtRest(page)
    await expect(button(page, 'Reset')).toBeVisible()
    await expect(button(page, 'Save session')).toHaveCount(0)
  })

  await test.step("'Stay focused!' while it runs, 'Take a break!' and 'Time's up! Great work!' when it is over", async () => {
    await startAndPass(page, 90 * second)
    await expect(page.getByText('Stay focused!')).toBeVisible()
    await expect(countdown(page)).toHaveText('23:30')
    await page.clock.fastForward(24 * minute)
    await expect(page.getByText('Take a break!')).toBeVisible()
    await expect(page.getByText("Time's up! Great work!")).toBeVisible()
    await expect(countdown(page)).toHaveText('00:00')
  })

  await test.step('the ring fills one segment per minute', async () => {
    await nextMorning(page)
    const filled = page.getByRole('main').locator('svg path.stroke-amber')
    await startAndPass(page, 10 * second)
    await expect(filled).toHaveCount(1)
    await pass(page, 10 * minute)
    await expect(filled).toHaveCount(11)
    await expect(page.getByRole('main').locator('svg path.stroke-heat-0')).toHaveCount(15)
  })

  await test.step('a full run counts down every second, ends at 00:00 and is recorded once, with 1,500 seconds', async () => {
    await nextMorning(page)
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    for (const left of ['24:59', '24:58', '24:57']) {
      await page.clock.runFor(second)
      await expect(countdown(page)).toHaveText(left)
    }
    await page.clock.runFor(25 * minute - 4 * second)
    await expect(countdown(page)).toHaveText('00:01')
    expect(await recorded(page)).toEqual([])
    await page.clock.runFor(second)
    await expect(countdown(page)).toHaveText('00:00')
    await expectRecorded(page, [1_500])
    await expect(sessions(page)).toHaveText([/9:00 AM – 9:25 AM25 min/])
    await expect(totalToday(page)).toHaveText('Today1 session25 min')
  })

  await test.step('when finished, the main button resets to 25:00', async () => {
    await nextMorning(page)
    await startAndPass(page, 25 * minute)
    await expect(button(page, 'Reset')).toHaveCount(1)
    await button(page, 'Reset').click()
    await expectAtRest(page)
    await expectRecorded(page, [1_500])
  })

  await test.step('a pause holds the time, however long, and the run resumes from there', async () => {
    await nextMorning(page)
    await startAndPass(page, 5 * minute)
    await button(page, 'Pause').click()
    await expectPaused(page)
    await pass(page, 40 * minute)
    await expect(countdown(page)).toHaveText('20:00')
    await expectPaused(page)
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await pass(page, 20 * minute)
    await expect(countdown(page)).toHaveText('00:00')
    await expectRecorded(page, [1_500])
    await expect(sessions(page)).toHaveText([/9:00 AM – 10:05 AM25 min/])
  })

  await test.step('reset returns to 25:00 while it runs and while it is paused, records nothing, and can be undone', async () => {
    await nextMorning(page)
    await startAndPass(page, 5 * minute)
    await button(page, 'Reset').click()
    await expectAtRest(page)
    await page.clock.resume()
    await expect(toasts(page)).toContainText('Paused at 20:00.')
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await expectLeft(page, '20:00')
    await expect(button(page, 'Pause')).toBeVisible()
    await button(page, 'Pause').click()
    await button(page, 'Reset').click()
    await expectAtRest(page)
    await pass(page, minute)
    expect(await recorded(page)).toEqual([])
  })

  await test.step("'save session' posts 1,500 minus the remaining seconds, and resets", async () => {
    await nextMorning(page)
    await startAndPass(page, 10 * minute + 30 * second)
    const posted = page.waitForRequest((request) => request.method() === 'POST')
    await button(page, 'Save session').click()
    await expectAtRest(page)
    expect((await posted).url()).toMatch(/\/api\/focus$/)
    expect((await posted).postDataJSON()).toMatchObject({ duration: 630 })
    await expectRecorded(page, [630])
    await expect(sessions(page)).toHaveText([/9:00 AM – 9:10 AM10 min 30 s/])
    // The focused button is gone; the next key press still has to land somewhere.
    await expect(button(page, 'Start')).toBeFocused()
  })

  await test.step("'save session' stays while it is paused, and records the focused time, however long the pause", async () => {
    await nextMorning(page)
    await startAndPass(page, 10 * minute + 30 * second)
    await button(page, 'Pause').click()
    await expectPaused(page)
    await pass(page, 40 * minute)
    const posted = page.waitForRequest((request) => request.method() === 'POST')
    await button(page, 'Save session').click()
    await expectAtRest(page)
    expect((await posted).postDataJSON()).toMatchObject({ duration: 630 })
    await expectRecorded(page, [630])
    await expect(sessions(page)).toHaveText([/9:00 AM – 9:10 AM10 min 30 s/])
    await expect(button(page, 'Start')).toBeFocused()
    await expect(button(page, 'Save session')).toHaveCount(0)
  })

  await test.step('undoing a reset later does not count the time in between', async () => {
    await nextMorning(page)
    await startAndPass(page, 10 * minute)
    await page.clock.resume()
    await button(page, 'Reset').click()
    await expect(toasts(page)).toContainText('Paused at 1')
    // Toasts stay while the pointer is over them, and while the person looks elsewhere.
    await toasts(page).hover()
    await page.clock.fastForward(12 * minute)
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await expectLeft(page, '15:00')
    await expect(button(page, 'Pause')).toBeVisible()
    expect(await recorded(page)).toEqual([])
  })

  await test.step('before the first second it says that there is nothing to save, and the timer stays as it is', async () => {
    await nextMorning(page)
    await startAndPass(page, 400)
    await button(page, 'Save session').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await button(page, 'Pause').click()
    await button(page, 'Save session').click()
    await expectPaused(page)
    await page.clock.resume()
    await expect(toasts(page)).toHaveText([/Nothing to save yet/, /Nothing to save yet/])
    await expect(toasts(page).first()).toContainText('A session must be at least one second long.')
    await expectPaused(page)
    expect(await recorded(page)).toEqual([])
  })
})

test('a timer that is never wrong, and the sessions of today', async ({ page }) => {
  await openTimer(page, morning - 12 * day)
  await test.step('throttled to one check a minute, it is exactly on time after 25 minutes', async () => {
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    for (let passed = 1; passed <= 25; passed++) {
      // Every timer that is due fires at most once, at the end of the minute.
      await page.clock.fastForward(minute)
      await expect(countdown(page)).toHaveText(`${String(25 - passed).padStart(2, '0')}:00`)
    }
    await expectRecorded(page, [1_500])
    await expect(sessions(page)).toHaveText([/9:00 AM – 9:25 AM25 min/])
  })

  await test.step('a lid closed for eight hours over the end: it ended on time, with 25 minutes and not a second more', async () => {
    await nextMorning(page)
    await startAndPass(page, 10 * minute)
    await page.clock.fastForward(8 * hour)
    await expect(countdown(page)).toHaveText('00:00')
    await page.clock.resume()
    await expect(toasts(page)).toContainText('The focus timer ended at 9:25 AM')
    await expectRecorded(page, [1_500])
    await expect(sessions(page)).toHaveText([/9:00 AM – 9:25 AM25 min/])
  })

  await test.step('25 minutes in a hidden tab whose timers do not fire: no second is lost, and the end is found on time', async () => {
    const at = await nextMorning(page)
    await button(page, 'Start').click()
    await expect(button(page, 'Pause')).toBeVisible()
    await hide(page)
    for (let passed = minute; passed < 25 * minute; passed += 6 * minute) {
      // Moves the time without letting any timer of the page fire.
      await page.clock.setSystemTime(at + passed)
      const left = `${String(25 - passed / minute).padStart(2, '0')}:00`
      await expect(page).toHaveTitle(`${left} · Focus Timer · Daymark`)
    }
    await page.clock.setSystemTime(at + 25 * minute)
    await expect(page).toHaveTitle("Time's up! · Focus Timer · Daymark")
    await hide(page, false)
    await expect(countdown(page)).toHaveText('00:00')
    await expectRecorded(page, [1_500])
  })

  await test.step("a session across the person's midnight counts on both days, each with its own seconds", async () => {
    const lateEvening = (await nextMorning(page)) + 14 * hour + 50 * minute
    await page.clock.pauseAt(lateEvening)
    await startAndPass(page, 25 * minute)
    await expect(totalToday(page)).toHaveText('Today1 session15 min')
    await expect(sessions(page)).toHaveText([/11:50 PM – 12:15 AM15 min of 25 min/])
    await expectRecorded(page, [1_500])
    const [session] = await recorded(page)
    const [before, after] = [0, 24].map((hours) =>
      new Date(lateEvening + hours * hour).toISOString().slice(0, 10),
    )
    expect(session?.days).toEqual([
      { day: before, seconds: 600 },
      { day: after, seconds: 900 },
    ])
  })

  await test.step('show their times and their total; a deleted one comes back with Undo', async () => {
    await nextMorning(page)
    for (const minutes of [10, 5]) {
      await startAndPass(page, minutes * minute)
      await button(page, 'Save session').click()
      await expectAtRest(page)
    }
    await expectRecorded(page, [300, 600])
    await expect(totalToday(page)).toHaveText('Today2 sessions15 min')
    await expect(sessions(page)).toHaveText([/5 min$/, /9:00 AM – 9:10 AM10 min/])
    await sessions(page)
      .last()
      .getByRole('button', { name: /^Delete session/ })
      .click()
    await expect(totalToday(page)).toHaveText('Today1 session5 min')
    await expectRecorded(page, [300])
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await expect(totalToday(page)).toHaveText('Today2 sessions15 min')
    await expectRecorded(page, [300, 600])
  })

  await test.step('start over at midnight without a reload', async () => {
    const at = await nextMorning(page)
    await startAndPass(page, minute)
    await button(page, 'Save session').click()
    await expectRecorded(page, [60])
    await page.clock.pauseAt(at + 15 * hour - second)
    await expect(sessions(page)).toHaveCount(1)
    await page.clock.runFor(2 * second)
    await expect(sessions(page)).toHaveCount(0)
    await expect(page.getByText(/^No sessions yet today\./)).toBeVisible()
  })

  await test.step('the title and the sidebar show the running time', async () => {
    await nextMorning(page)
    await startAndPass(page, 2 * minute)
    await expect(page).toHaveTitle('23:00 · Focus Timer · Daymark')
    await expect(sidebarTime(page)).toContainText('23:00')
    await page.clock.runFor(second)
    await expect(page).toHaveTitle('22:59 · Focus Timer · Daymark')
    await expect(sidebarTime(page)).toContainText('22:59')
    await page.clock.resume()
    await page.getByRole('link', { name: 'Todos', exact: true }).click()
    await expect(page).toHaveTitle(/^22:[45]\d · Todos · Daymark$/)
    await expect(sidebarTime(page)).toContainText(/22:[45]\d/)
    await sidebarTime(page).click()
    await button(page, 'Pause').click()
    await expect(page).toHaveTitle(/^Paused 22:[45]\d · Focus Timer · Daymark$/)
    await button(page, 'Reset').click()
    await expect(page).toHaveTitle('Focus Timer · Daymark')
    await expect(sidebarTime(page)).toHaveText('Focus Timer')
  })

  await test.step('its end is announced there, and recorded', async () => {
    await nextMorning(page)
    await startAndPass(page, 24 * minute)
    await page.clock.resume()
    await page.getByRole('link', { name: 'Habits', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Habits')
    await page.clock.fastForward(minute)
    await expect(toasts(page)).toContainText("Time's up! Great work!")
    await expectRecorded(page, [1_500])
  })
})

test('the timer in several tabs', async ({ page }) => {
  await listen(page, 'granted')
  await openTimer(page, morning - 5 * day)
  const [other = page] = await openTabs(page, 1, morning - 5 * day)
  await test.step('two tabs show and control one timer', async () => {
    await startAndPass(page, 2 * minute)
    await expect(countdown(other)).toHaveText('23:00')
    await button(other, 'Pause').click()
    await expectPaused(page)
    await pass(page, minute)
    for (const tab of [page, other]) await expect(countdown(tab)).toHaveText('23:00')
    await button(page, 'Start').click()
    await expect(button(other, 'Pause')).toBeVisible()
    await pass(page, minute)
    for (const tab of [page, other]) await expect(countdown(tab)).toHaveText('22:00')
    await button(other, 'Reset').click()
    await expectAtRest(page)
  })

  await test.step('someone looking at another tab of Daymark gets no notification of what they see', async () => {
    await nextMorning(page)
    await startAndPass(page, 24 * minute)
    await hide(page)
    await pass(page, minute)
    await expect(page).toHaveTitle("Time's up! · Focus Timer · Daymark")
    await expect(countdown(other)).toHaveText('00:00')
    await expectAnnounced(other, { shown: [] })
    await expectAnnounced(page, { shown: [] })
    await hide(page, false)
  })

  await test.step('a run that ends in three tabs at once is recorded once', async () => {
    const at = await nextMorning(page)
    const others = [other, ...(await openTabs(page, 1, at))]
    await startAndPass(page, 25 * minute)
    for (const tab of [page, ...others]) await expect(countdown(tab)).toHaveText('00:00')
    await expectRecorded(page, [1_500])
    await page.clock.resume()
    for (const tab of [page, ...others]) {
      await tab.reload()
      await expect(sessions(tab)).toHaveCount(1)
    }
    await pass(page, minute)
    expect(await recorded(page)).toHaveLength(1)
  })
})

test('the timer without a tab that is open, and with a clock that is set back', async ({ page, context }) => {
  await openTimer(page, morning - 5 * day)
  await test.step('a clock that is set back shows at most 25:00 and delays nothing', async () => {
    await startAndPass(page, 10 * minute)
    await page.clock.pauseAt(morning - 5 * day + 20 * minute)
    // The page that saw the clock go back must not be the one that answers below.
    await page.goto('about:blank')
    await page.clock.setSystemTime(morning - 5 * day - 2 * hour)
    await page.clock.resume()
    // It also holds at 25:00 what it reads from the server, which must arrive before the clock moves on.
    const read = page.waitForResponse('**/api/focus/timer')
    await page.goto('/focus')
    await read
    await settled(page)
    await expect(button(page, 'Pause')).toBeVisible()
    await expectLeft(page, '25:00')
    // 25:00 is also shown until the device has stored where the run continues from. From then on it counts.
    await expect(countdown(page)).not.toHaveText('25:00')
    await page.clock.fastForward(5 * minute)
    await expectLeft(page, '20:00')
  })
  let later = page
  await test.step('a tab closed before the end: the next one finds it recorded at its end', async () => {
    await nextMorning(page)
    await startAndPass(page, 10 * minute)
    await page.close()
    await context.clock.fastForward(3 * hour)
    await context.clock.resume()
    later = await context.newPage()
    await later.goto('/todos')
    await expect(toasts(later)).toContainText('The focus timer ended at 9:25 AM')
    await expectRecorded(later, [1_500])
    await later.goto('/focus')
    await expect(sessions(later)).toHaveText([/9:00 AM – 9:25 AM25 min/])
  })

  await test.step('a run that ended while every tab was closed counts on the days of its own day start', async () => {
    // It is 02:50 and 03:15 at night, and the day starts at 03:00.
    const night = (await nextMorning(later)) + 17 * hour + 50 * minute
    await later.clock.pauseAt(night)
    await changeBehindTheScreens(later, { day_start: 180 })
    await later.clock.resume()
    await later.goto('/settings')
    await expect(dayStart(later)).toHaveValue('180')
    await later.goto('/focus')
    await button(later, 'Start').click()
    await expect(button(later, 'Pause')).toBeVisible()
    await later.close()
    await context.clock.fastForward(20 * hour)
    later = await context.newPage()
    await later.goto('/todos')
    await expectRecorded(later, [1_500])
    const [session] = await recorded(later)
    const [before, after] = [-24, 0].map((hours) => new Date(night + hours * hour).toISOString().slice(0, 10))
    expect(session?.days).toMatchObject([{ day: before }, { day: after }])
  })
})

test('at the end of the timer', async ({ page }) => {
  await listen(page, 'default')
  await openTimer(page, morning - 12 * day)
  await test.step('nobody is asked for permission before they can use it: only while a timer runs, by a separate button', async () => {
    await expect(button(page, 'Notify me')).toHaveCount(0)
    await startAndPass(page, minute)
    expect((await announced(page)).asked).toBe(0)
    await button(page, 'Notify me').press('Enter')
    await expect(button(page, 'Notify me')).toHaveCount(0)
    // The focused button is gone; the next key press still has to land somewhere.
    await expect(button(page, 'Pause')).toBeFocused()
    expect((await announced(page)).asked).toBe(1)
    await hide(page)
    await pass(page, 24 * minute)
    await expectAnnounced(page, { shown: ["Time's up! Great work!"] })
    await hide(page, false)
  })

  await test.step('the title says so until the person is back', async () => {
    await nextMorning(page)
    await startAndPass(page, 24 * minute)
    await hide(page)
    await pass(page, minute)
    await expect(page).toHaveTitle("Time's up! · Focus Timer · Daymark")
    await hide(page, false)
    await expect(page).toHaveTitle('Focus Timer · Daymark')
  })

  await test.step('two notes play, and no notification is shown while the person looks at it', async () => {
    await nextMorning(page)
    await page.evaluate('Object.assign(announced, { shown: [], notes: 0 })')
    await startAndPass(page, 25 * minute)
    await expectAnnounced(page, { notes: 2, shown: [] })
  })

  await listen(page, 'denied')

  await test.step('a reload in the middle changes nothing', async () => {
    await nextMorning(page)
    await startAndPass(page, 7 * minute)
    await page.clock.resume()
    await page.reload()
    await expectLeft(page, '18:00')
    await expect(page.getByText('Stay focused!')).toBeVisible()
    await test.step('the notes also play after a reload, once something was pressed', async () => {
      await page.getByRole('heading', { level: 1 }).click()
      await page.clock.fastForward(17 * minute)
      await expect(countdown(page)).toHaveText(/^00:/)
      await pass(page, minute)
      await expectAnnounced(page, { notes: 2 })
    })
    await expectRecorded(page, [1_500])
    await button(page, 'Mute sound').click()
    await page.clock.resume()
    await page.reload()
    await settled(page)
    await expect(countdown(page)).toHaveText('00:00')
    await expectRecorded(page, [1_500])
  })

  await test.step('a muted timer makes no sound, and stays muted', async () => {
    await expect(button(page, 'Unmute sound')).toBeVisible()
    await nextMorning(page)
    await startAndPass(page, 25 * minute)
    await expectRecorded(page, [1_500])
    expect((await announced(page)).notes).toBe(0)
  })
})

test.describe('a session that cannot be saved', () => {
  test.use({
    mayLog:
      /Could not read|status of 50\d|Failed to (save|delete) focus session|ERR_INTERNET_DISCONNECTED|session could not be read TimeoutError/,
  })

  test('failures are shown', async ({ page, context }) => {
    await openTimer(page, morning - 5 * day)
    await test.step('a session that the server cannot store now waits and is sent later', async () => {
      let failures = 0
      await page.route('**/api/focus', (route) => {
        if (route.request().method() !== 'POST' || failures >= 2) return route.continue()
        failures += 1
        return route.fulfill({ status: 503, json: { code: 'UNAVAILABLE', message: 'Later.' } })
      })
      await startAndPass(page, 25 * minute)
      await expect(sessions(page)).toHaveCount(1)
      await expectRecorded(page, [1_500])
      expect(failures).toBe(2)
      await expect(toasts(page)).toHaveCount(0)
      await page.unroute('**/api/focus')
    })

    await test.step('a session that fails on the server is shown with its length, and can be retried', async () => {
      await nextMorning(page)
      await page.route('**/api/focus', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 500, json: { code: 'INTERNAL_ERROR', message: 'Something went wrong.' } })
          : route.continue(),
      )
      await startAndPass(page, 5 * minute)
      await button(page, 'Save session').click()
      await page.clock.resume()
      await expect(toasts(page)).toContainText('Failed to save focus session')
      await expect(toasts(page)).toContainText('5 min from 9:00 AM')
      await expect(sessions(page)).toHaveCount(0)
      await page.unroute('**/api/focus')
      await toasts(page).getByRole('button', { name: 'Try again' }).click()
      await expectRecorded(page, [300])
      await expect(sessions(page)).toHaveCount(1)
    })

    await test.step('a session that cannot be deleted comes back, and the error replaces the offer to undo', async () => {
      await nextMorning(page)
      await startAndPass(page, 5 * minute)
      await button(page, 'Save session').click()
      await expectRecorded(page, [300])
      await page.route('**/api/focus/*', (route) =>
        route.request().method() === 'DELETE'
          ? route.fulfill({ status: 500, json: { code: 'INTERNAL_ERROR', message: 'Something went wrong.' } })
          : route.continue(),
      )
      await page.clock.resume()
      await sessions(page)
        .getByRole('button', { name: /^Delete session/ })
        .click()
      await expectOnlyErrorToast(page, 'Failed to delete focus session')
      await expect(sessions(page)).toHaveCount(1)
      await page.unroute('**/api/focus/*')
    })

    await test.step('the list says so and can be retried, and the timer still works', async () => {
      await deleteRecorded(page)
      await page.route('**/api/focus', (route) =>
        route.request().method() === 'GET'
          ? route.fulfill({ status: 500, json: { code: 'INTERNAL_ERROR', message: 'No.' } })
          : route.continue(),
      )
      // Only now, because the page caches what it reads.
      await page.evaluate(() => indexedDB.deleteDatabase('daymark'))
      await page.clock.resume()
      await page.reload()
      await expect(page.getByText("Today's sessions couldn't be loaded.")).toBeVisible()
      await button(page, 'Start').click()
      await expect(page.getByText('Stay focused!')).toBeVisible()
      await page.unroute('**/api/focus')
      await button(page, 'Try again').click()
      await expect(page.getByText(/^No sessions yet today\./)).toBeVisible()
    })

    await test.step('saved without a connection it waits, even after the tab is closed, and is sent when there is one', async () => {
      await nextMorning(page)
      await startAndPass(page, 3 * minute)
      await context.setOffline(true)
      await button(page, 'Save session').click()
      await expect(sessions(page)).toHaveText([/3 min/])
      await page.clock.runFor(5 * second)
      expect(await page.evaluate(() => navigator.onLine)).toBe(false)
      await page.close()
      await context.setOffline(false)
      const later = await context.newPage()
      await later.goto('/focus')
      await expectRecorded(later, [180])
      await expect(sessions(later)).toHaveCount(1)
    })
  })
})
