import { expect, type Locator, type Page } from '@playwright/test'
import { isReadOf, readsOf } from './testing/connection/reads.ts'
import { settled, showInTheSamePage } from './testing/connection/settled.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { signUpBehindTheScreens, test, withoutEvents } from './testing/person/person.ts'
import { addButton, field, keptTasks, row } from './testing/screens/todo-list.ts'

// Whoever reads that something couldn't be loaded also reads why, as far as that is known, and can try again.

test.use({ mayLog: /Failed to load resource|ERR_|Could not read|could not be read|got no answer|failed/ })

const broken = {
  status: 500,
  json: { code: 'INTERNAL_ERROR', message: 'Something went wrong on the server.' },
}

const problems = [
  {
    why: 'without a connection',
    sentence: "You're offline. Try again when you're back online.",
    async fail(page: Page, calls: string | RegExp) {
      await page.addInitScript(() =>
        Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true }),
      )
      await page.route(
        calls,
        ofReads((route) => route.abort('internetdisconnected')),
      )
    },
  },
  {
    why: 'when the server does not respond',
    sentence: "The server isn't responding. Try again in a moment.",
    async fail(page: Page, calls: string | RegExp) {
      await page.route(
        calls,
        ofReads((route) => route.abort('connectionrefused')),
      )
    },
  },
  {
    why: 'when the server responds with an error',
    sentence: 'Something went wrong on the server. Your connection is fine.',
    async fail(page: Page, calls: string | RegExp) {
      await page.route(
        calls,
        ofReads((route) => route.fulfill(broken)),
      )
    },
  },
] as const

const screens = [
  { path: '/todos', calls: readsOf('todos'), says: "Your tasks couldn't be loaded." },
  { path: '/upcoming', calls: readsOf('todos'), says: "Your tasks couldn't be loaded." },
  { path: '/lists/gone', calls: readsOf('lists'), says: "This list couldn't be loaded." },
  { path: '/habits', calls: readsOf('habits'), says: "Your habits couldn't be loaded." },
  { path: '/focus', calls: '**/api/focus', says: "Today's sessions couldn't be loaded." },
  { path: '/analytics', calls: '**/api/todos/completed?*', says: "Completed todos couldn't be loaded." },
  { path: '/analytics/focus', calls: '**/api/focus?*', says: "The list couldn't be loaded." },
  { path: '/settings', calls: '**/api/preferences', says: "Your preferences couldn't be loaded." },
  { path: '/settings', calls: '**/api/reminders', says: "Your reminder settings couldn't be loaded." },
  {
    path: '/settings',
    calls: '**/api/auth/list-sessions',
    says: "Your signed-in devices couldn't be loaded.",
  },
] as const

/** What is loaded on one screen can't fail on the next: a second opening is for that which shares its calls with another. */
const openings = [
  screens.filter(({ path }) => path !== '/upcoming'),
  screens.filter(({ path }) => path === '/upcoming'),
]

for (const { why, sentence, fail } of problems)
  test(why, async ({ page }) => {
    await withoutEvents(page)
    await page.clock.install()
    for (const opened of openings) {
      const [first, ...others] = opened
      if (!first) throw new Error('Nothing to open')
      // Somebody else each time: what was loaded before is on the device.
      await signUpBehindTheScreens(page)
      for (const calls of new Set(opened.map((screen) => screen.calls))) await fail(page, calls)
      await page.clock.resume()
      await page.goto(first.path)
      for (const { path, calls, says } of [first, ...others])
        await test.step(`${path} says '${says}' and why, and can be retried`, async () => {
          await showInTheSamePage(page, path)
          const failure = page.getByRole('alert').filter({ hasText: says })
          await comesAndStays(page, failure)
          await expect(failure).toContainText(sentence)
          await page.unroute(calls)
          await failure.getByRole('button', { name: 'Try again' }).click()
          await page.clock.resume()
          await expect(failure).toHaveCount(0)
        })
    }
  })

test("while something couldn't be loaded", async ({ page }) => {
  const server = problems[2]
  await withoutEvents(page)
  await signUpBehindTheScreens(page)
  await server.fail(page, readsOf('todos'))
  await server.fail(page, readsOf('habits'))
  await page.goto('/todos')

  await test.step('a new task can still be added, and is shown at once and saved', async () => {
    await expect(page.getByText("Your tasks couldn't be loaded.")).toBeVisible()
    await expectNoAxeViolations(page)
    await field(page).fill('Water the lemon tree')
    await addButton(page).click()
    await expect(row(page, 'Water the lemon tree')).toBeVisible()
    await expect.poll(() => keptTasks(page)).toEqual([{ title: 'Water the lemon tree', completed: 0 }])
    await expect(page.getByText("Your tasks couldn't be loaded.")).toBeVisible()

    // Typed text survives another try, whether that succeeds or not.
    await field(page).fill('Return library books')
    const tryAgain = page.getByRole('button', { name: 'Try again' })
    // The response to the new task may still be on its way.
    const asked = page.waitForResponse((response) => isReadOf('todos', response.request()))
    await tryAgain.click()
    await asked
    await expect(tryAgain).not.toHaveAttribute('aria-busy', 'true')
    await expect(field(page)).toHaveValue('Return library books')
    await page.unroute(readsOf('todos'))
    await tryUntilLoaded(page.getByText("Your tasks couldn't be loaded."), tryAgain)
    await expect(row(page, 'Water the lemon tree')).toHaveCount(1)
    await expect(field(page)).toHaveValue('Return library books')
  })

  await test.step('a new habit can still be added, and is shown at once', async () => {
    await page.getByRole('link', { name: 'Habits' }).click()
    await expect(page.getByText("Your habits couldn't be loaded.")).toBeVisible()
    await page.getByRole('button', { name: 'Add Habit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Habit Title').fill('Run')
    await dialog.getByRole('button', { name: 'Add Habit' }).click()
    await expect(row(page, 'Run')).toBeVisible()
    await expect(page.getByText("Your habits couldn't be loaded.")).toBeVisible()
    await expectNoAxeViolations(page)
    await page.unroute(readsOf('habits'))
    await tryUntilLoaded(
      page.getByText("Your habits couldn't be loaded."),
      page.getByRole('button', { name: 'Try again' }),
    )
    await expect(row(page, 'Run')).toHaveCount(1)
  })
})

/** What was written is read back by itself: that may succeed before the button is pressed, and takes the button away. */
async function tryUntilLoaded(failure: Locator, tryAgain: Locator) {
  await expect(async () => {
    await tryAgain.evaluateAll((buttons) => {
      for (const button of buttons) if (button instanceof HTMLElement) button.click()
    })
    await expect(failure).toHaveCount(0, { timeout: 1_000 })
  }).toPass()
}

type Handler = Parameters<Page['route']>[1]
type Route = Parameters<Handler>[0]

/** Only reads fail; writes go through. */
function ofReads(respond: (route: Route) => Promise<void>): Handler {
  return (route) => (route.request().method() === 'GET' ? respond(route) : route.fallback())
}

/**
 * Lists are requested a few more times before they are given up; a test does not wait for that. Afterwards the clock stands
 * still, so that the screen does not try again by itself before the test presses the button.
 */
async function comesAndStays(page: Page, what: Locator) {
  const tryAgain = what.getByRole('button', { name: 'Try again' })
  let timeout = 400
  await expect(async () => {
    // On a busy machine it takes longer to come, and to have tried.
    timeout *= 1.5
    await page.clock.resume()
    await page.clock.fastForward(5_000)
    await expect(what).toBeVisible({ timeout })
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
    // The skipped second may have started another try, which would succeed as soon as nothing fails any more, and take the button
    // away. So that try ends first, and a timer runs, without which its end is not drawn.
    await settled(page)
    await page.clock.runFor(50)
    await expect(tryAgain).toBeEnabled({ timeout })
  }).toPass()
}
