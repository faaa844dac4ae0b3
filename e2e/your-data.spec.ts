import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Download, expect, type Page } from '@playwright/test'
import { newRowId } from '../src/platform/wire/ids/new-row-id.ts'
import { holdRequest } from './testing/connection/hold-request.ts'
import { expectNoAxeViolations } from './testing/looks/axe.ts'
import { expectNothingSticksOut } from './testing/looks/looks.ts'
import { newPerson, signUpBehindTheScreens, test } from './testing/person/person.ts'
import { daysAgo, type KeptHabit, keepHabits } from './testing/screens/habit-list.ts'
import {
  chooseFile,
  importButton,
  lineOf,
  preview,
  refusal,
  result,
  takeIn,
} from './testing/screens/imports.ts'
import { dayStart, openSettings, stored, theme } from './testing/screens/preferences.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Your data' })
const downloadButton = (page: Page) => card(page).getByRole('button', { name: 'Download' })
const outcome = (page: Page) => card(page).getByRole('status')
const problem = (page: Page) => card(page).getByRole('alert')
const preferencesToo = (page: Page) =>
  preview(page).getByRole('checkbox', { name: 'Also import preferences' })

interface Row {
  [field: string]: unknown
}

/** An export with this many tasks. */
function fileOf(tasks: number, changed: Row = {}) {
  const todos = Array.from({ length: tasks }, (_, place) => {
    const at = Date.parse('2026-01-01T08:00:00.000Z') + place * 60_000
    return {
      id: newRowId(at, randomBytes(10)),
      title: `Brought task ${place}`,
      completed: 0,
      completed_at: null,
      completed_on: null,
      created_at: new Date(at).toISOString(),
      updated_at: new Date(at).toISOString(),
    }
  })
  return {
    format: 'daymark',
    version: 1,
    exported_at: '2026-01-02T12:00:00.000Z',
    account: { name: 'Maren-Lind', email: 'maren@lindholm.example' },
    preferences: {
      time_zone: 'Asia/Tokyo',
      time_zone_follows_browser: false,
      day_start: 180,
      week_start: 7,
      theme: 'dark',
    },
    todos,
    habits: [],
    focus_sessions: [],
    ...changed,
  }
}

async function choose(page: Page, content: string | object) {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  await chooseFile(page, 'daymark.json', text)
}

async function contentOf(download: Download) {
  return JSON.parse(await readFile(await download.path(), 'utf8'))
}

async function ask(page: Page, method: string, path: string, data: object) {
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const response = await page.request.fetch(path, { method, data, headers: { origin } })
  expect(response.ok(), await response.text()).toBe(true)
}

const titles = async (page: Page): Promise<string[]> =>
  (await (await page.request.get('/api/todos')).json()).todos.map(({ title }: { title: string }) => title)

const habit: KeptHabit = { name: 'Read', start: daysAgo(9), done: [daysAgo(2), daysAgo(1), daysAgo(0)] }

test('exports, and an import into another account', async ({ page }) => {
  await openSettings(page)
  const list_id = newRowId(Date.now(), randomBytes(10))
  await ask(page, 'POST', '/api/lists', { id: list_id, name: 'Garden' })
  await ask(page, 'POST', '/api/todos', { title: '=Water, the plants', completed: 0, list_id })
  await ask(page, 'POST', '/api/focus', { duration: 1_500 })
  await keepHabits(page, [habit])

  await test.step('tasks, completions and focus sessions are exported as tables, and tasks as a calendar', async () => {
    const exported = async (format: string) => {
      const downloading = page.waitForEvent('download')
      await card(page).getByRole('button', { name: 'Export', exact: true }).press('Enter')
      const item = page.getByRole('menuitem', { name: format })
      await expect(item).toBeVisible()
      if (format === 'Tasks (CSV)') await expectNoAxeViolations(page)
      await item.press('Enter')
      const file = await downloading
      await expect(outcome(page)).toContainText(`Saved ${file.suggestedFilename()}: `)
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
    }
    const tasks = await exported('Tasks (CSV)')
    expect(tasks.name).toMatch(/^daymark-tasks-\d{4}-\d\d-\d\d\.csv$/)
    expect(tasks.text).toContain(`"'=Water, the plants",Garden,`)
    await expect(outcome(page)).toHaveText(/: 1 row\.$/)
    const completions = await exported('Habit completions (CSV)')
    expect(completions.text.trim().split('\r\n')).toEqual([
      'habit,day,state,amount,unit,note',
      ...(habit.done ?? []).map((day) => `Read,${day},done,,,`),
    ])
    const sessions = await exported('Focus sessions (CSV)')
    expect(sessions.text).toContain(',1500,')
    const calendar = await exported('Tasks (ICS)')
    expect(calendar.name).toMatch(/^daymark-tasks-.*\.ics$/)
    expect(calendar.text).toContain('SUMMARY:=Water\\, the plants\r\n')
    await expect(outcome(page)).toHaveText(/: 1 task\.$/)
  })

  await test.step('a download from one account is complete after importing it into a new one, streaks and all', async () => {
    await ask(page, 'POST', '/api/todos', { title: 'Water the plants', completed: 1, list_id })
    await ask(page, 'POST', '/api/todos', { title: 'Call Ove', completed: 0 })
    await ask(page, 'PATCH', '/api/preferences', { day_start: 180, theme: 'dark' })

    const downloading = page.waitForEvent('download')
    await downloadButton(page).click()
    const file = await downloading
    expect(file.suggestedFilename()).toMatch(/^daymark-\d{4}-\d\d-\d\d\.json$/)
    await expect(outcome(page)).toHaveText(
      /^Saved daymark-.*\.json: 1 list, 3 tasks, 1 habit with 3 completions, 1 focus session\.$/,
    )
    const content = await contentOf(file)
    expect(content).toMatchObject({
      format: 'daymark',
      version: 2,
      account: { name: 'Maren-Lind' },
      preferences: { day_start: 180, theme: 'dark' },
      lists: [{ id: list_id, name: 'Garden' }],
      habits: [{ name: 'Read', completions: habit.done }],
      focus_sessions: [{ duration: 1_500 }],
    })

    // A page of the app would go on to read for whom it was opened.
    await page.goto('/favicon.svg')
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
    await signUpBehindTheScreens(page, newPerson('Somebody-Else'))
    await page.goto('/settings')
    await expect(dayStart(page)).toHaveValue('0')
    await choose(page, content)
    await expect(lineOf(preview(page), 'New')).toHaveText(
      /^9New3 tasks, 1 list, 1 habit, 3 days, 1 focus session$/,
    )
    await expect(preview(page)).toContainText(
      `From Maren-Lind's account (${content.account.email}), exported on `,
    )
    await expect(preferencesToo(page)).toBeChecked()
    await takeIn(page)
    await expect(lineOf(result(page), 'Created')).toHaveText(/^9Created/)
    await expect(result(page)).toContainText('Your preferences were imported too.')
    // Without a reload: the lists that this device knew are read again.
    await expect(dayStart(page)).toHaveValue('180')
    await expect(theme(page, 'Dark')).toBeChecked()
    await page.getByRole('link', { name: 'Todos' }).click()
    await expect(page.getByRole('checkbox', { name: 'Water the plants' })).toBeChecked()
    await expect(page.getByRole('checkbox', { name: 'Call Ove' })).not.toBeChecked()
    await page.getByRole('link', { name: 'Habits' }).click()
    await expect(page.getByText('Current streak: 3 days')).toHaveCount(1)
  })
})

test('preferences that wait, and a file that is imported again', async ({ page }) => {
  await openSettings(page)

  await test.step('what waits on this device is sent before the download, so that the file contains it', async () => {
    const letGo = await holdRequest(page, '**/api/preferences', { method: 'PATCH' })
    await dayStart(page).selectOption('05:00')
    const downloading = page.waitForEvent('download')
    await downloadButton(page).click()
    await expect(card(page).getByRole('button', { name: 'Downloading...' })).toBeVisible()
    letGo()
    expect(await contentOf(await downloading)).toMatchObject({ preferences: { day_start: 300 } })
    await expect(outcome(page)).toHaveText(/^Saved daymark-.*\.json: your preferences\.$/)
    await page.unroute('**/api/preferences')
  })

  await test.step('importing a file again changes nothing, and keeps the chosen preferences', async () => {
    await ask(page, 'PATCH', '/api/preferences', { week_start: 6 })
    await page.reload()
    await expect(page.getByLabel('Week starts on')).toHaveValue('6')
    const file = fileOf(3)
    await choose(page, file)
    await expect(preferencesToo(page)).not.toBeChecked()
    await takeIn(page)
    await expect(lineOf(result(page), 'Created')).toHaveText('3Created3 tasks')
    expect((await stored(page)).week_start).toBe(6)

    await choose(page, file)
    await expect(lineOf(preview(page), 'Already here')).toContainText('3')
    await expect(preview(page)).toContainText('There is nothing to import in this file.')
    await preview(page).getByRole('button', { name: 'Close' }).click()
    await expect(preview(page)).toHaveCount(0)
    expect(await titles(page)).toHaveLength(3)

    await choose(page, fileOf(0, { todos: [...file.todos, ...fileOf(2).todos] }))
    await expect(lineOf(preview(page), 'New')).toHaveText('2New2 tasks')
    await preview(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(preview(page)).toHaveCount(0)
    expect(await titles(page)).toHaveLength(3)
  })
})

test('a wrong file, one by the keyboard, and one with long names', async ({ page }) => {
  await openSettings(page)

  await test.step('a wrong file is explained in plain words, and nothing of it is sent', async () => {
    const sent: string[] = []
    page.on('request', (request) => {
      // The list of earlier imports is read.
      if (request.url().includes('/api/import') && request.method() !== 'GET') sent.push(request.url())
    })
    const whole = JSON.stringify(fileOf(5))
    const wrong: [string | object, string | RegExp][] = [
      [whole.slice(0, -200), 'This file is incomplete: its end is missing. Download it again.'],
      [
        fileOf(1, { version: 3 }),
        /^This file uses version 3 of the format, but this version of Daymark only reads versions 1 and 2\./,
      ],
      [
        fileOf(1, { todos: [...fileOf(3).todos, { title: 'No more' }] }),
        /^This file is damaged: todos, number 4, id: /,
      ],
    ]
    for (const [content, words] of wrong) {
      await choose(page, content)
      await expect(refusal(page).getByRole('alert')).toHaveText(words)
      await expect(refusal(page)).toContainText('Settings → Your data → Download')
    }
    expect(sent).toEqual([])
    // The next file starts over.
    await choose(page, whole)
    await expect(lineOf(preview(page), 'New')).toHaveText('5New5 tasks')
    await preview(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(preview(page)).toHaveCount(0)
  })

  await test.step('works with the keyboard alone, with the focus where one expects it', async () => {
    // In time: the browser hands the file choice to the test only from here on.
    const choosing = page.waitForEvent('filechooser')
    await downloadButton(page).focus()
    await page.keyboard.press('Tab')
    await expect(card(page).getByRole('button', { name: 'Export', exact: true })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(importButton(page)).toBeFocused()
    await page.keyboard.press('Enter')
    const file = JSON.stringify(fileOf(1))
    await (await choosing).setFiles({
      name: 'daymark.json',
      mimeType: 'application/json',
      buffer: Buffer.from(file),
    })
    await expect(lineOf(preview(page), 'New')).toHaveText('1New1 task')
    await expect(preview(page)).toBeFocused()
    await preferencesToo(page).focus()
    await page.keyboard.press('Space')
    await expect(preferencesToo(page)).not.toBeChecked()
    await page.keyboard.press('Tab')
    await expect(preview(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(preview(page)).toHaveCount(0)
    await expect(importButton(page)).toBeFocused()
    await choose(page, file)
    await preview(page).getByRole('button', { name: 'Import 1 item' }).focus()
    await page.keyboard.press('Enter')
    await expect(result(page)).toBeFocused()
    await result(page).getByRole('button', { name: 'Done', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(importButton(page)).toBeFocused()
  })

  await test.step('fits a screen 320 px wide with text at twice the size, even with names of any length', async () => {
    await page.setViewportSize({ width: 320, height: 800 })
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    const account = { name: 'x'.repeat(30), email: `${'y'.repeat(200)}@lindholm.example` }
    await choose(page, fileOf(1, { account }))
    await expect(preview(page)).toBeVisible()
    await expectNothingSticksOut(page)
  })
})

test.describe('a failure', () => {
  test.use({ mayLog: /Failed to load resource|An import stopped|The download got no whole answer/ })
  const broken = {
    status: 500,
    json: { code: 'INTERNAL_ERROR', message: 'Something went wrong on the server.' },
  }

  test('of a download, of an import and of a change', async ({ page }) => {
    await openSettings(page)

    await test.step('of a download is shown, and nothing is saved', async () => {
      const saved: Download[] = []
      page.on('download', (download) => saved.push(download))
      await page.route('**/api/export', (route) => route.fulfill(broken))
      await downloadButton(page).click()
      await expect(problem(page)).toHaveText('Nothing was downloaded. Something went wrong on the server.')
      await page.unroute('**/api/export')
      await page.route('**/api/export', (route) => route.abort())
      await downloadButton(page).click()
      await expect(problem(page)).toHaveText(
        "Nothing was downloaded. The server isn't responding. Try again in a moment.",
      )
      expect(saved).toEqual([])
      await page.unroute('**/api/export')
    })

    await test.step('of an import shows how much was imported, and importing again continues from there', async () => {
      const file = fileOf(600)
      let pieces = 0
      await page.route('**/api/import', (route) => {
        pieces += 1
        return pieces === 2 ? route.fulfill(broken) : route.continue()
      })
      await choose(page, file)
      await takeIn(page)
      await expect(result(page).getByRole('alert')).toContainText('Something went wrong on the server.')
      const came = (await titles(page)).length
      expect(came).toBeGreaterThan(100)
      await expect(result(page)).toContainText(`Imported so far: ${came} of 600 items.`)

      await choose(page, file)
      await expect(lineOf(preview(page), 'Already here')).toContainText(String(came))
      await takeIn(page)
      await expect(lineOf(result(page), 'Created')).toContainText(`${600 - came} tasks`)
      expect(await titles(page)).toHaveLength(600)
      await page.unroute('**/api/import')
      await result(page).getByRole('button', { name: 'Done', exact: true }).click()
    })
  })

  test('what could not be sent yet is not in the file, and the card says so', async ({ page }) => {
    await openSettings(page)
    await page.route('**/api/preferences', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await dayStart(page).selectOption('05:00')
    const downloading = page.waitForEvent('download')
    await downloadButton(page).click()
    expect(await contentOf(await downloading)).toMatchObject({ preferences: { day_start: 0 } })
    await expect(outcome(page)).toContainText(
      "1 change made on this device isn't included, because it hasn't been sent yet.",
    )
  })
})
