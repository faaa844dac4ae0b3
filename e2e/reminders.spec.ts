import { expect, type Page } from '@playwright/test'
import { fakePushService } from './testing/connection/pushes.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { expectNothingSticksOut, resize } from './testing/looks/looks.ts'
import { newPerson, signUpBehindTheScreens, test } from './testing/person/person.ts'
import { addButton, dialog, edit, name, openHabits, row, saidHabits } from './testing/screens/habit-list.ts'
import { userMenu } from './testing/screens/settings.ts'

test.use({ timezoneId: 'UTC', serviceWorkers: 'allow' })

const card = (page: Page) => page.getByRole('region', { name: 'Reminders' })
const devices = (page: Page) => card(page).getByRole('listitem')
const toast = (page: Page, text: string) => page.locator('[data-sonner-toast]').filter({ hasText: text })
const box = (page: Page) => dialog(page).getByRole('checkbox', { name: "Remind me if it isn't done yet" })
const time = (page: Page) => dialog(page).getByLabel('Time', { exact: true })
const weekday = (page: Page, day: string) => dialog(page).getByRole('button', { name: day })

async function expectFits(page: Page) {
  for (const width of [320, 360, 768, 1280]) {
    await resize(page, width)
    await expectNothingSticksOut(page)
  }
}

test('the first reminder asks whether reminders may arrive here, and the settings then show the answer', async ({
  page,
}) => {
  const push = await fakePushService(page, 'default', 'granted')
  await openHabits(page)
  await addButton(page).click()
  await dialog(page).getByLabel('Habit Title').fill('Read 20 pages')
  await box(page).check()
  await time(page).fill('07:30')
  for (const day of ['Saturday', 'Sunday']) await weekday(page, day).click()
  await expectNoAxeViolations(page)
  await expectFits(page)
  expect(await push.timesAsked()).toBe(0)
  await dialog(page).getByRole('button', { name: 'Add Habit' }).click()

  await expect(question(page)).toContainText('Reminders can ring on this device.')
  await expect(dialog(page)).toHaveCount(0)
  expect(await push.timesAsked(), 'not before it was explained').toBe(0)
  await expectNoAxeViolations(page)
  await question(page).getByRole('button', { name: 'Allow' }).click()
  await expect(toast(page, 'Reminders are on for this device')).toBeVisible()
  await expect(question(page)).toHaveCount(0)
  const { public_key } = await (await page.request.get('/api/reminders')).json()
  expect(await push.subscribedWith()).toBe(public_key)
  await expect(row(page, 'Read 20 pages')).toContainText('07:30 on weekdays')
  await expect
    .poll(() => saidHabits(page))
    .toMatchObject([{ reminder: { time: 450, weekdays: [1, 2, 3, 4, 5] } }])

  await page.goto('/settings')
  await expect(devices(page)).toHaveCount(1)
  await expect(devices(page)).toContainText('This device · Nothing sent yet')
  const outcomes = ['delivered', 'refused', 'unreachable']
  await page.route('**/api/reminders/devices/*/test', (route) =>
    route.fulfill({ json: { outcome: outcomes.shift() } }),
  )
  const sendTest = card(page).getByRole('button', { name: 'Send a test' })
  for (const said of ['Test sent', 'The test was rejected', "The test couldn't be delivered"]) {
    await sendTest.press('Enter')
    await expect(toast(page, said)).toBeVisible()
    await expect(sendTest).not.toHaveAttribute('aria-busy')
  }
  await expectFits(page)
  await expectNoAxeViolations(page)
  await card(page).getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(devices(page)).toHaveCount(0)
  await expect(card(page)).toContainText("Reminders aren't on for this device yet")
  expect(await push.subscribedWith()).toBeNull()
  await page.reload()
  await expect(card(page)).toContainText("Reminders aren't on for this device yet")
  expect((await (await page.request.get('/api/reminders')).json()).devices, 'it stays removed').toEqual([])
  await card(page).getByRole('button', { name: 'Allow reminders' }).press('Enter')
  await expect(devices(page)).toHaveCount(1)
})

test("a reminder is changed and removed in its habit's dialog, and fits on one line at every width", async ({
  page,
}) => {
  const push = await fakePushService(page, 'default', 'denied')
  await openHabits(page, [{ name: 'Long run', frequency: 'weekly', description: 'Along the coast' }])
  const habit = row(page, 'Long run')
  await name(habit).click()
  await edit(habit).first().click()
  await box(page).press('Space')
  await time(page).press('Tab')
  for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
    await weekday(page, day).press('Space')
  // The last one stays.
  await expect(weekday(page, 'Sunday')).toHaveAttribute('aria-pressed', 'true')
  await weekday(page, 'Wednesday').press('Space')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).press('Enter')

  await question(page).getByRole('button', { name: 'Allow' }).click()
  await expect(question(page)).toContainText('Notifications from Daymark are blocked.')
  expect(await push.timesAsked()).toBe(1)
  await expectNoAxeViolations(page)
  await question(page).getByRole('button', { name: 'Close' }).click()
  await expect(habit).toContainText('09:00 on Wed and Sun')
  await page.reload()
  await expect(habit).toContainText('09:00 on Wed and Sun')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectFits(page)
    await expectNoAxeViolations(page)
  }

  await name(habit).click()
  await edit(habit).first().click()
  await expect(time(page)).toHaveValue('09:00')
  await box(page).uncheck()
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(habit).not.toContainText('09:00')
  await expect.poll(() => saidHabits(page)).toMatchObject([{ reminder: null }])
})

test('if reminders cannot arrive the settings say why, and offer mail if mail is set up', async ({
  page,
}) => {
  await signUpBehindTheScreens(page)
  const mail = { available: true, on: false }
  const chosen: unknown[] = []
  await page.route('**/api/reminders', async (route) => {
    if (route.request().method() === 'PATCH') {
      Object.assign(mail, { on: route.request().postDataJSON().mail })
      chosen.push(route.request().postDataJSON())
      return route.fulfill({ json: { mail: mail.on } })
    }
    return route.fulfill({ json: { public_key: 'key', mail, devices: [] } })
  })
  await page.addInitScript(() => {
    const how = localStorage.getItem('fake-reach') ?? 'insecure'
    Object.defineProperty(globalThis, 'isSecureContext', { get: () => how !== 'insecure' })
    if (how === 'unsupported') Reflect.deleteProperty(globalThis, 'PushManager')
    Object.defineProperty(Notification, 'permission', { get: () => how })
  })
  for (const [reach, words] of [
    ['insecure', 'Open Daymark at its https address'],
    ['unsupported', "This browser can't show reminders"],
    ['denied', 'Notifications from Daymark are blocked'],
  ] as const) {
    await page.goto('/settings')
    await page.evaluate((how) => localStorage.setItem('fake-reach', how), reach)
    await page.reload()
    await expect(card(page)).toContainText(words)
    await expect(card(page).getByRole('button')).toHaveCount(0)
  }
  const byMail = card(page).getByRole('checkbox', { name: 'Also by email' })
  await byMail.press('Space')
  await expect(byMail).toBeChecked()
  await expect.poll(() => chosen).toEqual([{ mail: true }])
  await page.reload()
  await expect(byMail).toBeChecked()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectFits(page)
  await expectNoAxeViolations(page)
  await page.unroute('**/api/reminders')
  await page.route('**/api/reminders', (route) => route.abort())
})

test('a server that sends no push reminders says so where they would be offered, and asks for nothing', async ({
  page,
}) => {
  const push = await fakePushService(page, 'default', 'granted')
  const mail = { available: true, on: false }
  await page.route('**/api/reminders', (route) =>
    route.fulfill({ json: { public_key: null, mail, devices: [] } }),
  )
  const words = "This server doesn't send push reminders."
  await openHabits(page)
  await addButton(page).click()
  await dialog(page).getByLabel('Habit Title').fill('Read 20 pages')
  await box(page).check()
  await expect(dialog(page)).toContainText(`${words} Turn on email reminders in Settings`)
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('button', { name: 'Add Habit' }).click()
  await expect(question(page)).toContainText(words)
  await expect(question(page).getByRole('button')).toHaveText(['Close'])
  await question(page).getByRole('button', { name: 'Close' }).click()
  expect(await push.timesAsked()).toBe(0)
  await page.goto('/settings')
  await expect(card(page)).toContainText(words)
  await expect(card(page).getByRole('button')).toHaveCount(0)
  await expect(card(page).getByRole('checkbox', { name: 'Also by email' })).toBeVisible()
  await expectFits(page)
  await expectNoAxeViolations(page)
})

test("signing out ends the reminders in this browser, and signing in again restores them; one person's answer never counts for another", async ({
  page,
}) => {
  const push = await fakePushService(page, 'default', 'granted')
  const maren = await signUpBehindTheScreens(page)
  await page.goto('/settings')
  await card(page).getByRole('button', { name: 'Allow reminders' }).press('Enter')
  await expect(devices(page)).toHaveCount(1)
  await signOut(page)
  expect(await push.subscribedWith()).toBeNull()

  await signUpBehindTheScreens(page, newPerson('Eskil'))
  await page.goto('/settings')
  await expect(card(page)).toContainText("Reminders aren't on for this device yet")
  expect(await push.subscribedWith(), 'what Maren wanted is not what Eskil wants').toBeNull()
  await signOut(page)

  await page.getByLabel('Email').fill(maren.email)
  await page.getByLabel('Password', { exact: true }).fill(maren.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/todos$/)
  await expect.poll(() => push.subscribedWith()).not.toBeNull()
  await page.goto('/settings')
  await expect(devices(page)).toContainText('This device')
})

test('a browser that the push service forgot subscribes again when its person allows it again', async ({
  page,
}) => {
  await fakePushService(page, 'default', 'granted')
  await signUpBehindTheScreens(page)
  const endpoints: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/api/reminders/devices'))
      endpoints.push(request.postDataJSON().endpoint)
  })
  await page.goto('/settings')
  const allow = card(page).getByRole('button', { name: 'Allow reminders' })
  await allow.press('Enter')
  await expect(devices(page)).toHaveCount(1)

  // As the server does when it learns that the endpoint is gone, and as the person does on another device.
  const { origin } = new URL(page.url())
  const said = await (await page.request.get('/api/reminders')).json()
  await page.request.delete(`/api/reminders/devices/${said.devices[0].id}`, { headers: { origin } })
  await page.reload()
  await expect(allow).toBeVisible()
  expect(endpoints, 'by itself it stays removed').toHaveLength(1)
  await allow.press('Enter')
  await expect(devices(page)).toContainText('This device')
  expect(endpoints).toHaveLength(2)
  expect(endpoints[1]).not.toBe(endpoints[0])
})

test('someone who blocked notifications and allows them in the browser gets reminders as soon as they return', async ({
  page,
}) => {
  const push = await fakePushService(page, 'default', 'denied')
  await signUpBehindTheScreens(page)
  await page.goto('/settings')
  await card(page).getByRole('button', { name: 'Allow reminders' }).press('Enter')
  await expect(card(page)).toContainText('Notifications from Daymark are blocked')
  await push.settle('granted')
  await expect(devices(page)).toContainText('This device')
})

test("the question takes no focus, stands until 'Not now' and never comes again; the dialog then says that no reminder arrives, and where to change that", async ({
  page,
}) => {
  await fakePushService(page, 'default', 'granted')
  await signUpBehindTheScreens(page)
  await page.goto('/todos')
  const field = page.getByPlaceholder('Add a new task...')
  await field.fill('Meeting at 17:00')
  await expect(page.locator('form').getByText('17:00', { exact: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Ring Dad about the party')
  await expect(question(page)).toContainText('Reminders can ring on this device.')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('Ring Dad about the party')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('checkbox', { name: 'Ring Dad about the party' })).toBeVisible()
  await expect(question(page)).toBeVisible()
  await expectFits(page)

  const nowhere = page.getByText("Reminders aren't on for any device yet.")
  const addReminded = async (title: string) => {
    await addButton(page).click()
    await dialog(page).getByLabel('Habit Title').fill(title)
    await expect(nowhere).toHaveCount(0)
    await box(page).check()
  }
  const save = () => dialog(page).getByRole('button', { name: 'Add Habit' }).click()
  await question(page).getByRole('button', { name: 'Not now' }).click()
  await expect(question(page)).toHaveCount(0)
  await page.goto('/habits')
  await addReminded('Write')
  await expect(nowhere).toBeVisible()
  await expectNoAxeViolations(page)
  await save()
  await expect(row(page, 'Write')).toBeVisible()
  await expect(question(page)).toHaveCount(0)

  await page.goto('/todos')
  const meeting = page.getByRole('listitem').filter({ hasText: 'Meeting' })
  await meeting.getByRole('button', { name: 'Due date and reminder' }).click()
  await expect(dialog(page)).toBeVisible()
  await dialog(page).getByRole('link', { name: 'Turn them on in Settings' }).click()
  await expect(card(page)).toContainText("Reminders aren't on for this device yet")
})

test('a question that nobody answered does not come again on the next day', async ({ page }) => {
  await fakePushService(page, 'default', 'granted')
  await openHabits(page)
  const addReminded = async (title: string) => {
    await addButton(page).click()
    await dialog(page).getByLabel('Habit Title').fill(title)
    await box(page).check()
    await dialog(page).getByRole('button', { name: 'Add Habit' }).click()
    await expect(row(page, title)).toBeVisible()
  }
  await addReminded('Read')
  await expect(question(page)).toBeVisible()
  await page.reload()
  await addReminded('Walk')
  await expect(question(page)).toHaveCount(0)
})

const question = (page: Page) => page.getByRole('region', { name: 'Reminders on this device' })

async function signOut(page: Page) {
  await userMenu(page).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
}
