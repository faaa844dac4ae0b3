import { createRequire } from 'node:module'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

// By default the builder sends all of axe to the page twice for every check, which is half the cost of a check.
const { source: axeSource }: { source: string } = createRequire(import.meta.resolve('@axe-core/playwright'))(
  'axe-core',
)

/** The rules of WCAG 2.2, levels A and AA, that concern colours. */
export const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** Fails with the violations of WCAG 2.2, levels A and AA, that axe finds, or only of these rules. */
export async function expectNoAxeViolations(page: Page, rules?: readonly string[]) {
  // Check colours after their animations have ended; a spinner's never ends.
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    return Promise.allSettled(ending.map(({ finished }) => finished))
  })
  // What the bars of a phone cover is scrolled from below them, but axe looks at one place of the page.
  const laidOut = await page.addStyleTag({ content: '[data-bars] { position: static !important }' })
  const isThere = await page.evaluate(() => 'axe' in window)
  if (!isThere) await page.evaluate(axeSource)
  const axe = new AxeBuilder({ page, axeSource: 'void 0' })
    // One example per passed rule is enough, and no page here embeds third-party frames: the same violations in half the time.
    .options({ resultTypes: ['violations'] })
    .setLegacyMode(true)
  // After the options, which would reset all tags.
  if (rules) axe.withRules([...rules])
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'])
  const { violations, passes } = await axe.analyze()
  await laidOut.evaluate((style) => style.parentNode?.removeChild(style))
  expect(passes.length, 'axe looked at something').toBeGreaterThan(rules ? 0 : 5)
  expect(
    violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join('; ')}`,
    ),
  ).toEqual([])
}
