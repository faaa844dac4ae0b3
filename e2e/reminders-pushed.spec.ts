import { expect, type Page } from '@playwright/test'
import { pushMessageOf, testMessageOf } from '../src/features/reminders/reminder/push-message.ts'
import { daySchema } from '../src/platform/calendar/day.ts'
import { pushedTo } from './testing/connection/pushes.ts'
import { signOutBehindTheScreens, signUpBehindTheScreens, test } from './testing/person/person.ts'
import { daysAgo, keepHabits, row, saidHabits, tick } from './testing/screens/habit-list.ts'
import { userMenu } from './testing/screens/settings.ts'

test.use({ permissions: ['notifications'], timezoneId: 'UTC', serviceWorkers: 'allow' })

test("a pushed reminder is shown, and 'Done' and 'Remind me in 30 min' work from it, even without an open tab; offline or after a sign-out it says what was not saved", async ({
  page,
  context,
}) => {
  await signUpBehindTheScreens(page)
  await keepHabits(page, [{ name: 'Read' }, { name: 'Walk' }, { name: 'Stretch' }])
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const added = await page.request.post('/api/todos', {
    data: { title: 'Send invoice', completed: 0 },
    headers: { origin },
  })
  const { todo } = await added.json()
  const { user } = await (await page.request.get('/api/auth/get-session')).json()
  const day = daySchema.parse(daysAgo(0))
  const said = await (await page.request.get('/api/habits')).json()
  const habit = (name: string) => {
    const { id } = said.habits.find((each: { name: string }) => each.name === name)
    const until = Date.parse(day) + 86_400_000
    const about = { asks: 'day', isLimit: false, soFar: null, day, today: day, lastDay: day, until } as const
    return pushMessageOf(user.id, { kind: 'habit', id, title: name, ...about })
  }

  const worker = await page.request.get('/service-worker.js')
  expect(worker.headers()['cache-control'], 'another build is noticed').toBe('no-cache')

  await page.goto('/habits')
  await expect(row(page, 'Read')).toBeVisible()
  const blank = await context.newPage()
  const pushed = await pushedTo(page, blank)

  await pushed.deliver(habit('Read'))
  const shown = { title: 'Read', body: 'Not done yet today', actions: ['Done', 'Remind me in 30 min'] }
  await expect.poll(pushed.shown).toEqual([shown])
  await pushed.deliver(habit('Read'))
  await pushed.deliver(testMessageOf(user.id, 'device'))
  const test = {
    title: 'Reminders work on this device',
    body: 'This is what a reminder looks like.',
    actions: [],
  }
  // One of each: a repeated notification replaces the previous one.
  await expect.poll(pushed.shown).toHaveLength(2)
  expect(await pushed.shown()).toEqual(expect.arrayContaining([shown, test]))
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    for (const each of await registration.getNotifications({ tag: 'test' })) each.close()
  })
  await pushed.press('Done')
  expect(await pushed.shown()).toEqual([])
  await expect(tick(row(page, 'Read')), 'in the open tab, at once').toBeChecked()

  await pushed.deliver(
    pushMessageOf(user.id, { kind: 'todo', id: todo.id, title: todo.title, dueDay: null, today: day }),
  )
  await expect.poll(pushed.shown).toHaveLength(1)
  await pushed.press('Remind me in 30 min')
  const [{ remind_at }] = (await (await page.request.get('/api/todos')).json()).todos
  const minutes = (Date.parse(remind_at) - Date.now()) / 60_000
  expect(Math.round(minutes)).toBe(30)

  await pushed.deliver('{')
  await expect.poll(pushed.shown).toMatchObject([{ title: 'A reminder from Daymark' }])
  await pushed.press()
  await expect(page, 'a tab that is open goes to what was pressed').toHaveURL(/\/todos$/)

  await page.close()
  await pushed.deliver(habit('Walk'))
  await expect.poll(pushed.shown).toHaveLength(1)
  await context.setOffline(true)
  await pushed.press('Done')
  expect(await pushed.shown()).toEqual([
    {
      title: 'Walk',
      body: "Not saved: Daymark can't be reached. Try again.",
      actions: ['Done', 'Remind me in 30 min'],
    },
  ])
  await context.setOffline(false)
  await pushed.press('Done')
  expect(await pushed.shown()).toEqual([])
  const completed = (await saidHabits(blank)).map(({ name, completed }) => [name, completed])
  expect(completed).toEqual([
    ['Read', true],
    ['Walk', true],
    ['Stretch', false],
  ])

  await pushed.deliver(habit('Stretch'))
  await expect.poll(pushed.shown).toHaveLength(1)
  await signOutBehindTheScreens(blank)
  await pushed.press('Done')
  expect(await pushed.shown()).toEqual([
    {
      title: 'Stretch',
      body: "Not saved: you're signed out on this device. Open Daymark to sign in.",
      actions: [],
    },
  ])
})

const twoActions = ['Done', 'Remind me in 30 min']

test('nobody is reminded of what is done: a notification closes when it is done in the app, and a late one is not shown', async ({
  page,
}) => {
  const { habit, todo } = await someoneReminded(page, ['Read', 'Walk', 'Stretch'])
  const pushed = await pushedTo(page, page)

  await pushed.deliver(habit('Read'))
  await pushed.deliver(habit('Walk'))
  await expect.poll(pushed.shown).toHaveLength(2)
  await tick(row(page, 'Read')).click()
  const walk = { title: 'Walk', body: 'Not done yet today', actions: twoActions }
  await expect.poll(pushed.shown).toEqual([walk])

  await post(page, `/api/habits/${habit('Walk').id}/complete`, {})
  await pushed.deliver(habit('Walk'))
  await expect.poll(pushed.shown).toEqual([{ title: 'Walk', body: 'Already done', actions: [] }])

  const ended = { until: new Date(Date.now() - 60_000).toISOString(), endedBody: 'Was not done yesterday' }
  await pushed.deliver({ ...habit('Stretch'), ...ended })
  await expect
    .poll(pushed.shown)
    .toContainEqual({ title: 'Stretch', body: 'Was not done yesterday', actions: ['Done'] })
  await pushed.deliver({
    ...habit('Stretch'),
    ...ended,
    until: new Date(Date.now() + 3_600_000).toISOString(),
  })
  await expect
    .poll(pushed.shown)
    .toContainEqual({ title: 'Stretch', body: 'Not done yet today', actions: twoActions })

  await pushed.deliver(todo)
  await expect
    .poll(pushed.shown)
    .toContainEqual({ title: 'Send invoice', body: 'On your list', actions: twoActions })
  await page.goto('/todos')
  await page.getByRole('checkbox', { name: 'Send invoice' }).click()
  await expect
    .poll(async () => (await pushed.shown()).map(({ title }) => title))
    .not.toContain('Send invoice')
  await expect
    .poll(async () => (await (await page.request.get('/api/todos')).json()).todos)
    .toMatchObject([{ completed: 1 }])
  await pushed.deliver(todo)
  await expect.poll(pushed.shown).toContainEqual({ title: 'Send invoice', body: 'Already done', actions: [] })
})

test('signing out leaves no notification that says what the person does, and nobody who signs in later reads their titles', async ({
  page,
}) => {
  const { habit } = await someoneReminded(page, ['Read'])
  const pushed = await pushedTo(page, page)
  await pushed.deliver(habit('Read'))
  await expect.poll(pushed.shown).toHaveLength(1)
  await userMenu(page).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  expect(await pushed.shown()).toEqual([])

  const nameless = { title: 'A reminder from Daymark', body: 'Sign in to see it.', actions: [] }
  await pushed.deliver(habit('Read'))
  await expect.poll(pushed.shown).toEqual([nameless])
  await signUpBehindTheScreens(page)
  await pushed.deliver({ ...habit('Read'), id: 'another' })
  await expect.poll(pushed.shown).toEqual([nameless, nameless])
})

test('a browser that drops its subscription subscribes again, and does not report it by itself', async ({
  page,
}) => {
  await someoneReminded(page, [])
  await pushedTo(page, page)
  const [worker] = page.context().serviceWorkers()
  const seen = await worker?.evaluate(`(async () => {
    const event = new PushSubscriptionChangeEvent('pushsubscriptionchange')
    const seen = { subscribedWith: undefined, asked: [] }
    let work
    Object.defineProperty(event, 'waitUntil', { value: (promise) => { work = promise } })
    Object.defineProperty(event, 'oldSubscription', { value: { options: { userVisibleOnly: true } } })
    registration.pushManager.subscribe = async (options) => {
      seen.subscribedWith = options
      return { toJSON: () => ({}) }
    }
    self.fetch = async (path) => {
      seen.asked.push(path)
      return new Response()
    }
    dispatchEvent(event)
    await work
    return seen
  })()`)
  expect(seen).toEqual({ subscribedWith: { userVisibleOnly: true }, asked: [] })
})

/** With habits, a to-do, and the service worker of a browser that gets reminders. */
async function someoneReminded(page: Page, names: string[]) {
  await signUpBehindTheScreens(page)
  await keepHabits(
    page,
    names.map((name) => ({ name })),
  )
  const added = await post(page, '/api/todos', { title: 'Send invoice', completed: 0 })
  const { user } = await (await page.request.get('/api/auth/get-session')).json()
  const { habits } = await (await page.request.get('/api/habits')).json()
  const day = daySchema.parse(daysAgo(0))
  await page.goto('/habits')
  await page.evaluate(() => navigator.serviceWorker.register('/service-worker.js'))
  return {
    habit(name: string) {
      const { id } = habits.find((each: { name: string }) => each.name === name)
      const until = Date.parse(day) + 86_400_000
      const about = {
        asks: 'day',
        isLimit: false,
        soFar: null,
        day,
        today: day,
        lastDay: day,
        until,
      } as const
      return pushMessageOf(user.id, { kind: 'habit', id, title: name, ...about })
    },
    todo: pushMessageOf(user.id, {
      kind: 'todo',
      id: added.todo.id,
      title: 'Send invoice',
      dueDay: null,
      today: day,
    }),
  }
}

async function post(page: Page, path: string, data: object) {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  return (await page.request.post(path, { data, headers: { origin } })).json()
}
