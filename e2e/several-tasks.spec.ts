import { expect, type Page } from '@playwright/test'
import { fetchedLater } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { expectNothingSticksOut, inEveryLook, resize } from './testing/looks/looks.ts'
import { finger, moveFinger } from './testing/person/finger.ts'
import { call, give } from './testing/person/given-tasks.ts'
import { test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import { kept, make } from './testing/screens/task-details.ts'
import {
  clearTasks,
  completedTasks,
  keptTasks,
  more,
  openList,
  openTasks,
  replaceTasks,
  row,
  sortBy,
  tick,
  titlesIn,
  toasts,
} from './testing/screens/todo-list.ts'

// Several tasks at once: chosen by keys, mouse and touch, changed together, with one Undo.

const five = ['One', 'Two', 'Three', 'Four', 'Five']
const bar = (page: Page) => page.getByRole('region', { name: 'Selected tasks' })
const inBar = (page: Page, name: string) => bar(page).getByRole('button', { name })
const undo = (page: Page) => toasts(page).getByRole('button', { name: 'Undo' })
/** What the bar says about the last action; then there is no toast. */
async function expectSaid(page: Page, words: string | RegExp) {
  await expect(bar(page).getByRole('status')).toHaveText(words)
  await expect(toasts(page)).toHaveCount(0)
}
const chosen = (page: Page) => page.getByRole('listitem').filter({ hasText: 'Selected' })
const titlesChosen = (page: Page) => titlesIn(chosen(page))
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

async function openFive(page: Page): Promise<void> {
  await openList(page, { open: five })
  await fetchedLater(page, 'several-tasks-')
  await tick(row(page, 'Five')).waitFor()
}

/** The five again, none of them chosen, and nothing told. */
async function fiveAgain(page: Page, tasks: readonly string[] = five): Promise<void> {
  await settled(page)
  await replaceTasks(page, { open: tasks })
  await expect(bar(page)).toHaveCount(0)
  await closeToasts(page)
}

/** Chooses the second, the third and the fourth. */
async function chooseThree(page: Page): Promise<void> {
  await tick(row(page, 'Two')).focus()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(bar(page)).toContainText('3 selected')
}

/** Replaces all tasks by two, of which one repeats, and chooses both. */
async function chooseOneThatRepeats(page: Page): Promise<void> {
  await settled(page)
  await clearTasks(page)
  await closeToasts(page)
  await make(page, { title: 'Stretch', repeat: { freq: 'day', every: 1, mode: 'due', from: dayIn(0) } })
  await make(page, { title: 'Call home' })
  await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Call home', 'Stretch'])
  await tick(row(page, 'Call home')).focus()
  await page.keyboard.press('Shift+ArrowDown')
}

test.describe('by keyboard', () => {
  test.use({ timezoneId: 'UTC' })

  test('by keyboard', async ({ page }) => {
    await openFive(page)
    await call(page, 'post', '/api/lists', { name: 'Home', color: 1 })

    await test.step('Shift and the arrows choose, coming back lets go, and Escape ends it', async () => {
      await chooseThree(page)
      expect(await titlesChosen(page)).toEqual(['Two', 'Three', 'Four'])
      await expect(tick(row(page, 'Four'))).toBeFocused()
      await page.keyboard.press('Shift+ArrowUp')
      expect(await titlesChosen(page)).toEqual(['Two', 'Three'])
      await page.keyboard.press('Shift+ArrowUp')
      await page.keyboard.press('Shift+ArrowUp')
      expect(await titlesChosen(page)).toEqual(['One', 'Two'])
      await expect(tick(row(page, 'One'))).toBeFocused()
      await page.keyboard.press('Control+a')
      await expect(bar(page)).toContainText('5 selected')
      await page.keyboard.press('Escape')
      await expect(bar(page)).toHaveCount(0)
      await expect(tick(row(page, 'One'))).toBeFocused()
    })

    await test.step('Space completes all of them, and one Undo reopens all', async () => {
      await chooseThree(page)
      await page.keyboard.press('Space')
      await expect(bar(page)).toHaveCount(0)
      await expect.poll(() => titlesIn(openTasks(page))).toEqual(['One', 'Five'])
      await expect(toasts(page)).toContainText('3 tasks completed')
      await expect(tick(row(page, 'Five'))).toBeFocused()
      await expect
        .poll(async () => (await keptTasks(page)).filter(({ completed }) => completed).length)
        .toBe(3)
      await page.keyboard.press('Control+z')
      await expect.poll(() => titlesIn(openTasks(page))).toEqual(five)
      await expect
        .poll(async () => (await keptTasks(page)).filter(({ completed }) => completed).length)
        .toBe(0)
      await page.keyboard.press('Control+Shift+z')
      await expect.poll(() => titlesIn(openTasks(page))).toEqual(['One', 'Five'])
    })

    await test.step('D asks for the date of all of them, and the focus comes back', async () => {
      await fiveAgain(page)
      await chooseThree(page)
      await page.keyboard.press('d')
      await expect(page.getByRole('dialog', { name: 'Due date of 3 tasks' })).toBeVisible()
      await page.keyboard.type('in 3 days')
      await page.keyboard.press('Enter')
      await expectSaid(page, /^Moved to /)
      await expect(tick(row(page, 'Four'))).toBeFocused()
      await expect(bar(page), 'they can be changed further').toContainText('3 selected')
      await expect.poll(async () => (await kept(page, 'Three'))?.due_day).toBe(dayIn(3))
      await inBar(page, 'Undo').click()
      await expectSaid(page, '')
      await expect.poll(async () => (await kept(page, 'Three'))?.due_day).toBe(null)
      await expect.poll(async () => (await kept(page, 'Two'))?.due_day).toBe(null)
    })

    await test.step('Delete deletes all of them, and one Undo brings all back', async () => {
      await fiveAgain(page)
      await chooseThree(page)
      await page.keyboard.press('Delete')
      await expect.poll(() => titlesIn(openTasks(page))).toEqual(['One', 'Five'])
      await expect(toasts(page)).toContainText('3 tasks deleted')
      await expect(tick(row(page, 'Five'))).toBeFocused()
      await undo(page).click()
      await expect.poll(() => titlesIn(openTasks(page))).toEqual(five)
    })

    await test.step('T adds a tag to all of them, completed from those in use', async () => {
      await fiveAgain(page)
      await make(page, { title: 'Tagged', tags: ['Errands'] })
      await expect(row(page, 'Tagged')).toContainText('#Errands')
      await tick(row(page, 'Two')).focus()
      await page.keyboard.press('Shift+ArrowDown')
      await page.keyboard.press('t')
      await expect(page.getByRole('combobox', { name: 'Add a tag' })).toBeFocused()
      await page.keyboard.type('err')
      await expect(page.getByRole('option', { name: /Errands/ })).toBeVisible()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect(row(page, 'Two')).toContainText('#Errands')
      await expect(row(page, 'Three')).toContainText('#Errands')
      await expect(row(page, 'Four')).not.toContainText('#Errands')
      await expect(tick(row(page, 'Three'))).toBeFocused()
      await expectSaid(page, '#Errands added to 2 tasks')
      await page.keyboard.press('Control+z')
      await expect(bar(page).getByRole('status'), 'it is no longer so').toHaveText('')
      await expect(row(page, 'Two')).not.toContainText('#Errands')
      await expect(row(page, 'Three')).not.toContainText('#Errands')
    })

    await test.step('L moves all of them to a list', async () => {
      await fiveAgain(page)
      await expect(page.getByRole('link', { name: /^Home/ })).toBeVisible()
      await chooseThree(page)
      await page.keyboard.press('l')
      await page.getByRole('menuitem', { name: 'Home' }).waitFor()
      await page.keyboard.press('Enter')
      await expectSaid(page, 'Moved to Home')
      await expect(row(page, 'Three')).toContainText('Home')
      await expect(tick(row(page, 'Four'))).toBeFocused()
      await page.keyboard.press('Shift+ArrowDown')
      await expectSaid(page, '3 tasks moved to Home')
      await inBar(page, 'Undo').click()
      await expect(row(page, 'Three')).not.toContainText('Home')
    })

    await test.step('one that repeats comes back, and Undo gives it its day again', async () => {
      await chooseOneThatRepeats(page)
      await page.keyboard.press('Space')
      await expect(toasts(page)).toContainText('2 tasks completed')
      await expect(row(page, 'Stretch')).toContainText('Tomorrow')
      await expect(tick(row(page, 'Call home'))).toBeChecked()
      await undo(page).click()
      await expect(row(page, 'Stretch')).toContainText('Today')
      await expect(tick(row(page, 'Call home'))).not.toBeChecked()
    })

    await test.step('a letter does nothing to them with single keys off, and the bar does it all', async () => {
      await fiveAgain(page)
      await page.evaluate(() => localStorage.setItem('daymark-single-keys', 'off'))
      await page.reload()
      await fetchedLater(page, 'several-tasks-')
      await chooseThree(page)
      await page.keyboard.press('d')
      await page.keyboard.press('t')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await inBar(page, 'Complete').press('Enter')
      await expect.poll(() => titlesIn(openTasks(page))).toEqual(['One', 'Five'])
      await expect(page.locator('[data-row] input:focus')).toHaveCount(1)
    })
  })
})

test('by mouse, and how the bar looks', async ({ page }) => {
  await openFive(page)

  await test.step('a click with Ctrl adds a row, and one with Shift all up to it', async () => {
    const title = (name: string) => row(page, name).getByRole('button', { name, exact: true })
    await title('One').click({ modifiers: ['Control'] })
    await title('Three').click({ modifiers: ['Control'] })
    expect(await titlesChosen(page)).toEqual(['One', 'Three'])
    await title('Five').click({ modifiers: ['Shift'] })
    expect(await titlesChosen(page)).toEqual(['One', 'Three', 'Four', 'Five'])
    await title('One').click({ modifiers: ['Control'] })
    expect(await titlesChosen(page)).toEqual(['Three', 'Four', 'Five'])
    expect(await page.evaluate(() => getSelection()?.toString()), 'no text is selected').toBe('')
    await expect(page.getByRole('dialog'), 'no details are shown').toHaveCount(0)
    await inBar(page, 'More actions').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['One', 'Two'])
    await expect(tick(row(page, 'Two')), 'the focus is where they were').toBeFocused()
  })

  await test.step('what comes back by itself is left out, and the bar says so', async () => {
    await chooseOneThatRepeats(page)
    await inBar(page, 'Date').click()
    await page.keyboard.type('in 3 days')
    await page.keyboard.press('Enter')
    await expectSaid(page, /^1 task moved to .*\. 1 task will come back anyway\.$/)
  })

  await test.step('what another device deletes is selected no more', async () => {
    await fiveAgain(page)
    await chooseThree(page)
    const { origin } = new URL((await page.request.get('/api/health')).url())
    const three = await kept(page, 'Three')
    await page.request.delete(`/api/todos/${three?.id}`, { headers: { origin } })
    await expect(bar(page)).toContainText('2 selected')
    expect(await titlesChosen(page)).toEqual(['Two', 'Four'])
  })

  await test.step('the bar stands 24 px from the bottom in the width of the list, and the last row can be scrolled free', async () => {
    await fiveAgain(
      page,
      Array.from({ length: 30 }, (_, place) => `Task ${place}`),
    )
    await tick(row(page, 'Task 0')).focus()
    await page.keyboard.press('Shift+ArrowDown')
    const rows = openTasks(page)
    for (const [width, sidebar] of [
      [1280, true],
      [1280, false],
      [1700, true],
      [900, true],
    ] as const) {
      await resize(page, width)
      if (!sidebar) await page.keyboard.press('Control+b')
      await expect(async () => {
        const [list, own] = [await rows.boundingBox(), await bar(page).boundingBox()]
        expect([own?.x, own?.width], `${width} px`).toEqual([list?.x, list?.width])
        expect((own?.y ?? 0) + (own?.height ?? 0)).toBeCloseTo(800 - 24, 0)
        if (width >= 1280) expect(own?.height).toBe(56)
      }).toPass()
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      const last = await row(page, 'Task 29').boundingBox()
      const own = await bar(page).boundingBox()
      expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThan(own?.y ?? 0)
      if (!sidebar) await page.keyboard.press('Control+b')
    }
    await resize(page, 1280)
  })

  await test.step('selecting and its results move no row', async () => {
    await fiveAgain(page)
    const places = () => Promise.all(five.map(async (title) => (await row(page, title).boundingBox())?.y))
    const before = await places()
    await chooseThree(page)
    expect(await places()).toEqual(before)
    await page.keyboard.press('Escape')
    expect(await places()).toEqual(before)
  })

  await test.step('the bar fits every width and passes WCAG 2.2 AA in both themes', async () => {
    await fiveAgain(page)
    await chooseThree(page)
    await inEveryLook(page, [320, 767, 1280], async ({ expectNoAxeViolations }) => {
      await expect(bar(page)).toBeInViewport({ ratio: 1 })
      await expectNothingSticksOut(page)
      await expectNoAxeViolations()
    })
    await page.setViewportSize({ width: 320, height: 800 })
    await page.addStyleTag({ content: 'html { font-size: 200% }' })
    await expectNothingSticksOut(page)
    await expect(inBar(page, 'Delete')).toBeInViewport({ ratio: 1 })
  })
})

test.describe('what takes the selected tasks off the screen', () => {
  test.use({ timezoneId: 'UTC' })

  test('is said in a toast with Undo, and the focus goes to the row in their place', async ({ page }) => {
    await openList(page)
    const { list: home } = await call(page, 'post', '/api/lists', { name: 'Home', color: 1 })
    await call(page, 'post', '/api/lists', { name: 'Work', color: 2 })
    await give(
      page,
      five.map((title) => ({ title, list: home.id })),
    )
    const open = async (path: string) => {
      await page.goto(path)
      await fetchedLater(page, 'several-tasks-')
      await expect(tick(row(page, 'Five'))).toBeVisible()
      await settled(page)
    }
    const rest = async () => {
      await expect(bar(page)).toHaveCount(0)
      await expect(row(page, 'Two')).toHaveCount(0)
      await expect(row(page, 'One')).toBeVisible()
    }

    await test.step('from a list: by the key L', async () => {
      await open(`/lists/${home.id}`)
      await chooseThree(page)
      await page.keyboard.press('l')
      await page.getByRole('menuitem', { name: 'Work' }).press('Enter')
      await rest()
      await expect(toasts(page)).toContainText('3 tasks moved to Work')
      await expect(tick(row(page, 'Five'))).toBeFocused()
      await undo(page).click()
      await expect(row(page, 'Three')).toBeVisible()
      await expect(toasts(page)).toHaveCount(0)
      await expect.poll(async () => (await kept(page, 'Three'))?.list_id).toBe(home.id)
    })

    await test.step('from a list: by the bar', async () => {
      await chooseThree(page)
      await inBar(page, 'Move').click()
      await page.getByRole('menuitem', { name: 'Work' }).click()
      await rest()
      await expect(toasts(page)).toContainText('3 tasks moved to Work')
      await expect(tick(row(page, 'Five'))).toBeFocused()
      await undo(page).click()
      await expect(row(page, 'Three')).toBeVisible()
      await settled(page)
    })

    await test.step('from Today: by the key D, and by the bar', async () => {
      await open('/today')
      for (const ask of [() => page.keyboard.press('d'), () => inBar(page, 'Date').click()]) {
        await chooseThree(page)
        await ask()
        await page.keyboard.type('tomorrow')
        await page.keyboard.press('Enter')
        await rest()
        await expect(toasts(page)).toContainText('3 tasks moved to tomorrow')
        await expect(tick(row(page, 'Five'))).toBeFocused()
        await undo(page).click()
        await expect(row(page, 'Three')).toBeVisible()
        await expect.poll(async () => (await kept(page, 'Three'))?.due_day).toBe(dayIn(0))
        await settled(page)
      }
    })
  })
})

test('what was said of a selection is forgotten with it', async ({ page }) => {
  await openFive(page)
  let tags = 0
  const addTag = async () => {
    await chooseThree(page)
    await page.keyboard.press('t')
    await page.getByRole('combobox', { name: 'Add a tag' }).fill(`tag${++tags}`)
    await page.keyboard.press('Enter')
    await expectSaid(page, /added to 3 tasks$/)
    await expect(tick(row(page, 'Four'))).toBeFocused()
  }
  const expectNothingSaid = async () => {
    await tick(row(page, 'One')).focus()
    await page.keyboard.press('Shift+ArrowDown')
    await expect(bar(page)).toContainText(' selected')
    await expect(bar(page).getByRole('status')).toHaveText('')
    await expect(inBar(page, 'Undo')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(bar(page)).toHaveCount(0)
  }

  await test.step('once it is ended', async () => {
    await addTag()
    await page.keyboard.press('Escape')
    await expectNothingSaid()
  })

  await test.step('once its last row is deselected', async () => {
    await addTag()
    for (const title of ['Two', 'Three', 'Four'])
      await row(page, title)
        .getByRole('button', { name: title, exact: true })
        .click({ modifiers: ['Control'] })
    await expect(bar(page)).toHaveCount(0)
    await expectNothingSaid()
  })

  await test.step('once it is deleted', async () => {
    await addTag()
    await page.keyboard.press('Delete')
    await expect(row(page, 'Two')).toHaveCount(0)
    await expectNothingSaid()
  })
})

test('Delete with a selection spares the rows outside of it, and does nothing with another key held', async ({
  page,
}) => {
  await openFive(page)
  await chooseThree(page)
  for (const key of ['Control+Backspace', 'Control+Delete', 'Meta+Backspace', 'Shift+Delete'])
    await page.keyboard.press(key)
  await tick(row(page, 'One')).focus()
  for (const key of ['Delete', 'Backspace', 'Control+Backspace']) await page.keyboard.press(key)
  await expect(bar(page)).toContainText('3 selected')
  expect(await titlesIn(openTasks(page))).toEqual(five)
  await tick(row(page, 'Three')).focus()
  await page.keyboard.press('Delete')
  await expect.poll(() => titlesIn(openTasks(page))).toEqual(['One', 'Five'])
})

test.describe('without a connection', () => {
  test.use({ mayLog: /ERR_INTERNET_DISCONNECTED|Could not read|session could not be read/ })

  test('several are completed and taken back all the same', async ({ page, context }) => {
    await openFive(page)
    await fetchedLater(page, 'toaster-')
    await fetchedLater(page, 'undo-handler-')
    await context.setOffline(true)
    await chooseThree(page)
    await page.keyboard.press('Space')
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(['One', 'Five'])
    await page.keyboard.press('Control+z')
    await expect.poll(() => titlesIn(openTasks(page))).toEqual(five)
    // What was put back takes the focus once it is stored.
    await settled(page)
    await chooseThree(page)
    await page.keyboard.press('Delete')
    await context.setOffline(false)
    await expect.poll(async () => (await keptTasks(page)).map(({ title }) => title)).toEqual(['One', 'Five'])
  })
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  const middle = async (page: Page, title: string) => {
    const box = await row(page, title).boundingBox()
    if (!box) throw new Error(`${title} is not shown`)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  /** A finger rests on a row until it is selected, or lifted, and leaves. */
  async function pressLong(page: Page, touch: Awaited<ReturnType<typeof finger>>, title: string) {
    const { x, y } = await middle(page, title)
    await touch('touchStart', x, y)
    await expect(chosen(page).or(page.locator('[data-dragged]')).first()).toBeVisible()
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 450)))
    await touch('touchEnd')
  }

  test('by touch', async ({ page }) => {
    await openFive(page)
    const touch = await finger(page)

    await test.step('a long press chooses a row, taps choose others, and the bar is in place of the tabs', async () => {
      await pressLong(page, touch, 'Two')
      await expect(bar(page)).toContainText('1 selected')
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
      await expect(page.getByRole('dialog'), 'it was no tap').toHaveCount(0)
      const top = page.getByRole('banner')
      await expect(top.getByRole('button', { name: 'Search' }), 'the count replaces the top bar').toBeHidden()
      await expect(top).toContainText('1 selected')
      const y = async () => (await row(page, 'One').boundingBox())?.y
      const before = await y()
      await top.getByRole('button', { name: 'Select all' }).tap()
      await expect(top).toContainText('5 selected')
      await top.getByRole('button', { name: 'Clear selection' }).tap()
      await expect(bar(page)).toHaveCount(0)
      await expect(top.getByRole('button', { name: 'Search' })).toBeVisible()
      expect(await y()).toBe(before)
      await pressLong(page, touch, 'Two')
      await row(page, 'Four').getByRole('button', { name: 'Four' }).tap()
      expect(await titlesChosen(page)).toEqual(['Two', 'Four'])
      await row(page, 'Two').getByRole('button', { name: 'Two' }).tap()
      expect(await titlesChosen(page)).toEqual(['Four'])
      await row(page, 'Five').getByRole('button', { name: 'Five' }).tap()
      await inBar(page, 'Complete').tap()
      await expect.poll(() => titlesIn(openTasks(page))).toEqual(['One', 'Two', 'Three'])
      await expect(completedTasks(page).getByRole('checkbox')).toHaveCount(2)
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    })

    await test.step('the menu of a row chooses it as well', async () => {
      await fiveAgain(page)
      await more(row(page, 'Three')).tap()
      await page.getByRole('menuitem', { name: 'Select' }).tap()
      await expect(bar(page)).toContainText('1 selected')
      expect(await titlesChosen(page)).toEqual(['Three'])
    })

    await test.step('in the manual order a long press chooses, and one that moves drags as ever', async () => {
      await fiveAgain(page)
      await sortBy(page, 'Manual')
      await fetchedLater(page, 'row-grip-')
      await pressLong(page, touch, 'Two')
      await expect(bar(page)).toContainText('1 selected')
      await page.getByRole('button', { name: 'Clear selection' }).tap()
      const { x, y } = await middle(page, 'One')
      await touch('touchStart', x, y)
      await page.locator('[data-dragged]').first().waitFor()
      const { y: to } = await middle(page, 'Four')
      for (let part = 1; part <= 5; part++) await touch('touchMove', x, y + ((to - y + 10) * part) / 5)
      await touch('touchEnd')
      await expect.poll(() => titlesIn(openTasks(page))).toEqual(['Two', 'Three', 'Four', 'One', 'Five'])
      await expect(bar(page)).toHaveCount(0)
      await sortBy(page, 'Newest')
    })

    await test.step('a finger that moves scrolls, and chooses nothing', async () => {
      const many = Array.from({ length: 30 }, (_, place) => `Task ${place}`)
      await fiveAgain(page, many)
      await moveFinger(touch, await middle(page, 'Task 8'), { y: -250 })
      await touch('touchEnd')
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(50)
      await expect(bar(page)).toHaveCount(0)
    })
  })
})
