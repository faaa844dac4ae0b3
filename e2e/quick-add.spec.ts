import { expect, type Page } from '@playwright/test'
import { settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, inEveryLook } from './testing/looks/looks.ts'
import { call } from './testing/person/given-tasks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { kept, keptTodos, make } from './testing/screens/task-details.ts'
import { field, openList, openTasks, row, titlesIn, toasts } from './testing/screens/todo-list.ts'

// What is typed into the field for a new task, beside its title.

test.use({ timezoneId: 'UTC' })

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const chip = (page: Page, text: string) => page.locator('form').getByText(text, { exact: true })
const takeBack = (page: Page, name: string | RegExp) => page.locator('form').getByRole('button', { name })
const marks = (page: Page) => page.locator('form [aria-hidden] span.bg-heat-0').allTextContents()

test('what is typed beside the title of a task', async ({ page }) => {
  await openList(page, { open: ['Water the plants'] })

  await test.step('words become chips while they are typed, and one press adds it all', async () => {
    await field(page).fill('Buy milk tomorrow at 9am #errands !high')
    await expect(chip(page, 'Tomorrow')).toBeVisible()
    await expect(chip(page, '09:00')).toBeVisible()
    await expect(chip(page, 'errands')).toBeVisible()
    await expect(chip(page, 'High')).toBeVisible()
    expect(await marks(page)).toEqual(['tomorrow', 'at 9am', '#errands', '!high'])
    await field(page).press('Enter')
    await expect(row(page, 'Buy milk')).toContainText('Tomorrow')
    await expect(row(page, 'Buy milk')).toContainText('#errands')
    await expect(row(page, 'Buy milk')).toContainText('High')
    await expect(field(page)).toHaveValue('')
    await expect
      .poll(() => kept(page, 'Buy milk'))
      .toMatchObject({
        due_day: dayIn(1),
        tags: ['errands'],
        priority: 3,
        reminder: { days_before: 0, time: 540 },
      })
  })

  await test.step('a repeat is read, and one Undo takes the whole task back', async () => {
    await field(page).fill('Stretch every 3 days')
    await expect(chip(page, 'Every 3 days')).toBeVisible()
    await field(page).press('Enter')
    await expect(row(page, 'Stretch')).toContainText('Every 3 days')
    await expect
      .poll(() => kept(page, 'Stretch'))
      .toMatchObject({ due_day: dayIn(0), repeat: { freq: 'day', every: 3, mode: 'due', from: dayIn(0) } })
    await row(page, 'Stretch').getByRole('checkbox').focus()
    await settled(page)
    await page.keyboard.press('Control+z')
    await expect(row(page, 'Stretch')).toHaveCount(0)
  })

  await test.step('what is taken back stays in the title, and is not read again in this draft', async () => {
    const before = await titlesIn(openTasks(page))
    await field(page).fill('Watch it friday')
    await takeBack(page, 'Keep the date as text').click()
    await expect(takeBack(page, 'Keep the date as text')).toHaveCount(0)
    await expect(field(page)).toBeFocused()
    await field(page).press('End')
    await page.keyboard.type(' ')
    await expect(takeBack(page, 'Keep the date as text')).toHaveCount(0)
    await field(page).press('Enter')
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Watch it friday', ...before])
    await field(page).fill('Watch it friday')
    await expect(takeBack(page, 'Keep the date as text'), 'the next one is read').toBeVisible()
    await field(page).fill('')
  })

  await test.step('Backspace on a chip takes it back as well, and Escape all of them', async () => {
    await field(page).fill('Call Ada tomorrow !low')
    await takeBack(page, 'Keep the priority as text').focus()
    await page.keyboard.press('Backspace')
    await expect(takeBack(page, 'Keep the priority as text')).toHaveCount(0)
    await field(page).fill('Call Ada #phone !low')
    await expect(chip(page, 'phone')).toBeVisible()
    await field(page).press('Escape')
    await expect(chip(page, 'phone')).toHaveCount(0)
    await field(page).press('Enter')
    await expect.poll(async () => (await titlesIn(openTasks(page)))[0]).toBe('Call Ada #phone !low')
  })

  await test.step('nothing is read in quotes, and none of a text that is nothing but a date', async () => {
    for (const text of ['Read "Tomorrow"', 'tomorrow']) {
      await field(page).fill(text)
      await field(page).press('Enter')
      await expect.poll(async () => (await titlesIn(openTasks(page)))[0]).toBe(text)
    }
    await expect.poll(async () => (await kept(page, 'tomorrow'))?.due_day).toBe(null)
  })

  await test.step('a date chosen by hand stands over one that is typed', async () => {
    await field(page).fill('Call Ada friday')
    await page.locator('form').getByRole('button', { name: 'Due date', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Today/ })
      .click()
    await field(page).press('Enter')
    await expect.poll(async () => (await kept(page, 'Call Ada'))?.due_day).toBe(dayIn(0))
  })
})

test('the field for a new task, its lists and what it says', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await make(page, { title: 'Water the plants' })
  const lists: string[] = []
  for (const [name, color] of [
    ['Home', 1],
    ['Garden', 2],
    ['Garden', 3],
  ] as const) {
    lists.push((await call(page, 'post', '/api/lists', { name, color })).list.id)
  }
  await page.goto('/todos')
  await row(page, 'Water the plants').waitFor()
  await settled(page)

  await test.step('@ puts it into a list, asks which where two have the name, and makes a new one', async () => {
    await expect(page.getByRole('link', { name: /^Garden/ })).toHaveCount(2)
    await field(page).fill('Fix the door @home')
    await expect(chip(page, 'Home')).toBeVisible()
    await field(page).press('Enter')
    await expect.poll(async () => (await kept(page, 'Fix the door'))?.list_id).toBe(lists[0])

    await field(page).fill('Plant tulips @garden')
    // The suggestions lie over it.
    await field(page).press('Escape')
    await page.locator('form').getByRole('button', { name: 'Which list?' }).click()
    await page.getByRole('menuitem', { name: 'Garden' }).nth(1).click()
    await expect(field(page)).toBeFocused()
    await field(page).press('Enter')
    await expect
      .poll(async () => lists.slice(1).includes(String((await kept(page, 'Plant tulips'))?.list_id)))
      .toBe(true)

    await field(page).fill('Oil the chain @bicycle')
    await expect(page.locator('form')).toContainText('New list “bicycle”')
    await field(page).press('Enter')
    await expect(page.getByRole('link', { name: /^bicycle/ })).toBeVisible()
    await expect(row(page, 'Oil the chain')).toContainText('bicycle')
  })

  await test.step('a long text makes the field higher, and never scrolls sideways', async () => {
    const before = await field(page).boundingBox()
    await field(page).fill(`${'A rather long title '.repeat(12)}tomorrow`)
    const height = async () => (await field(page).boundingBox())?.height ?? 0
    await expect.poll(height).toBeGreaterThan((before?.height ?? 0) * 2)
    expect(
      await field(page).evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
        scrollWidth - clientWidth,
        scrollHeight - clientHeight,
      ]),
    ).toEqual([0, 0])
    await field(page).fill('')
  })

  await test.step('a line below says the title and which keys add the task, lead to the chips and keep every word', async () => {
    await field(page).fill('Call Ada friday')
    const line = page.locator('form').getByText('The task will be called “Call Ada”.').locator('..')
    await expect(line).toHaveText(
      /“Call Ada”\.\s*Enter\s*adds\s*Tab\s*goes to the chips\s*Esc.*keeps every word/,
    )
    await field(page).press('Tab')
    await expect(takeBack(page, 'Keep the date as text')).toBeFocused()
    await field(page).press('Escape')
    await expect(line).toHaveCount(0)
    await field(page).press('Enter')
    await expect(row(page, 'Call Ada friday')).toBeVisible()
    await field(page).fill('Call Ida friday')
    const other = page.locator('form').getByText('The task will be called “Call Ida”.')
    await expect(other).toBeVisible()
    await page.setViewportSize({ width: 360, height: 800 })
    await expect(other, 'a phone has none of these keys').toBeHidden()
    await page.setViewportSize({ width: 1280, height: 800 })
    await field(page).fill('')
  })

  await test.step('several pasted lines are several tasks, as they are written', async () => {
    await closeToasts(page)
    const before = (await keptTodos(page)).length
    await field(page).focus()
    await page.evaluate(() => {
      const data = new DataTransfer()
      data.setData('text/plain', 'Buy milk tomorrow\nCall Ada')
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    })
    await expect
      .poll(async () => (await titlesIn(openTasks(page))).slice(0, 2))
      .toEqual(['Buy milk tomorrow', 'Call Ada'])
    await expect(toasts(page)).toContainText('2 tasks added')
    await expect.poll(async () => (await keptTodos(page)).length).toBe(before + 2)
  })

  await test.step('on the page of the day another day is taken out of the words', async () => {
    await page
      .getByRole('complementary')
      .getByRole('link', { name: /^Today/ })
      .click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today')
    await settled(page)
    const today = page.getByPlaceholder('Add a task for today...')
    await today.fill('Call home')
    await today.press('Enter')
    await today.fill('Pay the rent tomorrow')
    await expect(chip(page, 'Tomorrow')).toBeVisible()
    await today.press('Enter')
    await expect.poll(async () => (await kept(page, 'Pay the rent'))?.due_day).toBe(dayIn(1))
    expect((await kept(page, 'Call home'))?.due_day).toBe(dayIn(0))
    await expect(row(page, 'Pay the rent')).toHaveCount(0)
  })
})

test.describe('without a connection', () => {
  test.use({ mayLog: /ERR_INTERNET_DISCONNECTED|Could not read|session could not be read/ })

  test('all of it is read and kept all the same', async ({ page, context }) => {
    await openList(page)
    await context.setOffline(true)
    await field(page).fill('Buy milk tomorrow !high')
    await field(page).press('Enter')
    await expect(row(page, 'Buy milk')).toContainText('Tomorrow')
    await context.setOffline(false)
    await expect.poll(() => kept(page, 'Buy milk')).toMatchObject({ due_day: dayIn(1), priority: 3 })
  })
})

test('the chips fit every width and pass WCAG 2.2 AA in both themes', async ({ page }) => {
  await openList(page)
  await field(page).fill('Rent for the flat every month on the 1st at 9:30 #home #money @Somewhere !high')
  await expect(chip(page, 'High')).toBeVisible()
  await inEveryLook(page, [320, 767, 1280], async ({ expectNoAxeViolations }) => {
    await expectNothingSticksOut(page)
    await expectNoAxeViolations()
  })
  await page.setViewportSize({ width: 320, height: 800 })
  await page.addStyleTag({ content: 'html { font-size: 200% }' })
  await expectNothingSticksOut(page)
})
