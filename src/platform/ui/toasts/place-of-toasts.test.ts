import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { type Box, placeOfToasts, roomAboveSheet } from './place-of-toasts.ts'

const box = (left: number, top: number, right: number, bottom: number): Box => ({ left, top, right, bottom })
const place = (usual: Box, obstacles: readonly Box[]) => placeOfToasts(usual, obstacles, 12)
/** At the bottom right of a window of 1280 x 800 px. */
const usual = box(900, 712, 1256, 776)

describe('toasts', () => {
  test('stay at the bottom right while nothing is in their way', () => {
    expect(place(usual, [])).toEqual({ x: 0, y: 0 })
    expect(place(usual, [box(0, 0, 256, 800)])).toEqual({ x: 0, y: 0 })
  })

  test('stand 12 px above the bar of selected tasks', () => {
    expect(place(usual, [box(384, 720, 1152, 776)])).toEqual({ x: 0, y: 720 - 12 - 776 })
  })

  test('stand left of details that are as high as the window', () => {
    expect(place(usual, [box(920, 56, 1280, 800)])).toEqual({ x: 920 - 12 - 1256, y: 0 })
  })

  test('stand left of the details and above the bar at once', () => {
    const found = place(usual, [box(920, 56, 1280, 800), box(384, 720, 912, 776)])
    expect(found).toEqual({ x: 920 - 12 - 1256, y: 720 - 12 - 776 })
  })

  test('stand above a sheet, and closer to one that leaves little room', () => {
    const onPhone = box(16, 700, 374, 764)
    expect(place(onPhone, [box(0, 400, 390, 844)])).toEqual({ x: 0, y: 400 - 12 - 764 })
    expect(place(onPhone, [box(0, 72, 390, 844)])).toEqual({ x: 0, y: 72 - 2 - 764 })
  })

  test('have no place above a sheet without room, until it makes room', () => {
    const onPhone = box(16, 600, 374, 764)
    expect(place(onPhone, [box(0, 72, 390, 844)])).toBeUndefined()
    expect(place(onPhone, [box(0, roomAboveSheet(164), 390, 844)])).toEqual({ x: 0, y: 166 - 764 })
  })

  test('cover none of what is in their way, and stay in the window', () => {
    const anyBox = fc
      .record({ x: fc.nat(1280), y: fc.nat(800), width: fc.nat(800), height: fc.nat(800) })
      .map(({ x, y, width, height }) => box(x, y, x + width, y + height))
    fc.assert(
      fc.property(fc.array(anyBox, { maxLength: 4 }), (obstacles) => {
        const found = place(usual, obstacles)
        if (!found) return
        const [left, right] = [usual.left + found.x, usual.right + found.x]
        const [top, bottom] = [usual.top + found.y, usual.bottom + found.y]
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(2)
        expect(right).toBeLessThanOrEqual(usual.right)
        for (const each of obstacles)
          expect(left >= each.right || right <= each.left || top >= each.bottom || bottom <= each.top).toBe(
            true,
          )
      }),
      { numRuns: runs(5_000, 200) },
    )
  })
})
