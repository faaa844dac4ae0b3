import { expect, test } from 'vitest'
import { nearerSpan, type Span, spanAtOnce } from './near-rows.ts'

const inView = (startIndex: number, count = 1_000) => ({ startIndex, endIndex: startIndex + 19, count })

/** The spans of the frames that follow, until nothing changes. */
function frames(now: Span, startIndex: number): Span[] {
  const next = nearerSpan(now, inView(startIndex))
  return next ? [next, ...frames(next, startIndex)] : []
}

test('rows in the window are built in the very frame, and two beyond each edge', () => {
  expect(spanAtOnce({ from: 0, to: 22 }, inView(10))).toEqual({ from: 0, to: 32 })
  expect(spanAtOnce({ from: 0, to: 22 }, inView(500))).toEqual({ from: 498, to: 522 })
  expect(spanAtOnce({ from: 498, to: 522 }, inView(0))).toEqual({ from: 0, to: 22 })
})

test('the rest comes in a few frames, of which none builds more than two rows at an edge', () => {
  const spans = frames({ from: 498, to: 522 }, 500)
  expect(spans.at(-1)).toEqual({ from: 492, to: 528 })
  expect(spans.length).toBeLessThan(6)
  let before = { from: 498, to: 522 }
  for (const span of spans) {
    expect(before.from - span.from).toBeLessThanOrEqual(2)
    expect(span.to - before.to).toBeLessThanOrEqual(2)
    before = span
  }
})

test('rows that are left behind go little by little, but none stays far away', () => {
  expect(nearerSpan({ from: 492, to: 528 }, inView(504))).toEqual({ from: 493, to: 529 })
  expect(spanAtOnce({ from: 492, to: 528 }, inView(512)).from).toBe(496)
})

test('no row is built before the first or after the last', () => {
  expect(frames({ from: 0, to: 22 }, 0).at(-1)).toEqual({ from: 0, to: 28 })
  expect(frames({ from: 970, to: 1_000 }, 980).at(-1)).toEqual({ from: 972, to: 1_000 })
  expect(spanAtOnce({ from: 0, to: 30 }, { startIndex: 5, endIndex: 11, count: 12 })).toEqual({
    from: 0,
    to: 12,
  })
})
