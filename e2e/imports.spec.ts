import { expect, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, inEveryLook } from './testing/looks/looks.ts'
import { test } from './testing/person/person.ts'
import {
  chooseFile,
  importButton,
  lineOf,
  pastImports,
  preview,
  refusal,
  result,
  takeIn,
  writing,
  yourData,
} from './testing/screens/imports.ts'
import { openSettings } from './testing/screens/preferences.ts'

const header = 'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE'
const row = (content: string, { priority = 4, indent = 1, date = '' } = {}) =>
  `task,${content},,${priority},${indent},Maren (1),,${date},en,Europe/Berlin`

/** A project as Todoist exports it. */
const todoist = (...rows: string[]) => `\uFEFF${[header, ...rows].join('\r\n')}\r\n`

const home = todoist(
  row('Water the plants', { date: 'every day' }),
  row('Book the ferry', { priority: 1 }),
  row('Find the passports', { indent: 2 }),
  row('Watch the moon', { date: 'every blue moon' }),
)

/** Another project, with a row that comes changed like that of the first. */
const project = (name: string) =>
  todoist(row(`${name} 1`), row(`${name} 2`), row(`${name} 3`), row(`${name} 4`, { date: 'every blue moon' }))

const chooseTodoist = (page: Page, content = home) => chooseFile(page, 'Home.csv', content)

async function cancel(page: Page) {
  await preview(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(preview(page)).toHaveCount(0)
}

const titles = async (page: Page): Promise<string[]> =>
  (await (await page.request.get('/api/todos')).json()).todos.map(({ title }: { title: string }) => title)

test('what is said of a file before it is imported', async ({ page }) => {
  await openSettings(page)

  await test.step('can be cancelled while it compares, and nothing is written', async () => {
    const letGo = await holdRequest(page, '**/api/import/preview', { method: 'POST' })
    await chooseTodoist(page)
    await expect(preview(page).getByRole('progressbar')).toBeVisible()
    await preview(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(preview(page)).toHaveCount(0)
    await expect(importButton(page)).toBeFocused()
    letGo()
    expect(await titles(page)).toEqual([])
    await page.unroute('**/api/import/preview')
  })

  await test.step('a file that nobody knows is refused with what can be imported instead', async () => {
    await chooseFile(page, 'letter.bin', Buffer.from([0, 1, 2, 3, 255, 254, 0, 9]))
    await expect(refusal(page).getByRole('alert')).not.toBeEmpty()
    await expect(refusal(page)).toContainText('What can be imported, and how to export it')
    await expect(refusal(page)).toContainText('Loop Habit Tracker')
    await refusal(page).getByRole('button', { name: 'Close' }).click()
    await expect(importButton(page)).toBeFocused()
  })

  await test.step('a file can be dropped anywhere on the page', async () => {
    const dropped = await page.evaluateHandle((content) => {
      const data = new DataTransfer()
      data.items.add(new File([content], 'Home.csv'))
      return data
    }, home)
    const heading = page.getByRole('heading', { name: 'Settings' })
    await heading.dispatchEvent('dragover', { dataTransfer: dropped })
    await expect(page.getByText('Drop the file to import it')).toBeVisible()
    await heading.dispatchEvent('drop', { dataTransfer: dropped })
    await expect(page.getByText('Drop the file to import it')).toHaveCount(0)
    await expect(preview(page)).toContainText('Home.csv, 4 rows')
    await expect(preview(page)).toBeFocused()
    await cancel(page)
  })

  await test.step('asks what the columns of a table mean, and shows what they hold', async () => {
    await chooseFile(
      page,
      'table.csv',
      'Task;When;Project\nWater the plants;2031-11-28;Garden\nCall Ove;;Home\n',
    )
    await expect(preview(page).getByLabel('Title', { exact: true })).toHaveValue('Task')
    await expect(preview(page)).toContainText('Water the plants · Call Ove')
    await preview(page).getByLabel('Due date', { exact: true }).selectOption('When')
    await expect(preview(page)).toContainText('2031-11-28')
    await preview(page).getByRole('button', { name: 'Continue' }).click()
    await expect(lineOf(preview(page), 'New')).toContainText('2 tasks; and 2 lists made from their names')
    await expect(preview(page)).toContainText('28 Nov 2031')
    await cancel(page)
  })

  await test.step('asks once for the zone of days that have none, with examples that follow the answer', async () => {
    const completions = [16, 17, 18, 19, 20].map((day) => `2026-10-${day}T22:30:00.000Z`)
    const habit = {
      id: 'a',
      name: 'Read',
      description: '',
      frequency: 'FREQ=DAILY',
      coinReward: 1,
      completions,
    }
    await chooseFile(page, 'habits.json', JSON.stringify({ habits: [habit] }))
    const examples = preview(page).getByRole('list', { name: 'Examples' }).getByRole('listitem')
    await expect(examples).toHaveCount(5)
    const before = await examples.allTextContents()
    await preview(page)
      .getByRole('button', { name: /time zone/ })
      .click()
    await page.getByRole('combobox', { name: 'Search time zones' }).fill('Tokyo')
    await page.getByRole('option', { name: /Tokyo/ }).click()
    await expect.poll(() => examples.allTextContents()).not.toEqual(before)
    await expect(examples).toHaveCount(5)
    await preview(page).getByRole('button', { name: 'Continue' }).click()
    await expect(lineOf(preview(page), 'New')).toContainText('5 days')
    await cancel(page)
  })

  await test.step('long lists of rows come in pieces', async () => {
    await chooseTodoist(page, todoist(...Array.from({ length: 120 }, (_, place) => row(`Task ${place}`))))
    const line = lineOf(preview(page), 'New')
    await line.getByRole('button').first().click()
    await expect(line.getByText('Line 51', { exact: true })).toBeVisible()
    await expect(line.getByText('Line 52', { exact: true })).toHaveCount(0)
    await line.getByRole('button', { name: 'Show 50 more of 70' }).click()
    await line.getByRole('button', { name: 'Show 20 more of 20' }).click()
    await expect(line.getByText('Line 121', { exact: true })).toBeVisible()
    await cancel(page)
  })

  await test.step('shows what a file would bring, writes it after a press, and takes it back', async () => {
    const written: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/import')) written.push(request.url())
    })
    await chooseTodoist(page)
    await expect(preview(page)).toContainText('Home.csv, 4 rows')
    await expect(lineOf(preview(page), 'New')).toContainText('3')
    await expect(lineOf(preview(page), 'Already here')).toContainText('0')
    await expect(lineOf(preview(page), 'Come changed')).toContainText('1')
    await expect(lineOf(preview(page), 'Cannot come')).toContainText('0')
    await expect(preview(page)).toContainText('Three of the 4, as they will look')
    await expect(preview(page)).toContainText('Nothing has been written yet.')
    await lineOf(preview(page), 'Come changed').getByRole('button').click()
    await expect(lineOf(preview(page), 'Come changed').getByText('Line 5')).toBeVisible()
    await expect(lineOf(preview(page), 'Come changed').getByText('Watch the moon')).toBeVisible()
    expect(written).toEqual([])
    expect(await titles(page)).toEqual([])

    await preview(page).getByRole('button', { name: 'Import 4 items' }).click()
    await expect(lineOf(result(page), 'Created')).toContainText('3')
    await expect(lineOf(result(page), 'Came changed')).toContainText('1')
    expect((await titles(page)).toSorted()).toEqual([
      'Book the ferry',
      'Find the passports',
      'Watch the moon',
      'Water the plants',
    ])

    await expect(pastImports(page)).toHaveCount(1)
    await expect(pastImports(page)).toContainText('Todoist')
    await pastImports(page).getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo Import' }).click()
    await expect(pastImports(page)).toContainText('undone the same day')
    await expect(pastImports(page).getByRole('button', { name: 'Undo' })).toHaveCount(0)
    expect(await titles(page)).toEqual([])
  })
})

test('imports of one file after another', async ({ page }) => {
  await openSettings(page)

  await test.step('the same file again is here already, and what was changed since stays when it is undone', async () => {
    await chooseTodoist(page)
    await takeIn(page)
    await result(page).getByRole('button', { name: 'Done', exact: true }).click()
    await chooseTodoist(page)
    await expect(lineOf(preview(page), 'Already here')).toContainText('4')
    await expect(preview(page)).toContainText('There is nothing to import in this file.')
    await preview(page).getByRole('button', { name: 'Close' }).click()

    const { todos } = await (await page.request.get('/api/todos')).json()
    const moon = todos.find(({ title }: { title: string }) => title === 'Watch the moon')
    const { origin } = new URL(page.url())
    const changed = await page.request.put(`/api/todos/${moon.id}/edit`, {
      data: { title: 'Watch the full moon' },
      headers: { origin },
    })
    expect(changed.ok(), await changed.text()).toBe(true)
    await pastImports(page).getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo Import' }).click()
    await expect(pastImports(page)).toContainText('Kept: 1 list, 1 task, changed after the import')
    expect(await titles(page)).toEqual(['Watch the full moon'])
    // A dialog that closes gives the focus back.
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await settled(page)
  })

  await test.step('works with the keyboard alone', async () => {
    await chooseFile(page, 'Garden.csv', project('Garden'))
    // Each of its steps takes the focus when it comes.
    await expect(lineOf(preview(page), 'New')).toBeVisible()
    await settled(page)
    await expect(preview(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(preview(page).getByRole('button', { name: 'Choose another file' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(lineOf(preview(page), 'New').getByText('Line 2')).toBeVisible()
    await preview(page)
      .getByRole('button', { name: /^Import 4/ })
      .focus()
    await page.keyboard.press('Enter')
    await expect(result(page)).toBeFocused()
    await result(page).getByRole('button', { name: 'Done', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(importButton(page)).toBeFocused()
  })

  await test.step('goes on while the person is on another page, where a toast tells the result', async () => {
    await chooseFile(page, 'Office.csv', project('Office'))
    const letGo = await holdRequest(page, '**/api/import', { method: 'POST' })
    await preview(page)
      .getByRole('button', { name: /^Import 4/ })
      .click()
    await expect(writing(page).getByRole('progressbar', { name: 'Importing' })).toBeVisible()
    await page.getByRole('link', { name: 'Todos', exact: true }).click()
    letGo()
    await expect(page.getByText('Import finished')).toBeVisible()
    await expect(page.getByText('3 created, 0 already here, 1 came changed, 0 left out')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Office 1' })).toBeVisible()
    // Whoever comes back finds the result.
    await page.goBack()
    await expect(result(page)).toContainText('Office.csv, 4 rows')
  })
})

test('imports in every look', async ({ page }) => {
  await openSettings(page)

  await test.step('passes WCAG 2.2 AA at 360 and 1280 px, in both themes', async () => {
    const judge = () =>
      inEveryLook(page, [360, 1280], async (look) => {
        // Wherever the card has scrolled to, the top bar would cover half of a control.
        await page.evaluate(() => scrollTo(0, 0))
        await look.expectNoAxeViolations()
      })
    await yourData(page)
      .getByRole('button', { name: /^What can be imported/ })
      .click()
    await chooseTodoist(page)
    await lineOf(preview(page), 'Come changed').getByRole('button').click()
    await judge()
    const letGo = await holdRequest(page, '**/api/import', { method: 'POST' })
    await preview(page)
      .getByRole('button', { name: /^Import 4/ })
      .click()
    await expect(writing(page).getByRole('progressbar', { name: 'Importing' })).toBeVisible()
    await judge()
    letGo()
    await expect(result(page)).toBeVisible()
    await expect(pastImports(page)).toHaveCount(1)
    await judge()
    await chooseFile(page, 'letter.bin', Buffer.from([0, 1, 2, 3, 255, 254, 0, 9]))
    await expect(refusal(page)).toBeVisible()
    await judge()
    await refusal(page).getByRole('button', { name: 'Close' }).click()
    await page.unroute('**/api/import')
    await page.emulateMedia({ colorScheme: 'light' })
  })

  await test.step('fits a screen 320 px wide with text at twice the size', async () => {
    await page.setViewportSize({ width: 320, height: 800 })
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    await chooseTodoist(
      page,
      todoist(row('x'.repeat(300)), row('Watch the stars', { date: 'every blue moon' })),
    )
    await lineOf(preview(page), 'Come changed').getByRole('button').click()
    await expectNothingSticksOut(page)
    await takeIn(page)
    await expect(pastImports(page)).toHaveCount(2)
    await expectNothingSticksOut(page)
    await chooseFile(page, `${'y'.repeat(120)}.bin`, Buffer.from([0, 1, 2, 3, 255, 254, 0, 9]))
    await expect(refusal(page)).toBeVisible()
    await expectNothingSticksOut(page)
  })
})
