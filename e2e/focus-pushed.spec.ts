import { expect } from '@playwright/test'
import { pushMessageOf } from '../src/features/reminders/reminder/push-message.ts'
import { pushedTo } from './testing/connection/pushes.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { button } from './testing/screens/focus-timer.ts'

test.use({ permissions: ['notifications'], timezoneId: 'UTC', serviceWorkers: 'allow' })

test('the end of a phase is shown, once: without a sound where a page in front of the person announces it by itself', async ({
  page,
  context,
}) => {
  await signUpBehindTheScreens(page)
  const { user } = await (await page.request.get('/api/auth/get-session')).json()
  await page.goto('/focus')
  await expect(button(page, 'Start')).toBeEnabled()
  const blank = await context.newPage()
  const pushed = await pushedTo(page, blank)
  const run = '01900000-0000-7000-8000-000000000001'
  const title = "Time's up! Great work!"
  const end = pushMessageOf(user.id, { kind: 'focus', id: run, title, body: 'Recorded 25 min.' })

  await page.bringToFront()
  await pushed.deliver(end)
  const shown = { title, body: 'Recorded 25 min.', actions: [] }
  await expect.poll(pushed.shown).toEqual([shown])
  expect(await pushed.silences()).toEqual([true])

  await page.goto('about:blank')
  await pushed.deliver(end)
  await expect.poll(pushed.silences).toEqual([false])
  expect(await pushed.shown()).toEqual([shown])
  await pushed.deliver(end)
  await expect.poll(pushed.shown).toHaveLength(1)
})
