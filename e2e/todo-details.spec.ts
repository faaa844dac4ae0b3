import { expect, type Page } from '@playwright/test'
import { settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, hands, inEveryLook, resize } from './testing/looks/looks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import { listening, otherDevice } from './testing/person/two-devices.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { addLists } from './testing/screens/list-groups.ts'
import {
  chooseIn,
  details,
  kept,
  keptTodos,
  make,
  newSubtask,
  noteOf,
  openDetails,
  property,
  subtasks,
  titleIn,
  titleOf,
} from './testing/screens/task-details.ts'
import {
  addButton,
  beginEdit,
  clearTasks,
  createTasks,
  deleteTask,
  field,
  openList,
  openTasks,
  replaceTasks,
  row,
  sortBy,
  tick,
  titleField,
  titlesIn,
  toasts,
} from './testing/screens/todo-list.ts'

test.use({ timezoneId: 'UTC' })

const undo = (page: Page) => toasts(page).getByRole('button', { name: 'Undo' })

/** Opens the list of somebody who signed up and was given what they have. */
async function openTodos(page: Page): Promise<void> {
  await page.goto('/todos')
  await page.getByRole('heading', { level: 1, name: 'Todo List' }).waitFor()
  await settled(page)
}

test('the details of a task', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await Promise.all([
    createTasks(page, {
      open: [
        ...['Buy milk', 'One', 'Two', 'Three', 'Pay the rent', 'Go out', 'Water the plants', 'Call Iris'],
        ...['Send the invoice', 'Trip', 'Pack', 'Return the books', 'Below'],
      ],
    }),
    addLists(page, [
      { name: 'Home', color: 1, tasks: ['Paint the hall'] },
      { name: 'Work', color: 2 },
    ]),
    make(page, { title: 'Pack for the trip', at: '2026-01-01T08:00:00Z' }).then(({ id }) =>
      make(page, { title: 'Socks', parent_id: id }),
    ),
  ])
  await openTodos(page)

  await test.step('open by Enter on a row; Escape closes them and gives the focus back to the row', async () => {
    await tick(row(page, 'Buy milk')).focus()
    await page.keyboard.press('Enter')
    await expect(titleOf(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(details(page)).toHaveCount(0)
    await expect(tick(row(page, 'Buy milk'))).toBeFocused()
    await expect(page).toHaveURL(/\/todos$/)
  })

  await test.step('follow the arrow keys in the list, until Escape there', async () => {
    await openDetails(page, 'One')
    await tick(row(page, 'One')).focus()
    await page.keyboard.press('ArrowDown')
    await expect(titleOf(page)).toHaveValue('Two')
    await expect(tick(row(page, 'Two'))).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(titleOf(page)).toHaveValue('Three')
    await page.keyboard.press('ArrowUp')
    await expect(titleOf(page)).toHaveValue('Two')
    await page.keyboard.press('Escape')
    await expect(details(page)).toHaveCount(0)
    await expect(tick(row(page, 'Two'))).toBeFocused()
  })

  await test.step('save as it is typed: title and note, each on its own', async () => {
    await openDetails(page, 'Go out')
    await titleOf(page).fill('Buy oat milk')
    await expect(row(page, 'Buy oat milk')).toBeVisible()
    await noteOf(page).fill('Two litres.\nSee https://example.org/milk.')
    await expect
      .poll(() => kept(page, 'Buy oat milk'))
      .toMatchObject({ note: 'Two litres.\nSee https://example.org/milk.' })
    await titleOf(page).focus()
    await expect(details(page).getByRole('link')).toHaveAttribute('href', 'https://example.org/milk')
    await expect(row(page, 'Buy oat milk').getByText('Has a note')).toBeAttached()
    await details(page)
      .getByText('Two litres.')
      .click({ position: { x: 5, y: 5 } })
    await expect(noteOf(page)).toBeFocused()
    await noteOf(page).press('Escape')
    await expect(tick(row(page, 'Buy oat milk'))).toBeFocused()
  })

  await test.step('keep a title that cannot be, and show the one that stands once it is left', async () => {
    const titles = async () => (await keptTodos(page)).map(({ title }) => title)
    const before = await titles()
    await openDetails(page, 'Water the plants')
    await titleOf(page).fill('')
    await expect(details(page).getByRole('alert')).toHaveText('Title must not be empty')
    await titleOf(page).press('Enter')
    await expect(titleOf(page)).toHaveValue('Water the plants')
    expect(await titles()).toEqual(before)
    await page.keyboard.press('Escape')
  })

  await test.step('change list, priority and estimate', async () => {
    await openDetails(page, 'Paint the hall')
    await chooseIn(page, 'List', 'Work')
    await expect(property(page, 'List')).toHaveText('List: Work')
    await chooseIn(page, 'Priority', 'High')
    await expect(row(page, 'Paint the hall')).toContainText('Priority: High')
    await property(page, 'Estimate').click()
    await page.keyboard.type('1h 30')
    await page.keyboard.press('Enter')
    await expect(property(page, 'Estimate')).toBeFocused()
    await expect(property(page, 'Estimate')).toHaveText('Estimate: 1 h 30 min')
    await expect.poll(() => kept(page, 'Paint the hall')).toMatchObject({ priority: 3, estimate: 90 })
    await property(page, 'Estimate').click()
    await page.keyboard.type('soon')
    await expect(details(page).getByRole('alert')).toContainText('Type 45 for minutes')
    await page.keyboard.press('Escape')
    await expect(property(page, 'Estimate')).toHaveText('Estimate: 1 h 30 min')
    await details(page).getByRole('button', { name: 'Close' }).click()
    await expect(details(page)).toHaveCount(0)
  })

  await test.step('go when the task is deleted, with Undo, and the focus goes to a row', async () => {
    await closeToasts(page)
    await openDetails(page, 'Call Iris')
    await details(page).getByRole('button', { name: 'Delete task' }).click()
    await expect(details(page)).toHaveCount(0)
    await expect(tick(row(page, 'Send the invoice'))).toBeFocused()
    await undo(page).click()
    await expect(row(page, 'Call Iris')).toBeVisible()
  })

  await test.step('of a subtask give the focus back to the row of its task', async () => {
    await openDetails(page, 'Pack for the trip')
    await details(page).getByRole('button', { name: 'Details of subtask Socks' }).click()
    await expect(titleOf(page)).toHaveValue('Socks')
    await details(page).getByRole('button', { name: 'Close' }).click()
    await expect(tick(row(page, 'Pack for the trip'))).toBeFocused()
  })

  await test.step('keep the focus when its task becomes a subtask, and give it to the row of the new parent', async () => {
    await openDetails(page, 'Pack')
    await details(page).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Make a subtask of …' }).click()
    await page
      .getByRole('dialog', { name: 'Make a Subtask of …' })
      .getByRole('button', { name: 'Trip', exact: true })
      .click()
    await expect(row(page, 'Pack')).toHaveCount(0)
    await expect(details(page).getByRole('button', { name: 'More actions' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(details(page)).toHaveCount(0)
    await expect(tick(row(page, 'Trip'))).toBeFocused()
  })

  await test.step('of a task that was deleted say so to whoever goes forward to them again', async () => {
    await openDetails(page, 'Return the books')
    await page.goBack()
    await expect(details(page)).toHaveCount(0)
    await deleteTask(row(page, 'Return the books'))
    await expect(row(page, 'Return the books')).toHaveCount(0)
    await page.goForward()
    await expect(toasts(page).filter({ hasText: "That task isn't here" })).toHaveCount(1)
    await expect(page).toHaveURL(/\/todos$/)
  })

  await test.step('copy the link to them', async () => {
    await closeToasts(page)
    await openDetails(page, 'Buy milk')
    await details(page).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).click()
    await expect(toasts(page)).toContainText('Link copied')
    await details(page).getByRole('button', { name: 'Close' }).click()
    await expect(details(page)).toHaveCount(0)
  })

  await test.step('leave the pencil its place: it edits the title in its row', async () => {
    await beginEdit(row(page, 'Buy milk'))
    await expect(titleField(page)).toBeFocused()
    await expect(details(page)).toHaveCount(0)
    await page.keyboard.press('Escape')
  })
})

test('the details of a task, at an address of their own', async ({ page }) => {
  await openList(page, { open: ['Buy milk', 'Pay the rent', 'Call Iris'] })

  await test.step('open by a click on its title, and the address says so: reloading and going back keep it', async () => {
    await titleIn(row(page, 'Buy milk')).click()
    await expect(details(page)).toHaveAccessibleName('Details of Buy milk')
    await expect(titleIn(row(page, 'Buy milk'))).toHaveAttribute('aria-expanded', 'true')
    await expect(page).toHaveURL(/\/todos\?task=[\w-]{36}$/)
    await page.reload()
    await expect(titleOf(page)).toHaveValue('Buy milk')
    await page.goBack()
    await expect(details(page)).toHaveCount(0)
    await expect(page).toHaveURL(/\/todos$/)
    await page.goForward()
    await expect(titleOf(page)).toHaveValue('Buy milk')
    await titleIn(row(page, 'Pay the rent')).click()
    await expect(titleOf(page)).toHaveValue('Pay the rent')
    // One step back leads out of the details, however many were looked at.
    await page.goBack()
    await expect(details(page)).toHaveCount(0)
  })

  await test.step('save what was typed just before they close, or the page does', async () => {
    await openDetails(page, 'Call Iris')
    await noteOf(page).fill('Two')
    await noteOf(page).press('Escape')
    await expect.poll(() => kept(page, 'Call Iris')).toMatchObject({ note: 'Two' })
    await openDetails(page, 'Call Iris')
    await titleOf(page).fill('Buy cheese')
    await page.reload()
    await expect(row(page, 'Buy cheese')).toBeVisible()
  })

  await test.step('of a task that is not there say so, and the address forgets it', async () => {
    await page.goto('/todos?task=01900000-0000-7000-8000-000000000000')
    await expect(toasts(page)).toContainText("That task isn't here")
    await expect(page).toHaveURL(/\/todos$/)
    await expect(details(page)).toHaveCount(0)
  })
})

test('two devices have one task open: each field merges on its own, and what is typed is not overwritten', async ({
  page,
}) => {
  await listening(page, () => openList(page, { open: ['Paint the hall'] }))
  const other = await otherDevice(page, '/todos')
  await openDetails(page, 'Paint the hall')
  await openDetails(other, 'Paint the hall')
  await noteOf(page).pressSequentially('Warm white')
  await titleOf(other).fill('Paint the long wall')
  await chooseIn(other, 'Priority', 'Low')
  await expect(titleOf(page)).toHaveValue('Paint the long wall')
  await expect(property(page, 'Priority')).toHaveText('Priority: Low')
  await expect(noteOf(page)).toHaveValue('Warm white')
  await expect(details(other).getByText('Warm white')).toBeVisible()
  // While it is typed in here, a later change made there does not show; once it is left, what stands does.
  await details(other).getByText('Warm white').click()
  await noteOf(other).fill('Clay')
  await expect.poll(() => kept(page, 'Paint the long wall')).toMatchObject({ note: 'Clay' })
  await expect(noteOf(page)).toHaveValue('Warm white')
  await titleOf(page).focus()
  await expect(details(page).getByText('Clay')).toBeVisible()
})

test('a copy of a task, several lines pasted into the field', async ({ page }) => {
  const paste = (text: string) =>
    field(page).evaluate((element, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
  await signUpBehindTheScreens(page)
  await make(page, { title: 'Below' })
  const trip = await make(page, { title: 'Pack for the trip', note: 'Light', tags: ['travel'], priority: 2 })
  await make(page, { title: 'Socks', parent_id: trip.id, completed: 1 })
  await openTodos(page)

  await test.step('stands right below it, open, with note, tags and subtasks, and Undo takes it back', async () => {
    await openDetails(page, 'Pack for the trip')
    await details(page).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await expect.poll(async () => (await keptTodos(page)).length).toBe(5)
    // Its title is what one changes first.
    await expect(titleOf(page)).toBeFocused()
    const copies = (await keptTodos(page)).filter(({ title }) => title === 'Pack for the trip')
    expect(copies).toHaveLength(2)
    for (const copy of copies)
      expect(copy).toMatchObject({ note: 'Light', tags: ['travel'], priority: 2, completed: 0 })
    expect((await keptTodos(page)).filter(({ title }) => title === 'Socks')).toMatchObject([
      { completed: 0 },
      { completed: 1 },
    ])
    await undo(page).click()
    await expect.poll(async () => (await keptTodos(page)).length).toBe(3)
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Pack for the trip', 'Below'])
    await expect(details(page)).toHaveCount(0)
  })

  await test.step('too many are refused with a sentence, and nothing is added', async () => {
    await clearTasks(page)
    await closeToasts(page)
    await paste(Array.from({ length: 201 }, (_, line) => `Task ${line}`).join('\n'))
    await expect(toasts(page)).toContainText('You pasted 201 lines. At most 200 can be added at once.')
    expect(await keptTodos(page)).toEqual([])
  })

  await test.step('are taken back together', async () => {
    await closeToasts(page)
    await field(page).fill('Buy ')
    await field(page).press('End')
    await paste('eggs\nFlour')
    await expect(row(page, 'Buy eggs')).toBeVisible()
    await expect(field(page)).toHaveValue('')
    await undo(page).click()
    await expect(row(page, 'Buy eggs')).toHaveCount(0)
    await expect(row(page, 'Flour')).toHaveCount(0)
    // Nothing that was typed is lost: it is the one line that the field makes of several.
    await expect(field(page)).toHaveValue('Buy eggs Flour')
    await expect.poll(async () => (await keptTodos(page)).length).toBe(0)
    await field(page).clear()
  })

  await test.step('leave a field alone that has got another text when they are taken back', async () => {
    await closeToasts(page)
    await paste('Eggs\nFlour')
    await expect(row(page, 'Eggs')).toBeVisible()
    await field(page).fill('Milk')
    await undo(page).click()
    await expect(row(page, 'Eggs')).toHaveCount(0)
    await expect(field(page)).toHaveValue('Milk')
    await field(page).clear()
  })

  await test.step('make several tasks in the order pasted, with one Undo', async () => {
    await settled(page)
    await replaceTasks(page, { open: ['There before'] })
    await closeToasts(page)
    await paste('Eggs\r\n\r\n  Flour \nMilk\n')
    await expect(toasts(page)).toContainText('3 tasks added')
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Eggs', 'Flour', 'Milk', 'There before'])
    await page.reload()
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Eggs', 'Flour', 'Milk', 'There before'])
  })

  await test.step('stand first in their order, though the clock of another device is ahead', async () => {
    await settled(page)
    await clearTasks(page)
    await make(page, { title: 'Made tomorrow', position: 'a0' })
    await expect(row(page, 'Made tomorrow')).toBeVisible()
    await paste('Eggs\nFlour\nMilk')
    await expect(toasts(page)).toContainText('3 tasks added')
    const titles = ['Eggs', 'Flour', 'Milk', 'Made tomorrow']
    await sortBy(page, 'Manual')
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(titles)
    await expect.poll(async () => (await keptTodos(page)).length).toBe(4)
    await page.reload()
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(titles)
  })
})

test('by priority, and by keyboard', async ({ page }) => {
  await signUpBehindTheScreens(page)
  await addLists(page, [{ name: 'Work', color: 2 }])
  await make(page, { title: 'Whenever' })
  await make(page, { title: 'Soon', priority: 1 })
  await make(page, { title: 'Now', priority: 3 })
  await openTodos(page)

  await test.step('by priority: groups with quiet headings, and words beside the signs', async () => {
    await sortBy(page, 'Priority')
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
      'High 1',
      'Low 1',
      'No priority 1',
    ])
    await expect(row(page, 'Now')).toContainText('Priority: High')
    await expect(row(page, 'Whenever')).not.toContainText('Priority')
    await sortBy(page, 'Newest')
  })

  await test.step('with the keyboard alone, in at most 20 presses beyond the letters: a task for tomorrow, at work, with two steps', async () => {
    let presses = 0
    const press = async (key: string) => {
      presses += 1
      await page.keyboard.press(key)
    }
    const type = (text: string) => page.keyboard.type(text)

    await press('n')
    await type('Send the invoice')
    await press('Enter')
    await row(page, 'Send the invoice').waitFor()
    // Until the device has stored the task, its button is disabled and no Tab stop.
    await expect(addButton(page)).toBeEnabled()
    await press('Tab')
    await press('Tab')
    await expect(tick(row(page, 'Send the invoice'))).toBeFocused()
    await press('d')
    await page.getByRole('dialog').waitFor()
    await type('tomorrow')
    await press('Enter')
    await expect(row(page, 'Send the invoice')).toContainText('Tomorrow')
    await expect(tick(row(page, 'Send the invoice'))).toBeFocused()
    await press('l')
    await expect(page.getByRole('menuitemradio', { name: 'Work' })).toBeFocused()
    await press('Enter')
    await expect(tick(row(page, 'Send the invoice'))).toBeFocused()
    await press('s')
    await expect(newSubtask(page)).toBeFocused()
    await type('Add up the hours')
    await press('Enter')
    await type('Ask Mikkel')
    await press('Enter')
    await expect(subtasks(page)).toHaveCount(2)
    expect(presses).toBeLessThanOrEqual(20)
    await expect(row(page, 'Send the invoice')).toContainText('Subtasks: 0/2')
    await expect(row(page, 'Send the invoice')).toContainText('Work')
  })
})

const rtl = 'اشترِ الحليب'
const long = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(4)

for (const { hand, widths, use } of hands) {
  test.describe(`by ${hand}`, () => {
    test.use(use)

    test('what the details show', async ({ page }) => {
      await signUpBehindTheScreens(page)
      const [task] = await Promise.all([
        make(page, {
          title: long,
          note: `${long} https://example.org/${long}`,
          tags: ['hall', long.slice(0, 50)],
          priority: 3,
          due_day: '2027-01-05',
          estimate: 90,
        }),
        make(page, { title: rtl }),
        createTasks(page, { open: ['Buy milk'], completed: ['Pay the rent'] }),
      ])
      for (const title of ['Measure', long]) await make(page, { title, parent_id: task.id })
      await openTodos(page)

      if (hand === 'touch') {
        await page.setViewportSize({ width: 390, height: 844 })

        await test.step('they are a sheet, which a drag by its upper edge closes', async () => {
          await titleIn(row(page, 'Buy milk')).tap()
          await expect(details(page)).toBeVisible()
          // It comes in from below.
          await expect.poll(async () => Math.round((await details(page).boundingBox())?.y ?? 0)).toBe(72)
          await page.mouse.move(195, 80)
          await page.mouse.down()
          await page.mouse.move(195, 130)
          await page.mouse.move(195, 300)
          await page.mouse.up()
          await expect(details(page)).toHaveCount(0)
          await expect(tick(row(page, 'Buy milk'))).toBeFocused()
          await expect(page).toHaveURL(/\/todos$/)
        })

        await test.step('open rows have one menu, completed ones have none', async () => {
          await expect(row(page, 'Buy milk').getByRole('button', { name: 'More actions' })).toBeVisible()
          await expect(row(page, 'Buy milk').getByRole('button')).toHaveCount(2)
          // Its title alone.
          await expect(row(page, 'Pay the rent').getByRole('button')).toHaveCount(1)
          await titleIn(row(page, 'Pay the rent')).tap()
          await details(page).getByRole('button', { name: 'Delete task' }).tap()
          await expect(row(page, 'Pay the rent')).toHaveCount(0)
          await closeToasts(page)
        })
      }

      await test.step('the details fit at every width and in both themes, with long words and any direction', async () => {
        await openDetails(page, long)
        await inEveryLook(page, [...widths, ...(hand === 'touch' ? [390] : [1000])], async (look) => {
          await expect(titleOf(page)).toBeVisible()
          await expectNothingSticksOut(page)
          await look.expectNoAxeViolations()
        })
        await resize(page, 320)
        await page.addStyleTag({ content: 'html { font-size: 200% }' })
        await expectNothingSticksOut(page)
      })
    })
  })
}
