import { expect, type Page } from '@playwright/test'
import { resize } from './testing/looks/looks.ts'
import { test } from './testing/person/person.ts'
import { details, kept, noteOf, openDetails, titleIn, titleOf } from './testing/screens/task-details.ts'
import { addButton, field, openList, openTasks, row, tick } from './testing/screens/todo-list.ts'

// Details lie over the list: it keeps its place, and all of it can be used.

const titles = Array.from({ length: 30 }, (_, place) => `Task ${place}`)
const left = async (page: Page) => (await details(page).boundingBox())?.x ?? 0

/** Where the head of the page, its field and every row stand in the window. */
const places = (page: Page) =>
  page.locator('header, h1, form, [data-row]').evaluateAll((parts) =>
    parts
      .filter((part) => !part.closest('[role=dialog]'))
      .map((part) => part.getBoundingClientRect())
      .map(({ x, y, width, height }) => [x, y, width, height]),
  )

/** The sum of all layout shifts since the page was opened, those that follow a press included. */
const shifted = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((found) => {
        let sum = 0
        const observer = new PerformanceObserver((list) => {
          for (const shift of list.getEntries()) sum += 'value' in shift ? Number(shift.value) : 0
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => {
          observer.disconnect()
          found(sum)
        }, 200)
      }),
  )

test('opening and closing the details of a task moves nothing', async ({ page }) => {
  await openList(page, { open: titles })
  await page.evaluate(() => document.querySelector('form')?.style.setProperty('margin-top', '80px'))
  expect(await shifted(page), 'what moves is counted').toBeGreaterThan(0)
  for (const width of [1024, 1200, 1280, 1440, 1599, 1600, 1700, 1920]) {
    await resize(page, width)
    await page.mouse.move(5, 400)
    await page.evaluate(() => scrollTo(0, 200))
    const before = await places(page)
    const shiftedBefore = await shifted(page)
    const scrolled = await page.evaluate(() => scrollY)
    await openDetails(page, 'Task 8')
    expect(await places(page), `${width} px, open`).toEqual(before)
    const { x, y } = await page.evaluate(() => {
      const box = document.querySelector('[data-title][aria-expanded=true]')?.getBoundingClientRect()
      return { x: box?.x ?? 0, y: box?.y ?? 0 }
    })
    expect(
      await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest('[data-row]') !== null, [
        x + 5,
        y + 5,
      ] as const),
      'its row is in sight',
    ).toBe(true)
    await page.keyboard.press('Escape')
    await expect(details(page)).toHaveCount(0)
    expect(await places(page), `${width} px, closed`).toEqual(before)
    expect(await page.evaluate(() => scrollY)).toBe(scrolled)
    expect(await shifted(page), `${width} px`).toBe(shiftedBefore)
  }
})

test('the panel of details', async ({ page }) => {
  await openList(page, { open: titles })
  await openDetails(page, 'Task 0')
  const list = openTasks(page)

  await test.step('leaves titles and due dates in sight, and stands beside the list where there is room', async () => {
    for (const [width, own] of [
      [1024, 360],
      [1200, 320],
      [1280, 360],
      [1440, 440],
      [1600, 360],
      [1920, 360],
    ] as const) {
      await resize(page, width)
      expect(await left(page), `${width} px`).toBe(width - own)
      const { x = 0, width: wide = 0 } = (await list.boundingBox()) ?? {}
      if (width >= 1600) expect(x + wide).toBeLessThanOrEqual(width - own - 24)
      else if (width >= 1200) expect(await left(page)).toBe(x + 528 + 8)
    }
    await resize(page, 1280)
    await page.keyboard.press('Control+b')
    await expect(async () => {
      const { x = 0 } = (await list.boundingBox()) ?? {}
      expect(await left(page)).toBeGreaterThanOrEqual(x + 528 + 8)
    }).toPass()
    await page.keyboard.press('Control+b')
  })

  await test.step('begins below the top bar, whose buttons stay in reach', async () => {
    const bar = await page.getByRole('banner').boundingBox()
    expect((await details(page).boundingBox())?.y).toBe((bar?.y ?? 0) + (bar?.height ?? 0))
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(details(page)).toBeVisible()
  })

  await test.step('leaves the list in use: rows are ticked, and N adds a task whose text ends at the panel', async () => {
    await tick(row(page, 'Task 3')).check()
    await expect(details(page)).toBeVisible()
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('n')
    await expect(field(page)).toBeFocused()
    await expect(details(page)).toBeVisible()
    const textEnds = () =>
      field(page).evaluate(
        (area) => area.getBoundingClientRect().right - parseFloat(getComputedStyle(area).paddingRight),
      )
    expect(await textEnds()).toBeLessThanOrEqual(await left(page))
    await page.keyboard.type('Buy milk')
    await page.keyboard.press('Enter')
    await expect(row(page, 'Buy milk')).toBeVisible()
    await expect(details(page)).toBeVisible()
    await tick(row(page, 'Buy milk')).focus()
    expect(await textEnds()).toBeGreaterThan(await left(page))
  })

  await test.step('closes for a control that it covers, which keeps the focus, and what was typed is saved', async () => {
    await noteOf(page)
      .or(details(page).getByRole('button', { name: 'Add a note' }))
      .first()
      .click()
    await noteOf(page).fill('Two litres')
    await field(page).focus()
    await field(page).fill('Bread')
    await expect(addButton(page)).toBeEnabled()
    const sort = page.getByRole('button', { name: /^Sort by/ })
    await field(page).press('Shift+Tab')
    await expect(sort).toBeFocused()
    await expect(details(page)).toHaveCount(0)
    await expect(sort).toBeFocused()
    await expect(field(page)).toHaveValue('Bread')
    await expect.poll(() => kept(page, 'Task 0')).toMatchObject({ note: 'Two litres' })
    await expect(page).toHaveURL(/\/todos$/)
  })

  await test.step('opens for another task by its title alone, and the title keeps its place under the pointer', async () => {
    await field(page).clear()
    await titleIn(row(page, 'Task 5')).click()
    await expect(titleOf(page)).toHaveValue('Task 5')
    await titleIn(row(page, 'Task 6')).click()
    await expect(titleOf(page)).toHaveValue('Task 6')
  })
})
