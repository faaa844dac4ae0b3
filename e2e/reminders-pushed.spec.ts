import { expect } from '@playwright/test'
import { pushMessageOf, testMessageOf } from '../src/features/reminders/push-message.ts'
import { daySchema } from '../src/platform/calendar/day.ts'
import { daysAgo, keepHabits, row, saidHabits, tick } from './habit-list.ts'
import { signOutBehindTheScreens, signUpBehindTheScreens, test } from './person.ts'
import { pushedTo } from './pushes.ts'

test.use({ permissions: ['notifications'], timezoneId: 'UTC' })

test("a reminder is shown where it was pushed to, and 'Done' and 'In 30 minutes' work from it, also with no tab open; without a connection, or after a sign-out, it says what was not saved", async ({
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
    const about = { frequency: 'daily', day, today: day, lastDay: day, until } as const
    return pushMessageOf(user.id, { kind: 'habit', id, title: name, ...about })
  }

  const worker = await page.request.get('/service-worker.js')
  expect(worker.headers()['cache-control'], 'another build is noticed').toBe('no-cache')

  await page.goto('/habits')
  await expect(row(page, 'Read')).toBeVisible()
  const blank = await context.newPage()
  const pushed = await pushedTo(page, blank)

  await pushed.deliver(habit('Read'))
  const shown = { title: 'Read', body: 'Not done yet today', actions: ['Done', 'In 30 minutes'] }
  await expect.poll(pushed.shown).toEqual([shown])
  await pushed.deliver(habit('Read'))
  await pushed.deliver(testMessageOf(user.id, 'device'))
  const test = { title: 'Reminders arrive here', body: 'This is how Daymark reminds you.', actions: [] }
  // One of each: what is said again takes the place of what was said.
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
  await pushed.press('In 30 minutes')
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
      body: 'Not saved: Daymark cannot be reached. Try again.',
      actions: ['Done', 'In 30 minutes'],
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

  await signOutBehindTheScreens(blank)
  await pushed.deliver(habit('Stretch'))
  await expect.poll(pushed.shown).toHaveLength(1)
  await pushed.press('Done')
  expect(await pushed.shown()).toEqual([
    {
      title: 'Stretch',
      body: 'Not saved: you are signed out on this device. Open Daymark to sign in.',
      actions: [],
    },
  ])
})
