import { expect, type Page } from '@playwright/test'
import { keptByTheBrowser } from './testing/connection/on-device.ts'
import { serveTwoBuilds, type TwoBuilds } from './testing/connection/two-builds.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { newPerson, test } from './testing/person/person.ts'
import { userMenu } from './testing/screens/settings.ts'
import { field, row, toasts } from './testing/screens/todo-list.ts'

const before = 'Plan your day and track your tasks'
const after = 'The newer build says this'

test.use({ serviceWorkers: 'allow' })

let builds: TwoBuilds
test.beforeEach(async ({ baseURL }) => {
  builds = await serveTwoBuilds(baseURL ?? '', after)
})
test.afterEach(async ({ page }) => {
  // A page still open would say that its stream of changes cannot connect any more.
  await page.close()
  await builds.stop()
})

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const offer = (page: Page) => toasts(page).filter({ hasText: 'A new version of Daymark is ready' })

/** Signed up at the address of the builds, with the to-do list open. */
async function openFirstBuild(page: Page) {
  const person = newPerson()
  const response = await page.request.post(`${builds.address}/api/auth/sign-up/email`, {
    data: { ...person },
    headers: { origin: builds.address },
  })
  expect(response.ok(), await response.text()).toBe(true)
  await page.goto(`${builds.address}/todos`)
  await expect(page.getByText(before)).toBeVisible()
  return person
}

/**
 * Releases the second build, and looks for it as the browser does by itself now and then, and with each page that is opened. A look
 * that the browser began before the release answers for this one too, so this looks until the build is found. Returns its worker.
 */
async function deploy(page: Page) {
  const before = await page.evaluateHandle(async () => (await navigator.serviceWorker.ready).active)
  builds.deploy()
  return page.evaluateHandle(async (before) => {
    const registration = await navigator.serviceWorker.ready
    for (;;) {
      await registration.update()
      const { installing, waiting, active } = registration
      const found = installing ?? waiting ?? (active !== before && active)
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }, before)
}

test('a new version is offered to every open tab, interrupts nobody who types, and is there after Reload', async ({
  page,
  context,
}) => {
  await openFirstBuild(page)
  await keptByTheBrowser(page)
  const other = await context.newPage()
  await other.goto(`${builds.address}/habits`)
  await expect(heading(other)).toHaveText('Habits')
  await page.bringToFront()
  await field(page).pressSequentially('Water the ')
  const worker = await deploy(page)
  await expect.poll(() => worker.evaluate(({ state }) => state)).toBe('activated')
  await expect(offer(page)).toBeVisible()
  await expectNoAxeViolations(page)
  await field(page).pressSequentially('plants')
  await expect(field(page)).toHaveValue('Water the plants')
  await expect(field(page)).toBeFocused()
  await expect(page.getByText(before)).toBeVisible()
  await field(page).press('Enter')
  await expect(row(page, 'Water the plants')).toBeVisible()

  await offer(page).getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByText(after)).toBeVisible()
  await expect(row(page, 'Water the plants')).toBeVisible()
  await expect(offer(page)).toHaveCount(0)
  await expect(offer(other), 'the other one is still of the build before').toBeVisible()
  await other.reload()
  await expect(heading(other)).toHaveText('Habits')
  await expect(offer(other)).toHaveCount(0)
})

test('a new version that nobody asked for', async ({ page, context }) => {
  await openFirstBuild(page)
  await keptByTheBrowser(page)
  await deploy(page)
  await expect(offer(page)).toBeVisible()

  await test.step('a page of the previous build keeps working: screens that it has not loaded yet still open', async () => {
    await page.getByRole('link', { name: 'Analytics' }).click()
    await expect(heading(page)).toHaveText('Analytics Dashboard')
    await page.getByRole('link', { name: 'Todos', exact: true }).click()
    await expect(page.getByText(before)).toBeVisible()
  })

  await test.step('someone who does not press it has the new version at the next start, even without a connection', async () => {
    await page.close()
    await context.setOffline(true)
    const next = await context.newPage()
    await next.goto(`${builds.address}/todos`)
    await expect(next.getByText(after)).toBeVisible()
  })
})

test('a version released while nobody was signed in is offered after the sign-in', async ({ page }) => {
  const person = await openFirstBuild(page)
  await keptByTheBrowser(page)
  await userMenu(page).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  const changed = page.evaluate(
    () =>
      new Promise((resolve) => {
        navigator.serviceWorker.addEventListener('controllerchange', () => resolve(true), { once: true })
      }),
  )
  await deploy(page)
  await changed
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText(before), 'the page is of the build before').toBeVisible()
  await expect(offer(page)).toBeVisible()
})

test('an interrupted update breaks nothing: the app still opens without a connection', async ({
  page,
  context,
}) => {
  await openFirstBuild(page)
  await keptByTheBrowser(page)
  builds.deployWorkerAlone()
  const outcome = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const found = new Promise<ServiceWorker | null>((resolve) => {
      registration.addEventListener('updatefound', () => resolve(registration.installing), { once: true })
    })
    await registration.update()
    const worker = await found
    while (worker && worker.state !== 'activated' && worker.state !== 'redundant') {
      await new Promise((changed) => worker.addEventListener('statechange', changed, { once: true }))
    }
    return worker?.state
  })
  expect(outcome, 'it fetches no file again').toBe('activated')
  await page.close()
  await context.setOffline(true)
  const next = await context.newPage()
  await next.goto(`${builds.address}/todos`)
  await expect(next.getByText(before)).toBeVisible()
})

test.describe('without a service worker', () => {
  test.use({ serviceWorkers: 'block', mayLog: /Failed to|error|Could not read/i })

  test('a screen whose build is gone reloads by itself, once', async ({ page }) => {
    await openFirstBuild(page)
    builds.deploy()
    await page.getByRole('link', { name: 'Analytics' }).click()
    await expect(heading(page)).toHaveText('Analytics Dashboard')
    await page.getByRole('link', { name: 'Todos', exact: true }).click()
    await expect(page.getByText(after)).toBeVisible()
  })
})
