import { randomBytes } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { newRowId } from '../src/platform/wire/ids/new-row-id.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { analyticsShown, card } from './testing/person/analytics-account.ts'
import { test } from './testing/person/person.ts'
import { addButton, daysAgo, dialog, openHabits, row } from './testing/screens/habit-list.ts'

test.use({ timezoneId: 'UTC' })

/** Calls the API as this person. Returns the response. */
async function call(page: Page, method: 'post' | 'get', path: string, data?: object) {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const response = await page.request[method](path, { ...(data && { data }), headers: { origin } })
  if (!response.ok()) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}

/** A session of today, at its first moments, which have passed whenever the test runs. */
const focusOn = (page: Page, seconds: number, about: { todo_id?: string; habit_id?: string }) =>
  call(page, 'post', '/api/focus', {
    kind: 'hand',
    duration: seconds,
    started_at: new Date(Date.parse(`${daysAgo(0)}T00:00:00Z`) - seconds * 1_000).toISOString(),
    ended_at: `${daysAgo(0)}T00:00:00.000Z`,
    days: [{ day: daysAgo(0), seconds }],
    ...about,
  })

test('the minutes of focus sessions', async ({ page }) => {
  await openHabits(page)

  await test.step('a habit that is timed gets the minutes of its focus sessions, as soon as they are recorded anywhere', async () => {
    await addButton(page).click()
    await dialog(page).getByLabel('Habit Title').fill('Write the novel')
    await dialog(page).getByRole('radio', { name: 'Time it' }).check()
    await dialog(page).getByLabel('Amount').fill('30')
    await expect(dialog(page).getByLabel('Unit')).toHaveCount(0)
    await expect(dialog(page).getByText('Focus sessions on this habit count automatically.')).toBeVisible()
    await expect(dialog(page).getByText('At least 30 minutes a day.')).toBeVisible()
    await expectNoAxeViolations(page)
    await dialog(page).getByRole('button', { name: 'Add Habit' }).click()
    const novel = row(page, 'Write the novel')
    await expect(novel.getByText('0 of 30 minutes')).toBeVisible()
    await expect.poll(async () => (await call(page, 'get', '/api/habits')).habits.length).toBe(1)

    const [{ id }] = (await call(page, 'get', '/api/habits')).habits
    await focusOn(page, 1_500, { habit_id: id })
    await expect(novel.getByText('25 of 30 minutes')).toBeVisible()
    await focusOn(page, 1_500, { habit_id: id })
    await expect(novel.getByText('50 of 30 minutes')).toBeVisible()
  })

  await test.step('analytics say what the focus time was about, by task and habit and by list, and details how much of the estimate', async () => {
    const ids = Array.from({ length: 3 }, () => newRowId(Date.now(), randomBytes(10)))
    const [list = '', todo = '', habit = ''] = ids
    await call(page, 'post', '/api/lists', { id: list, name: 'Work', color: 5, position: 'a0' })
    await call(page, 'post', '/api/todos', { id: todo, title: 'Draft the talk', list_id: list, estimate: 60 })
    await call(page, 'post', '/api/habits', {
      id: habit,
      name: 'Spanish',
      description: '',
      start_date: daysAgo(3),
    })
    await focusOn(page, 1_500, { todo_id: todo })
    await focusOn(page, 600, { habit_id: habit })
    await focusOn(page, 300, {})

    await page.getByRole('link', { name: 'Analytics' }).first().click()
    await analyticsShown(page)
    const about = card(page, 'What you focused on')
    await expect(about.getByRole('row')).toHaveText([
      /Task or habit/,
      /Write the novel.*50 min/,
      /Draft the talk.*25 min/,
      /Spanish.*10 min/,
      /No task or habit.*5 min/,
    ])
    await about.getByRole('radio', { name: 'Lists' }).check()
    await expect(about.getByRole('row')).toHaveText([
      /List/,
      /Habits.*1 h/,
      /Work.*25 min/,
      /No task or habit.*5 min/,
    ])
    await expectNoAxeViolations(page)

    await page.goto(`/analytics/focus?from=${daysAgo(1)}&to=${daysAgo(0)}`)
    await expect(page.getByRole('listitem').filter({ hasText: 'Draft the talk' })).toContainText('25 min')

    await page.goto(`/todos?task=${todo}`)
    await expect(page.getByRole('button', { name: /^Estimate ?: 25 of 60 min focused$/ })).toBeVisible()
  })
})
