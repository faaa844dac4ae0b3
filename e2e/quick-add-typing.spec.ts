import { expect, type Page } from '@playwright/test'
import { settled } from './testing/connection/settled.ts'
import { call } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { addButton, field, openList, openTasks, row } from './testing/screens/todo-list.ts'

// The field for a new task shows a letter before anything else follows from it: what comes right after a letter counts it all the same.

test.use({ timezoneId: 'UTC' })

interface Ahead {
  /** Letters taken back first. */
  back?: number
  text: string
  /** What follows before the letters can be drawn. */
  next: 'Enter' | 'Tab' | 'Escape' | 'reload' | 'press the first suggestion' | 'press Add' | 'submit'
}

/** Types in the field that has the focus, and goes on in the same turn, before any frame. */
function typeAhead(page: Page, ahead: Ahead): Promise<void> {
  return page.evaluate(({ back = 0, text, next }) => {
    for (let left = back; left > 0; left--) document.execCommand('delete')
    document.execCommand('insertText', false, text)
    const press = (selector: string) => document.querySelector<HTMLElement>(selector)?.click()
    if (next === 'reload') location.reload()
    else if (next === 'press the first suggestion') press('form [role=option]')
    else if (next === 'submit') document.activeElement?.closest('form')?.requestSubmit()
    else if (next === 'press Add') press('form [type=submit]')
    else {
      const key = { key: next, bubbles: true, cancelable: true }
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key))
    }
  }, ahead)
}

const overflow = (page: Page) =>
  field(page).evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
const height = async (page: Page) => (await field(page).boundingBox())?.height ?? 0

test('a letter typed just before a reload is kept', async ({ page }) => {
  await openList(page)
  await field(page).focus()
  await page.keyboard.type('Buy mil')
  await Promise.all([page.waitForEvent('load'), typeAhead(page, { text: 'k', next: 'reload' })])
  await expect(field(page)).toHaveValue('Buy milk')
})

test('Enter right after the last letter adds all that was typed', async ({ page }) => {
  await openList(page)
  await field(page).focus()

  await test.step('with the date that the last letters make', async () => {
    await page.keyboard.type('Buy milk tomo')
    await typeAhead(page, { text: 'rrow', next: 'Enter' })
    await expect(row(page, 'Buy milk')).toContainText('Tomorrow')
    await expect(field(page)).toHaveValue('')
  })

  await test.step('of an empty field as well, and by the button', async () => {
    await typeAhead(page, { text: 'Call Ada tomorrow', next: 'Enter' })
    await expect(row(page, 'Call Ada')).toContainText('Tomorrow')
    await page.keyboard.type('Call')
    await expect(addButton(page)).toBeEnabled()
    await typeAhead(page, { text: ' Ida tomorrow', next: 'press Add' })
    await expect(row(page, 'Call Ida')).toContainText('Tomorrow')
    await expect(openTasks(page).getByRole('checkbox')).toHaveCount(3)
  })

  await test.step('and by whatever else submits a form', async () => {
    await page.keyboard.type('C')
    await typeAhead(page, { text: 'all Ina tomorrow', next: 'submit' })
    await expect(row(page, 'Call Ina')).toContainText('Tomorrow')
  })

  await test.step('and Escape keeps what was typed last as text', async () => {
    await page.keyboard.type('Call Eva ')
    await typeAhead(page, { text: 'tomorrow', next: 'Escape' })
    await typeAhead(page, { text: '', next: 'Enter' })
    await expect(row(page, 'Call Eva tomorrow')).toBeVisible()
  })
})

test('a suggestion is taken for what was typed last', async ({ page }) => {
  await signUpBehindTheScreens(page)
  for (const name of ['Home', 'Garden']) await call(page, 'post', '/api/lists', { name, color: 1 })
  await page.goto('/todos')
  await settled(page)
  await field(page).focus()
  for (const next of ['Enter', 'Tab'] as const) {
    await page.keyboard.type('Mow @h')
    await expect(page.getByRole('option')).toHaveText(['Home', 'New list “h”'])
    await typeAhead(page, { back: 1, text: 'g', next })
    await expect(field(page)).toHaveValue('Mow @Garden ')
    await page.keyboard.type('early')
    await expect(field(page)).toHaveValue('Mow @Garden early')
    await field(page).fill('')
  }
  await page.keyboard.type('Mow @h')
  await expect(page.getByRole('option')).toHaveText(['Home', 'New list “h”'])
  await typeAhead(page, { text: 'o', next: 'press the first suggestion' })
  await expect(field(page)).toHaveValue('Mow @Home ')
})

test('a line break becomes a space, and the caret stays behind it', async ({ page }) => {
  await openList(page)
  await field(page).focus()
  await page.keyboard.type('Buymilk')
  for (const _ of 'milk') await page.keyboard.press('ArrowLeft')
  // As some keyboards of phones, and what is dropped into the field.
  await page.evaluate(() => document.execCommand('insertLineBreak'))
  await expect(field(page)).toHaveValue('Buy milk')
  await page.keyboard.type('fresh ')
  await expect(field(page)).toHaveValue('Buy fresh milk')
})

test('the field is as high as its text, letter by letter and in a narrower window', async ({ page }) => {
  await openList(page)
  await field(page).focus()
  const oneLine = await height(page)
  await page.keyboard.type('A title that is rather long, but has room in one line')
  await expect(page.locator('form').getByRole('button', { name: 'Due date' })).toBeVisible()
  expect(await height(page)).toBe(oneLine)
  await page.evaluate(() => {
    const around = document.querySelector<HTMLElement>('form textarea')?.parentElement
    if (around) around.style.width = '200px'
  })
  await expect.poll(() => height(page)).toBeGreaterThan(oneLine)
  await expect.poll(() => overflow(page)).toBe(0)
  const before = await height(page)
  await page.keyboard.type(', and then goes on over several more lines of it')
  await expect.poll(() => height(page)).toBeGreaterThan(before)
  await expect.poll(() => overflow(page)).toBe(0)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('B')
  await expect.poll(() => height(page)).toBe(oneLine)
})

test("the browser's own undo takes back what was typed, and its chips with it", async ({ page }) => {
  await openList(page)
  await field(page).focus()
  await page.keyboard.type('Buy milk')
  await field(page).press('End')
  await page.evaluate(() => document.execCommand('insertText', false, ' tomorrow'))
  const due = page.locator('form').getByText('Tomorrow', { exact: true })
  await expect(due).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(due).toHaveCount(0)
  await expect(field(page)).not.toHaveValue(/tomorrow/)
  await page.keyboard.press('Control+Shift+z')
  await expect(due).toBeVisible()
})
