import { expect, type Page } from '@playwright/test'
import { settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, inEveryLook } from './testing/looks/looks.ts'
import { call } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { kept, keptTodos, make } from './testing/screens/task-details.ts'
import { field, openTasks, row, titlesIn } from './testing/screens/todo-list.ts'

// What the field for a new task suggests after @, # and !.

test.use({ timezoneId: 'UTC' })

const list = (page: Page, name: 'Lists' | 'Tags' | 'Priorities') => page.getByRole('listbox', { name })
const options = (page: Page) => page.getByRole('option')
const said = (page: Page) => page.locator('form [role=status]')
const active = (page: Page) =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant')
    return id ? document.getElementById(id)?.textContent : null
  })

/** Somebody with lists, of which two have the same name, and tags. */
async function openField(page: Page): Promise<Record<'home' | 'first' | 'second', string>> {
  await signUpBehindTheScreens(page)
  await make(page, { title: 'Water the plants' })
  await make(page, { title: 'Post it', tags: ['errands', 'two words'] })
  const ids: string[] = []
  for (const [name, color] of [
    ['Home', 1],
    ['Garden', 2],
    ['Garden', 2],
  ] as const) {
    ids.push((await call(page, 'post', '/api/lists', { name, color })).list.id)
  }
  await page.goto('/todos')
  await row(page, 'Post it').waitFor()
  await settled(page)
  const [home = '', first = '', second = ''] = ids
  return { home, first, second }
}

async function type(page: Page, text: string): Promise<void> {
  await field(page).fill('')
  await field(page).focus()
  await page.keyboard.type(text)
}

test('what is suggested for a new task', async ({ page }) => {
  const { home, second } = await openField(page)

  await test.step('of two lists with one name both are suggested, told apart, and the chosen one is meant', async () => {
    await type(page, 'Sow beans @garden')
    await expect(options(page)).toHaveText(['GardenPlum, empty, 1 of 2', 'GardenPlum, empty, 2 of 2'])
    expect(await active(page), 'Enter would add the task').toBeNull()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    await expect(field(page)).toBeFocused()
    await expect(field(page)).toHaveValue('Sow beans @Garden ')
    await expect(page.getByRole('button', { name: 'Which list?' })).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect.poll(() => kept(page, 'Sow beans')).toMatchObject({ list_id: second })
  })

  await test.step('Enter takes the list whose beginning is typed, and only the next Enter adds the task', async () => {
    await type(page, 'Mow the lawn @ho')
    await expect(options(page)).toHaveText(['Home', 'New list “ho”'])
    await expect(field(page)).toHaveRole('combobox')
    await expect(field(page)).toHaveAttribute('aria-expanded', 'true')
    expect(await active(page)).toBe('Home')
    await expect(said(page)).toHaveText('2 suggestions')
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveValue('Mow the lawn @Home ')
    await expect(options(page)).toHaveCount(0)
    await expect(field(page)).not.toHaveRole('combobox')
    await page.keyboard.type('tomorrow')
    await page.keyboard.press('Enter')
    await expect.poll(() => kept(page, 'Mow the lawn')).toMatchObject({ list_id: home })
  })

  await test.step('# suggests the tags in use, ! the priorities; arrows and Tab take one', async () => {
    await type(page, 'Buy stamps #')
    await expect(list(page, 'Tags').getByRole('option')).toHaveText(['errands', 'two words'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await expect(field(page)).toHaveValue('Buy stamps #"two words" ')
    await page.keyboard.type('!')
    await expect(list(page, 'Priorities').getByRole('option')).toHaveText(['High', 'Medium', 'Low'])
    await page.keyboard.type('m')
    await expect.poll(() => active(page)).toBe('Medium')
    await page.keyboard.press('Tab')
    await expect(field(page)).toHaveValue('Buy stamps #"two words" !medium ')
    await page.keyboard.press('Enter')
    await expect.poll(() => kept(page, 'Buy stamps')).toMatchObject({ tags: ['two words'], priority: 2 })
  })

  await test.step('Escape closes the suggestions and keeps the draft with its chips, until the next word', async () => {
    await type(page, 'Call Ada tomorrow @ho')
    await expect(options(page)).toHaveCount(2)
    await page.keyboard.press('Escape')
    await expect(options(page)).toHaveCount(0)
    await expect(field(page)).toHaveValue('Call Ada tomorrow @ho')
    await expect(page.locator('form').getByText('Tomorrow', { exact: true })).toBeVisible()
    await page.keyboard.type('m')
    await expect(options(page)).toHaveCount(0)
    await page.keyboard.type(' #e')
    await expect(options(page)).toHaveText(['errands', 'New tag “e”'])
    await field(page).fill('')
  })

  await test.step('with nothing chosen Tab leads to the chips, and the focus elsewhere closes the suggestions', async () => {
    await type(page, 'Call Ada #phone @')
    await expect(options(page)).toHaveCount(3)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Keep #phone as text' })).toBeFocused()
    await expect(options(page)).toHaveCount(0)
    await page.keyboard.press('Backspace')
    await expect(field(page)).toBeFocused()
    await expect(page.getByRole('button', { name: 'Keep #phone as text' })).toHaveCount(0)
    await field(page).fill('')
  })

  await test.step('in the middle of the text only the word at the caret is replaced', async () => {
    await type(page, 'Mow @ tomorrow')
    for (const _ of ' tomorrow') await page.keyboard.press('ArrowLeft')
    await expect(options(page)).toHaveCount(3)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveValue('Mow @Home tomorrow')
    await page.keyboard.type('early ')
    await expect(field(page)).toHaveValue('Mow @Home early tomorrow')
    await field(page).fill('')
  })

  await test.step('a title from right to left keeps its direction, its date and its list', async () => {
    await type(page, 'לקנות חלב @ho')
    const [option, box] = [await options(page).first().boundingBox(), await field(page).boundingBox()]
    if (!option || !box) throw new Error('nothing is suggested')
    expect(option.x, 'below the word, at the end of the line').toBeGreaterThan(box.x + box.width / 3)
    expect(option.x + option.width).toBeLessThanOrEqual(box.x + box.width)
    await page.keyboard.press('Enter')
    await page.keyboard.type('tomorrow')
    await expect(page.locator('form').getByText('Tomorrow', { exact: true })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect.poll(() => kept(page, 'לקנות חלב')).toMatchObject({ list_id: home })
    await expect(row(page, 'לקנות חלב')).toContainText('Tomorrow')
  })

  await test.step('a new list and its task are one change: one Undo takes both back, one Redo brings them again', async () => {
    const before = (await keptTodos(page)).length
    await type(page, 'Oil the chain @bicy')
    await expect(options(page)).toHaveText(['New list “bicy”'])
    await page.keyboard.press('Enter')
    await expect(row(page, 'Oil the chain')).toContainText('bicy')
    await row(page, 'Oil the chain').getByRole('checkbox').focus()
    await page.keyboard.press('Control+z')
    await expect(row(page, 'Oil the chain')).toHaveCount(0)
    await expect(page.getByRole('link', { name: /^bicy/ })).toHaveCount(0)
    await expect.poll(async () => (await keptTodos(page)).length).toBe(before)
    await page.keyboard.press('Control+Shift+z')
    await expect(row(page, 'Oil the chain')).toContainText('bicy')
    await expect(page.getByRole('link', { name: /^bicy/ })).toBeVisible()
  })
})

test('suggestions that are not taken, and elsewhere', async ({ page, context }) => {
  const { home } = await openField(page)

  await test.step("an input method's Enter and Tab take nothing", async () => {
    await type(page, '庭 @')
    const session = await context.newCDPSession(page)
    await session.send('Input.imeSetComposition', { text: 'ga', selectionStart: 2, selectionEnd: 2 })
    await expect(options(page)).toHaveText([/^Garden/, /^Garden/, 'New list “ga”'])
    for (const key of ['Enter', 'Tab', 'ArrowDown'])
      await field(page).dispatchEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true })
    await expect(field(page)).toHaveValue('庭 @ga')
    await expect(openTasks(page).getByRole('checkbox')).toHaveCount(2)
    await session.send('Input.insertText', { text: 'gar' })
    await expect(field(page)).toHaveValue('庭 @gar')
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveValue('庭 @Garden ')
    await field(page).fill('')
  })

  await test.step('a word that is whole is no reason to take a second Enter', async () => {
    for (const [text, title] of [
      ['Mow @home', 'Mow'],
      ['Rake !high', 'Rake'],
      ['Sow #errands', 'Sow'],
      ['Wait !', 'Wait !'],
      ['Dig @bicycle', 'Dig'],
    ] as const) {
      await type(page, text)
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await titlesIn(openTasks(page)))[0]).toBe(title)
    }
    await expect.poll(() => kept(page, 'Mow')).toMatchObject({ list_id: home })
    await expect(page.getByRole('link', { name: /^bicycle/ })).toBeVisible()
  })

  await test.step('on the pages of a list, of a tag and of the day', async () => {
    for (const [path, prompt] of [
      [`/lists/${home}`, 'Add a task to Home...'],
      ['/tags/errands', 'Add a new task...'],
      ['/today', 'Add a task for today...'],
    ] as const) {
      if (path === '/tags/errands') await page.goto(path)
      else await page.getByRole('complementary').locator(`a[href="${path}"]`).click()
      const here = page.getByPlaceholder(prompt)
      await here.waitFor()
      await settled(page)
      await here.focus()
      await page.keyboard.type(`From ${path.slice(1, 5)} #two`)
      await expect(options(page)).toHaveText(['two words', 'New tag “two”'])
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
    }
    await expect.poll(() => kept(page, 'From list')).toMatchObject({ list_id: home, tags: ['two words'] })
    await expect.poll(() => kept(page, 'From tags')).toMatchObject({ tags: ['errands', 'two words'] })
    await expect.poll(() => kept(page, 'From toda')).toMatchObject({ tags: ['two words'] })
  })
})

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 800 } })

  test('a tap takes a suggestion, and the keyboard stays up', async ({ page }) => {
    await openField(page)
    await field(page).tap()
    await page.keyboard.type('Mow @')
    const home = page.getByRole('option', { name: 'Home' })
    await expect.poll(async () => (await home.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44)
    await home.tap()
    await expect(field(page)).toHaveValue('Mow @Home ')
    await expect(field(page)).toBeFocused()
  })
})

test('the suggestions fit every width and pass WCAG 2.2 AA in both themes', async ({ page }) => {
  await openField(page)
  for (const [text, count] of [
    ['Mow @', 3],
    ['Buy stamps #', 2],
    ['Call Ada tomorrow !', 3],
  ] as const) {
    await type(page, text)
    await expect(options(page)).toHaveCount(count)
    await page.keyboard.press('ArrowDown')
    await inEveryLook(page, [320, 1280], async ({ expectNoAxeViolations }) => {
      await expectNothingSticksOut(page)
      await expectNoAxeViolations()
    })
  }
  await page.setViewportSize({ width: 320, height: 800 })
  await page.addStyleTag({ content: 'html { font-size: 200% }' })
  await expectNothingSticksOut(page)
  await expect(options(page)).toHaveCount(3)
})
