import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, expect, type Page } from '@playwright/test'
import { keptByTheBrowser, rowsOnDevice } from './testing/connection/on-device.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { keepHabits } from './testing/screens/habit-list.ts'
import { openWithLists } from './testing/screens/list-groups.ts'
import { addButton, field, keptTasks, openList, row, tick } from './testing/screens/todo-list.ts'

// Failed requests are logged in the console, by the browser, too.
test.use({
  serviceWorkers: 'allow',
  mayLog: /Failed to load resource|Could not read|could not be (read|kept)|got no answer|GET .* failed/,
})

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('a cold start without a connection shows the lists', async ({ baseURL }, { project }) => {
  const profile = await mkdtemp(join(tmpdir(), 'daymark-profile-'))
  const open = () => chromium.launchPersistentContext(profile, { ...project.use.launchOptions, baseURL })
  const before = await open()
  const page = await before.newPage()
  await signUpBehindTheScreens(page)
  await keepHabits(page, [{ name: 'Read' }])
  await page.goto('/habits')
  await expect(page.getByRole('main').getByText('Read', { exact: true })).toBeVisible()
  // A device that has nothing yet shows what it read before it has stored it.
  await expect.poll(async () => JSON.stringify(await rowsOnDevice(page))).toContain('"Read"')
  await page.goto('/todos')
  await field(page).fill('Buy milk')
  await field(page).press('Enter')
  await expect.poll(async () => (await keptTasks(page)).length).toBe(1)
  await keptByTheBrowser(page)
  await before.close()

  for (const [address, shown] of [
    ['/todos', 'Buy milk'],
    ['/habits', 'Read'],
  ] as const) {
    const cold = await open()
    await cold.setOffline(true)
    const start = await cold.newPage()
    await start.goto(address)
    await expect(start.getByRole('main').getByText(shown, { exact: true })).toBeVisible()
    await cold.close()
  }
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
})

test('without a connection', async ({ page, context }) => {
  const [home] = await openWithLists(page, [{ name: 'Home', tasks: ['Buy milk', 'Water the plants'] }])
  await keptByTheBrowser(page)
  await context.setOffline(true)

  await test.step('a screen that was never opened before opens without a connection, as soon as the app is cached', async () => {
    for (const [link, title] of [
      ['Focus Timer', 'Focus Timer'],
      ['Habits', 'Habits'],
      ['Analytics', 'Analytics Dashboard'],
    ] as const) {
      await page.getByRole('link', { name: link }).click()
      await expect(heading(page)).toHaveText(title)
    }
  })

  await test.step('every screen can be reloaded without a connection, and keeps its security headers', async () => {
    for (const [address, title] of [
      ['/upcoming', 'Upcoming'],
      ['/todos', 'Todo List'],
      [`/lists/${home}`, 'Home'],
      ['/tags/hall', '#hall'],
      ['/habits', 'Habits'],
      ['/focus', 'Focus Timer'],
      ['/analytics', 'Analytics Dashboard'],
      ['/analytics/todos?range=7', 'Completed todos'],
      ['/settings', 'Settings'],
      ['/', 'Build Better Habits, One Day at a Time'],
      ['/nowhere', 'Page not found'],
    ] as const) {
      const response = await page.goto(address)
      await expect(heading(page), address).toHaveText(title)
      expect(response?.headers()['content-security-policy'], address).toContain("script-src 'self'")
    }
    await page.goto('/sign-in')
    await expect(page, 'who is signed in still is').toHaveURL(/\/todos$/)
    await page.reload()
    await expect(row(page, 'Buy milk')).toBeVisible()
  })

  await test.step('what was done without a connection arrives once it is back, even what a page did that was reloaded', async () => {
    await tick(row(page, 'Water the plants')).click()
    await expect.poll(async () => JSON.stringify(await rowsOnDevice(page))).toContain('todos.complete')
    await page.reload()
    await expect(tick(row(page, 'Water the plants'))).toBeChecked()
    await field(page).fill('Post the letter')
    await field(page).press('Enter')
    await expect(addButton(page), 'kept by the device').toBeEnabled()
    await page.reload()
    await expect(row(page, 'Post the letter')).toBeVisible()
    await context.setOffline(false)
    await expect
      .poll(async () => (await keptTasks(page)).filter(({ title }) => title !== 'Buy milk'))
      .toEqual([
        { title: 'Post the letter', completed: 0 },
        { title: 'Water the plants', completed: 1 },
      ])
  })
})

test('someone who only visits has nothing stored on their device', async ({ page }) => {
  const asked: string[] = []
  await page.exposeFunction('noteRegistration', (address: string) => asked.push(address))
  await page.addInitScript(`
    const { register } = ServiceWorkerContainer.prototype
    ServiceWorkerContainer.prototype.register = function (address, ...rest) {
      void noteRegistration(address)
      return register.call(this, address, ...rest)
    }`)
  await page.clock.install()
  for (const address of ['/', '/sign-up']) {
    await page.goto(address)
    await expect(heading(page)).toBeVisible()
    await page.clock.runFor(10_000)
  }
  expect(await page.evaluate(() => caches.keys())).toEqual([])
  expect(asked).toEqual([])

  await openList(page)
  await page.clock.runFor(10_000)
  await expect.poll(() => asked, 'as long as it takes for those who are signed in').toHaveLength(1)
})
