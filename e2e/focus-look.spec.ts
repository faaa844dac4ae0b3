import { expect, type Page } from '@playwright/test'
import { allSaved } from './testing/connection/settled.ts'
import { expectNothingSticksOut, hands, inEveryLook, resize } from './testing/looks/looks.ts'
import { whileAnswered } from './testing/person/passing-time.ts'
import { test, withoutEvents } from './testing/person/person.ts'
import {
  button,
  countdown,
  day,
  expectLeft,
  minute,
  morning,
  nextMorning,
  openTimer,
  pass,
  second,
  sessions,
} from './testing/screens/focus-timer.ts'

// When minutes pass in a moment, a request in progress takes too long.
test.use({
  fakeClock: true,
  timezoneId: 'UTC',
  mayLog: /Could not read [\w-]+: none|session could not be read TimeoutError/,
})
test.beforeEach(({ page }) => withoutEvents(page))

for (const { hand, widths, use } of hands) {
  test.describe(`with ${hand}, at ${widths.join(' and ')} px, in both themes`, () => {
    test.use(use)

    test('the timer in every state', async ({ page }) => {
      const judge = () =>
        inEveryLook(page, widths, async ({ width, expectNoAxeViolations }) => {
          await expectNothingSticksOut(page)
          if (width === 360 || width === 1280) await expectNoAxeViolations()
        })
      await openTimer(page)
      await page.clock.resume()

      await test.step('the sound button visibly ends where the column ends', async () => {
        const edges = () =>
          page.evaluate(() => {
            const head = document.querySelector('main h1')?.parentElement
            const sign = document.querySelector('main button[aria-label$="sound"] svg')
            return [head, sign].map((it) => Math.round(it?.getBoundingClientRect().right ?? 0))
          })
        for (const width of widths) {
          await resize(page, width)
          const [column, sign] = await edges()
          expect(sign, `${width} px`).toBe(column)
          await expectNothingSticksOut(page)
        }
      })

      await test.step('idle, running, paused and finished fit and pass the accessibility check', async () => {
        await judge()
        await button(page, 'Start').click()
        await page.clock.fastForward(13 * minute + 24 * second)
        await expectLeft(page, '11:36')
        await judge()
        await button(page, 'Pause').click()
        await expect(button(page, 'Start')).toBeVisible()
        await judge()
        await button(page, 'Start').click()
        await expect(button(page, 'Pause')).toBeVisible()
        await page.clock.fastForward(12 * minute)
        await expect(page.getByText("Time's up! Great work!")).toBeVisible()
        await expect(sessions(page)).toHaveCount(1)
        await judge()
      })
    })
  })
}

test('in place, without motion, with the keyboard alone, for a screen reader, and with larger text', async ({
  page,
}) => {
  await openTimer(page, morning - 12 * day)

  await test.step('Space starts and pauses, wherever the focus is', async () => {
    await page.keyboard.press('Space')
    await expect(button(page, 'Pause')).toBeVisible()
    await page.keyboard.press('Space')
    await expect(button(page, 'Start')).toBeVisible()
    await button(page, 'Start').focus()
    await page.keyboard.press('Space')
    await expect(button(page, 'Pause')).toBeVisible()
  })

  for (const width of [360, 1280]) {
    await test.step(`at ${width} px the ring, the digits, the button and today's sessions stay in place from start to end`, async () => {
      await nextMorning(page)
      await page.setViewportSize({ width, height: 800 })
      const places = async (main: string) => [
        await countdown(page)
          .boundingBox()
          .then((box) => box?.y),
        await button(page, main).boundingBox(),
        (await page.getByRole('region', { name: "Today's sessions" }).boundingBox())?.y,
      ]
      const before = await places('Start')
      await button(page, 'Start').click()
      await expect(button(page, 'Pause')).toBeVisible()
      expect(await places('Pause')).toEqual(before)
      await button(page, 'Pause').click()
      await expect(button(page, 'Save session')).toBeVisible()
      expect(await places('Start')).toEqual(before)
      await button(page, 'Start').click()
      await pass(page, 25 * minute)
      await expect(page.getByText("Time's up! Great work!")).toBeVisible()
      expect(await places('Reset')).toEqual(before)
    })
  }

  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await test.step(`motion: ${reducedMotion}`, async () => {
      await page.emulateMedia({ reducedMotion })
      await test.step('a press fades slightly, but not for someone who prefers no motion; the ring moves in steps for everybody', async () => {
        await nextMorning(page)
        await button(page, 'Start').hover()
        const lasting = () =>
          page.evaluate(() =>
            Math.max(
              0,
              ...document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().duration)),
            ),
          )
        if (reducedMotion === 'reduce') expect(await lasting()).toBeLessThanOrEqual(1)
        const duration = await button(page, 'Start').evaluate(
          (element) => Number.parseFloat(getComputedStyle(element).transitionDuration) * 1_000,
        )
        if (reducedMotion === 'reduce') expect(duration).toBeLessThanOrEqual(1)
        else expect(duration).toBe(100)
        await button(page, 'Start').click()
        await expect(button(page, 'Pause')).toBeVisible()
        await page.mouse.move(0, 0)
        await page.clock.runFor(5 * second)
        const ring = page.getByRole('main').locator('svg path.stroke-amber')
        await expect(ring).toHaveCount(1)
        expect(await ring.evaluate((path) => path.getAnimations().length)).toBe(0)
      })
    })
  }

  await test.step('Space on another button presses that one', async () => {
    await nextMorning(page)
    await button(page, 'Mute sound').focus()
    await page.keyboard.press('Space')
    await expect(button(page, 'Unmute sound')).toBeVisible()
    await expect(button(page, 'Start')).toBeVisible()
  })

  await test.step('a session can be deleted and restored', async () => {
    await nextMorning(page)
    for (let round = 0; round < 2; round++) {
      await button(page, 'Start').press('Enter')
      await expect(button(page, 'Pause')).toBeVisible()
      await pass(page, minute)
      await button(page, 'Save session').press('Enter')
      await expect(sessions(page)).toHaveCount(round + 1)
    }
    await page.clock.resume()
    await sessions(page)
      .first()
      .getByRole('button', { name: /^Delete session/ })
      .press('Enter')
    await expect(sessions(page)).toHaveCount(1)
    await expect(sessions(page).first()).toBeFocused()
    await page.keyboard.press('Alt+T')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(sessions(page)).toHaveCount(2)
    await allSaved(page)
  })

  await test.step('a screen reader announces that it was paused, that there is nothing to save yet, and that it was saved', async () => {
    await nextMorning(page)
    const said = await listen(page)
    await button(page, 'Start').click()
    await button(page, 'Pause').click()
    await expect.poll(said).toContain('Timer paused')
    await button(page, 'Save session').click()
    await expect(async () => {
      // The toast loads after the rest of the screen, and is announced a moment after it is shown.
      await page.clock.runFor(100)
      expect((await said()).some((text) => text.includes('Nothing to save yet'))).toBe(true)
    }).toPass()
    await button(page, 'Start').click()
    await pass(page, minute)
    await button(page, 'Pause').click()
    await button(page, 'Save session').click()
    await expect.poll(said).toContain('Session saved')
  })

  await test.step('a screen reader announces the start and the end, and not every second', async () => {
    await nextMorning(page)
    await expect(countdown(page)).toHaveAttribute('aria-live', 'off')
    const said = await listen(page)
    const letPass = whileAnswered(page, second)
    await button(page, 'Start').click()
    await expect.poll(said).toContain('Timer running')
    await page.clock.runFor(5 * second)
    const saidSince = async () => (await said()).slice((await said()).indexOf('Timer running'))
    await expect.poll(saidSince, 'emptied, to be heard again another time').toContain('')
    await page.evaluate('said.length = 0')
    await letPass(2 * minute)
    await expect(countdown(page)).toHaveText('22:55')
    expect(await said()).toEqual([])
    await page.clock.fastForward(20 * minute)
    await page.clock.runFor(3 * minute)
    await expect(async () => expect(await said()).toContain("Time's up! Great work!")).toPass()
  })

  await test.step('someone who turned off single-key shortcuts does not start it by accident', async () => {
    await nextMorning(page)
    await page.getByRole('button', { name: /account menu/ }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Single-key shortcuts' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('Space')
    await page.clock.runFor(second)
    await expect(countdown(page)).toHaveText('25:00')
  })

  await test.step('with larger text nothing is cut off or overflows', async () => {
    await page.setViewportSize({ width: 320, height: 800 })
    await button(page, 'Start').click()
    await expect(button(page, 'Save session')).toBeVisible()
    await page.addStyleTag({ content: ':root { font-size: 200% }' })
    await expectNothingSticksOut(page)
    const [digits, ring] = await Promise.all([
      countdown(page).boundingBox(),
      page.getByRole('main').locator('svg[viewBox="0 0 332 332"]').boundingBox(),
    ])
    expect(digits?.width).toBeLessThanOrEqual(ring?.width ?? 0)
  })
})

/** What live regions announce from now on. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(globalThis, { said })
    // The toasts' live region loads after the rest of the screen.
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const at = target instanceof Element ? target : target.parentElement
        const region = at?.closest('[aria-live=polite], [aria-live=assertive], [role=status]')
        if (region) said.push(region.textContent)
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
  })
  return () => page.evaluate<string[]>('said')
}
