import { expect, type Page } from '@playwright/test'
import { extendTailwindMerge } from 'tailwind-merge'

/**
 * Fails with the elements of which two class names set the same property: the place in the stylesheet would decide between
 * them. What a caller may override is written with `base:`.
 */
export async function expectNoClassesInConflict(page: Page) {
  const all = await page.evaluate(() => [
    ...new Set(
      [...document.querySelectorAll('[class]')].map((element) => element.getAttribute('class') ?? ''),
    ),
  ])
  expect(all.length, 'there are class names').toBeGreaterThan(0)
  expect(all.filter((names) => overridden(names).length > 0)).toEqual([])
}

function overridden(names: string): string[] {
  const kept = new Set(merged(names).split(' '))
  return names.split(/\s+/).filter((name) => name !== '' && !kept.has(name))
}

/** It has to know our own names, or it would take `text-body` for a colour. */
const merged = extendTailwindMerge({
  extend: {
    theme: {
      text: ['timer', 'hero', 'hero-phone', 'number', 'title', 'heading', 'body', 'control', 'small'],
      radius: ['cell', 'box', 'control', 'large', 'card', 'dialog'],
      shadow: ['1', '2', '3'],
      ease: ['calm'],
      animate: ['spin', 'rise-in', 'fade-in', 'fade-out', 'slide-in', 'slide-out'],
    },
  },
})
