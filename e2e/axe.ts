import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Those of WCAG 2.2, levels A and AA, that ask for colours. */
export const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** Fails with what axe finds against WCAG 2.2, levels A and AA, or against these rules of it. */
export async function expectNoAxeViolations(page: Page, rules?: readonly string[]) {
  // Colours are judged when they have arrived, not on their way; a spinner never arrives.
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    return Promise.allSettled(ending.map(({ finished }) => finished))
  })
  const axe = new AxeBuilder({ page })
    // Of what is well one example does, and no page here has frames of strangers: half the time, the same violations.
    .options({ resultTypes: ['violations'] })
    .setLegacyMode(true)
  // After the options, which would set all tags back.
  if (rules) axe.withRules([...rules])
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'])
  const { violations, passes } = await axe.analyze()
  expect(passes.length, 'axe looked at something').toBeGreaterThan(rules ? 0 : 5)
  expect(
    violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join('; ')}`,
    ),
  ).toEqual([])
}
