import { expect, type Locator, type Page } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { readsOf } from './testing/connection/reads.ts'
import { settled } from './testing/connection/settled.ts'
import {
  expectNothingSticksOut,
  hands,
  holdToasts,
  inEveryLook,
  leastShownOfAWeek,
  resize,
} from './testing/looks/looks.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'
import {
  addButton,
  days,
  daysAgo,
  dialog,
  habits,
  inWords,
  type KeptHabit,
  keepHabits,
  name,
  openHabits,
  remove,
  row,
  streak,
  tick,
  toasts,
  year,
} from './testing/screens/habit-list.ts'

test.use({ timezoneId: 'UTC' })

const kept: KeptHabit[] = [
  {
    name: 'Read 20 pages',
    description: 'Before bed, phone in the other room',
    start: daysAgo(200),
    done: [0, 1, 2, 5, 9, 30, 31, 90].map((ago) => daysAgo(ago)),
  },
  {
    name: 'Practise the cello',
    description: 'Scales first, then the Bach',
    done: [2, 4].map((ago) => daysAgo(ago)),
  },
  { name: 'Long run', frequency: 'weekly', done: [daysAgo(9)] },
]
const sentence = Array.from({ length: 100 }, (_, place) => ['tide', 'lemon', 'a', 'plans'][place % 4]).join(
  ' ',
)
const long: KeptHabit[] = [
  { name: 'x'.repeat(500), description: 'y'.repeat(600), done: [daysAgo(0)] },
  { name: sentence, description: `${sentence} ${sentence}` },
]

/** Opened, with its data loaded and nothing moving. */
async function unfold(habit: Locator) {
  await name(habit).click()
  await expect(year(habit)).toHaveAttribute('aria-busy', 'false')
}

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}, at ${widths.join(' and ')} px, in both themes`, () => {
    test.use(use)

    const judge = (page: Page) =>
      inEveryLook(page, widths, async ({ width, expectNoAxeViolations }) => {
        await expectNothingSticksOut(page)
        // Axe takes its time over a year of buttons, so two widths represent the layouts.
        if (width === 360 || width === 1280) await expectNoAxeViolations()
      })

    test('from nothing to a list', async ({ page }) => {
      await signUpBehindTheScreens(page)
      const letGo = await holdRequest(page, readsOf('habits'))
      await page.goto('/habits')

      await test.step('the loading state and an empty list pass the accessibility check', async () => {
        await expect(page.getByRole('heading', { level: 1, name: 'Habits' })).toBeVisible()
        await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeAttached()
        await judge(page)
        letGo()
        await expect(page.getByText('No habits found. Start by creating one!')).toBeVisible()
        await judge(page)
        await settled(page)
      })

      await test.step('the list and opened habits fit and pass the accessibility check', async () => {
        await keepHabits(page, kept)
        await row(page, 'Long run').waitFor()
        await settled(page)
        await judge(page)
        await unfold(row(page, 'Long run'))
        await judge(page)
        await name(row(page, 'Long run')).click()
        await unfold(row(page, 'Read 20 pages'))
        await judge(page)
      })
    })

    test('of long names, large text, the dialog and a toast', async ({ page }) => {
      await openHabits(page, [...kept, ...long])

      await test.step('long names and descriptions wrap, open and closed', async () => {
        const wraps = () =>
          inEveryLook(page, widths, async () => {
            for (const habit of long) {
              expect(
                await name(row(page, habit.name)).evaluate((it) => it.scrollWidth <= it.clientWidth + 1),
              ).toBe(true)
            }
          })
        await wraps()
        await judge(page)
        for (const habit of long) await unfold(row(page, habit.name))
        await wraps()
        // What the top bar covers counts as just as large.
        await page.evaluate(() => scrollTo(0, 0))
        await judge(page)
        for (const habit of long) await name(row(page, habit.name)).click()
      })

      await test.step('nothing is cut off: name, badge, description, streak, days, facts, the dialog', async () => {
        await resize(page, hand === 'touch' ? 320 : 1280)
        const twice = await page.addStyleTag({ content: 'html { font-size: 200% }' })
        await expectNothingSticksOut(page)
        const reading = row(page, 'Read 20 pages')
        await unfold(reading)
        await expectNothingSticksOut(page)
        for (const part of [
          name(reading),
          reading.getByText('Daily', { exact: true }),
          reading.getByText('Before bed, phone in the other room'),
          streak(reading),
          ...(await reading.getByRole('definition').all()),
        ]) {
          await part.scrollIntoViewIfNeeded()
          await expect(part).toBeInViewport({ ratio: 1 })
          expect(
            await part.evaluate(
              (it) => it.scrollWidth <= Math.max(it.clientWidth, it.getBoundingClientRect().width) + 1,
            ),
          ).toBe(true)
        }
        const places = await days(reading).evaluateAll((them) =>
          them.map((it) => it.getBoundingClientRect().y),
        )
        expect(new Set(places).size, 'seven days in one line').toBe(1)
        await addButton(page).click()
        await expectNothingSticksOut(page)
        const submit = dialog(page).getByRole('button', { name: 'Add Habit' })
        await submit.scrollIntoViewIfNeeded()
        await expect(submit).toBeInViewport({ ratio: 1 })
        await page.keyboard.press('Escape')
        await twice.evaluate((style) => style.parentNode?.removeChild(style))
        await name(reading).click()
      })

      await test.step('the dialog with an error and a toast fit and pass the accessibility check', async () => {
        await addButton(page).click()
        await dialog(page).getByLabel('Habit Title').fill('x'.repeat(501))
        await judge(page)
        await page.keyboard.press('Escape')
        await name(row(page, 'Long run')).click()
        await remove(row(page, 'Long run')).click()
        await expect(toasts(page)).toBeVisible()
        await holdToasts(page)
        await page.evaluate(() => scrollTo(0, 0))
        await judge(page)
        await expect(toasts(page)).toBeVisible()
      })
    })

    test.describe('when the list cannot be loaded', () => {
      test.use({ mayLog: /Failed to load resource|Could not read habits/ })

      test('the error state passes the accessibility check', async ({ page }) => {
        await signUpBehindTheScreens(page)
        await page.route(readsOf('habits'), (route) =>
          route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'It broke.' } }),
        )
        await page.goto('/habits')
        await expect(page.getByText("Your habits couldn't be loaded.")).toBeVisible()
        await judge(page)
      })
    })
  })
}

test.describe('on touch', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('every target is at least 44 px, and the days align with the text', async ({ page }) => {
    await openHabits(page, kept)
    const reading = row(page, 'Read 20 pages')
    for (const target of [tick(reading), name(reading), ...(await days(reading).all())]) {
      const [width, height] = await hitSize(target)
      expect(width).toBeGreaterThanOrEqual(44)
      expect(height).toBeGreaterThanOrEqual(44)
    }
    const first = await days(reading).first().boundingBox()
    const last = await days(reading).last().boundingBox()
    expect(first?.x).toBe(16)
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeCloseTo(344, 0)
    await name(reading).tap()
    for (const button of ['Edit habit', 'Delete habit', 'Previous day']) {
      const box = await reading.getByRole('button', { name: button }).boundingBox()
      expect(box?.height).toBeGreaterThanOrEqual(44)
      expect(box?.width).toBeGreaterThanOrEqual(44)
    }
  })
})

/** How far from its centre a press still hits it, in px. */
function hitSize(target: Locator): Promise<[number, number]> {
  return target.evaluate((element) => {
    element.scrollIntoView({ block: 'center' })
    const { x, y, width, height } = element.getBoundingClientRect()
    const meets = (left: number, top: number) => {
      const met = document.elementFromPoint(left, top)
      return met !== null && (met === element || element.contains(met))
    }
    const reach = (dx: number, dy: number) => {
      let far = 0
      while (meets(x + width / 2 + dx * (far + 1), y + height / 2 + dy * (far + 1))) far += 1
      return far
    }
    return [reach(-1, 0) + reach(1, 0) + 1, reach(0, -1) + reach(0, 1) + 1]
  })
}

test('the focus, the year, the lines and motion', async ({ page }) => {
  await openHabits(page, kept)
  const reading = row(page, 'Read 20 pages')

  await test.step('the focus is visible on everything that can have it', async () => {
    await unfold(reading)
    await addButton(page).focus()
    const seen = new Set<string>()
    for (let stop = 0; stop < 8; stop += 1) {
      await page.keyboard.press('Tab')
      const [what, outline] = await page.evaluate(() => {
        const focused = document.activeElement
        const drawn = [focused, focused?.nextElementSibling, focused?.firstElementChild].map((it) =>
          it ? getComputedStyle(it).outlineStyle : 'none',
        )
        return [focused?.ariaLabel ?? focused?.textContent, drawn.includes('solid') || drawn.includes('auto')]
      })
      expect(outline, String(what)).toBe(true)
      seen.add(String(what))
    }
    expect([...seen]).toContain(`Read 20 pages, ${inWords(daysAgo(0))}, done`)
    expect([...seen]).toContain(`${inWords(daysAgo(0))}, done`)
    await name(reading).click()
  })

  await test.step('no partial week shows beside the weekdays of an open habit, at any width', async () => {
    await unfold(reading)
    for (const width of [320, 360, 361, 365, 369, 414, 500, 768, 900, 1000]) {
      await resize(page, width)
      expect(await leastShownOfAWeek(year(reading)), `${width} px`).toBeGreaterThan(10)
    }
    await name(reading).click()
  })

  await test.step('an open habit shows no line of the row above behind its card', async () => {
    await resize(page, 360)
    const line = (habit: Locator) =>
      habit.evaluate((it) => getComputedStyle(it).boxShadow.includes('0px 1px 0px'))
    const above = row(page, 'Read 20 pages')
    await expect.poll(() => line(above)).toBe(true)
    await unfold(row(page, 'Practise the cello'))
    await expect.poll(() => line(above)).toBe(false)
    await name(row(page, 'Practise the cello')).click()
    await expect.poll(() => line(above)).toBe(true)
    await resize(page, 1280)
  })

  await test.step('nothing moves for someone who prefers reduced motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.evaluate(() => {
      const moved: unknown[] = []
      for (const kind of ['transitionrun', 'animationstart']) {
        document.addEventListener(kind, ({ target }) => moved.push(target), true)
      }
      Object.assign(window, { moved })
    })
    await unfold(reading)
    await tick(reading).click()
    await days(reading).nth(3).click()
    await name(reading).click()
    await expect(year(reading)).toHaveCount(0)
    expect(await page.evaluate('moved.length')).toBe(0)
  })
})

test('the keyboard', async ({ page }) => {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await openHabits(page)

  await test.step('with the keyboard alone: add, complete, set a day, open, edit, delete and undo', async () => {
    await press('n')
    await expect(dialog(page).getByLabel('Habit Title')).toBeFocused()
    await page.keyboard.type('Read')
    await press('Tab', 'Tab', 'w', 'Tab', 'Tab', 'Tab', 'Tab', 'Enter')
    await expect(row(page, 'Read')).toBeVisible()
    await expect(row(page, 'Read').getByText('Weekly', { exact: true })).toBeVisible()
    await expect(addButton(page)).toBeFocused()

    await press('Tab', 'Space')
    const reading = row(page, 'Read')
    await expect(tick(reading)).toBeFocused()
    await expect(tick(reading)).toBeChecked()
    await press('Tab', 'Tab')
    await expect(days(reading).last()).toBeFocused()
    await press('ArrowLeft', 'ArrowLeft', 'Enter')
    await expect(days(reading).nth(4)).toHaveAttribute('aria-pressed', 'true')
    await press('Home')
    await expect(days(reading).first()).toBeFocused()
    await press('End')
    await expect(days(reading).last()).toBeFocused()

    await press('Shift+Tab', 'Enter')
    await expect(name(reading)).toHaveAttribute('aria-expanded', 'true')
    await press('Tab')
    await expect(reading.getByRole('button', { name: 'Edit habit' })).toBeFocused()
    await press('Enter')
    await expect(dialog(page).getByLabel('Habit Title')).toHaveValue('Read')
    await page.keyboard.type('Read a book')
    await press('Enter')
    const renamed = row(page, 'Read a book')
    await expect(renamed.getByRole('button', { name: 'Edit habit' })).toBeFocused()
    await press('Tab', 'Tab')
    await expect(remove(renamed)).toBeFocused()
    await press('Enter')
    await expect(habits(page)).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(toasts(page)).toContainText('Habit deleted')
    await press('Alt+t', 'Tab', 'Tab')
    await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
    await press('Enter')
    await expect(tick(renamed)).toBeFocused()
  })

  await test.step('N does nothing while typing, or when it is turned off', async () => {
    await page.evaluate(() => {
      localStorage.setItem('daymark-single-keys', 'off')
      window.dispatchEvent(new StorageEvent('storage', { key: 'daymark-single-keys', newValue: 'off' }))
    })
    await page.keyboard.press('n')
    await settled(page)
    await expect(dialog(page)).toHaveCount(0)
    await addButton(page).click()
    await expect(dialog(page).getByLabel('Habit Title')).toBeFocused()
    await page.keyboard.type('n')
    await expect(dialog(page).getByLabel('Habit Title')).toHaveValue('n')
    await expect(dialog(page)).toHaveCount(1)
  })
})
