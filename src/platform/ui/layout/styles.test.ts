import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const styles = readFileSync(new URL('styles.css', import.meta.url), 'utf8')

type Color = readonly [lightness: number, chroma: number, hue: number]

const themes = ['light', 'dark'] as const

/** What the entries of the sidebar, its menus and the rows of a list stand on, also under the pointer. */
const backgrounds = ['paper', 'sunken', 'raised', 'hover']

describe.each(themes)("the circle beside a list's name, in the %s theme", (theme) => {
  test.each([1, 2, 3, 4, 5, 6])('can be seen in colour %i, wherever it stands', (color) => {
    // The lowest is 3.36:1, colour 3 on `hover` in the light theme.
    const contrasts = backgrounds.map((name) => contrast(token(`list-${color}`, theme), token(name, theme)))
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(3)
  })

  test.each(['accent', 'amber', 'danger'])('is never taken for %s', (meaning) => {
    const [, , forbidden] = token(meaning, theme)
    for (const color of [1, 2, 3, 4, 5, 6]) {
      const [, , hue] = token(`list-${color}`, theme)
      const apart = Math.abs(hue - forbidden) % 360
      expect(Math.min(apart, 360 - apart), `colour ${color}`).toBeGreaterThan(20)
    }
  })
})

function token(name: string, theme: (typeof themes)[number]): Color {
  const values = new RegExp(`--${name}: light-dark\\((.*)\\);`).exec(styles)?.[1] ?? ''
  const colors = [...values.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)]
  const [, lightness, chroma, hue] = (theme === 'light' ? colors[0] : colors[1]) ?? []
  if (hue === undefined) throw new Error(`No colour ${name}`)
  return [Number(lightness), Number(chroma), Number(hue)]
}

/** As WCAG 2 defines it. */
function contrast(one: Color, other: Color): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
}

/** From OKLCH over linear sRGB, whose channels are cut off where the screen ends. */
function luminance([lightness, chroma, hue]: Color): number {
  const angle = (hue * Math.PI) / 180
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => Math.min(1, Math.max(0, channel)))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
