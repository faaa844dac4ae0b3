import { glob, readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { joined, type Shape } from '../scripts/web/icons-as-paths.mjs'

test('an icon as one path runs where the shapes of its package run', async ({ page }) => {
  const names = new Set<string>()
  for await (const file of glob('src/**/*.tsx')) {
    const [, imported = ''] =
      (await readFile(file, 'utf8')).match(/import \{([^}]*)\} from 'lucide-react'/) ?? []
    for (const [name] of imported.matchAll(/\b[A-Z]\w+/g)) names.add(name)
  }
  const icons: { name: string; shapes: readonly Shape[]; path: Shape[] }[] = []
  for (const name of names) {
    const file = name.replaceAll(/(?<=.)([A-Z])|(?<=[a-z])(\d)/g, '-$&').toLowerCase()
    // As a text, for its types leave out what the package's own components are made of.
    const source: string = `lucide-react/icons/${file}`
    const icon = await import(source).catch(() => undefined)
    if (icon?.__iconData)
      icons.push({ name, shapes: icon.__iconData.node, path: joined(icon.__iconData.node) })
  }
  expect(icons.length).toBeGreaterThan(40)

  const drawn = await page.evaluate((icons) => {
    const measure = (shapes: readonly Shape[]) => {
      const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
      const group = svg.appendChild(document.createElementNS(svg.namespaceURI ?? '', 'g'))
      document.body.append(svg)
      let length = 0
      for (const [tag, attributes] of shapes) {
        const shape = document.createElementNS(svg.namespaceURI ?? '', tag)
        for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value)
        group.append(shape)
        if (shape instanceof SVGGeometryElement) length += shape.getTotalLength()
      }
      const { x, y, width, height } = (group as SVGGElement).getBBox()
      const box = [x, y, width, height].map((number) => Math.round(number * 20) / 20)
      return { box, length }
    }
    return icons.map(({ name, shapes, path }) => ({ name, its: measure(shapes), ours: measure(path) }))
  }, icons)
  for (const { name, its, ours } of drawn) {
    expect(ours.box, name).toEqual(its.box)
    // The browser takes a small circle for a tenth shorter than the same as a path.
    expect(ours.length / its.length, name).toBeGreaterThan(0.98)
    expect(ours.length / its.length, name).toBeLessThan(1.12)
  }
})
