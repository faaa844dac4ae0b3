import { expect, test } from 'vitest'
import { minutesPerSegment, segmentsOf } from './ring-segments.ts'

test.each([1, 5, 25, 50, 60])('a phase of %i minutes has a segment for each of them', (minutes) => {
  const { segments } = segmentsOf(minutes)
  expect(segments.map(({ second }) => second)).toEqual(Array.from({ length: minutes }, (_, at) => at * 60))
})

test('beyond an hour a segment stands for five minutes, and the last one for what is left', () => {
  expect(minutesPerSegment(61)).toBe(5)
  expect(segmentsOf(90).segments).toHaveLength(18)
  expect(segmentsOf(62).segments.map(({ seconds }) => seconds)).toEqual([...Array(12).fill(300), 120])
})

test('whatever the length, the segments fill one turn in order, and none covers the next', () => {
  for (let minutes = 1; minutes <= 240; minutes++) {
    const { segments, radius } = segmentsOf(minutes)
    const first = segments[0]?.start ?? 0
    const ends = segments.map(({ start, span }) => start + span)
    const starts = [...segments.slice(1).map(({ start }) => start), 2 * Math.PI + first]
    for (const [place, end] of ends.entries()) {
      expect(segments[place]?.span, `${minutes} minutes`).toBeGreaterThan(0)
      // The middles of two rounded ends, which may touch only where a last dot has no room.
      const between = ((starts[place] ?? 0) - end) * radius
      expect(between, `${minutes} minutes`).toBeGreaterThan(place === segments.length - 1 ? 4 : 12)
    }
    expect(segments.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(minutes * 60)
  }
})
