import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '#testing/runs.ts'
import { firstPositions, lastPosition, moveAfter, moveBefore, shortenAround } from './move.ts'
import { byPosition, isPosition, longestPosition, newestFirst, newestLast, type Placed } from './position.ts'

const idOf = (number: number) => `0199c000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
const rowAt = (number: number, position: string): Placed => ({ id: idOf(number), position })
const orderOf = (rows: readonly Placed[]) => rows.toSorted(byPosition).map(({ id }) => id)

function withMoves(rows: readonly Placed[], moves: readonly Placed[]): Placed[] {
  const moved = new Map(moves.map((move) => [move.id, move]))
  return rows.map((row) => moved.get(row.id) ?? row)
}

const expected = (rows: readonly Placed[], id: string, above: string | undefined) => {
  const others = orderOf(rows).filter((other) => other !== id)
  return others.toSpliced(above === undefined ? 0 : others.indexOf(above) + 1, 0, id)
}

/** Rows some of which share a position, as devices make them while offline. */
const somePlaces = fc
  .array(fc.constantFrom('a0', 'a0V', 'a1', 'a1', 'a1V', 'a2', 'Zz', 'h3zXq01a5', 'a1lV'), {
    minLength: 2,
    maxLength: 12,
  })
  .map((positions) => positions.map((position, number) => rowAt(number, position)))

describe('a move', () => {
  it('puts the row where it was dropped, whatever shares a position, and moves no other', () => {
    fc.assert(
      fc.property(somePlaces, fc.nat(), fc.integer({ min: -1, max: 20 }), (rows, which, where) => {
        const id = rows[which % rows.length]?.id ?? ''
        const others = orderOf(rows).filter((other) => other !== id)
        const above = where < 0 ? undefined : others[where % others.length]
        const moves = moveAfter(rows, id, above)
        expect(orderOf(withMoves(rows, moves))).toEqual(expected(rows, id, above))
        expect(moves.every(({ position }) => isPosition(position))).toBe(true)
      }),
      { numRuns: runs(100_000, 2_000) },
    )
  })

  it('to the top is possible wherever the first one stands', () => {
    const ends = ['0', '01', '0V', '0W', '1', '1V', '2', '9', '10', 'z'].map(
      (end) => `A${'0'.repeat(25)}${end}`,
    )
    for (const first of ends.filter(isPosition)) {
      let rows = ['a0', first].map((position, number) => rowAt(number, position))
      for (let times = 0; times < 20; times++) {
        const id = orderOf(rows)[1] ?? ''
        rows = withMoves(rows, moveAfter(rows, id, undefined))
        expect(orderOf(rows)[0]).toBe(id)
        expect(rows.filter(({ position }) => !isPosition(position))).toEqual([])
      }
      const shortened = shortenAround(rows.toSorted(byPosition), rows[0]?.id ?? '')
      expect(orderOf(withMoves(rows, shortened))).toEqual(orderOf(rows))
      expect(shortened.filter(({ position }) => !isPosition(position))).toEqual([])
    }
  })

  it('writes one row, or none if it stands there already', () => {
    const rows = ['a0', 'a1', 'a2', 'a3'].map((position, number) => rowAt(number, position))
    expect(moveAfter(rows, idOf(3), idOf(0))).toEqual([rowAt(3, 'a0V')])
    expect(moveAfter(rows, idOf(3), undefined)).toEqual([rowAt(3, 'Zz')])
    expect(moveAfter(rows, idOf(0), idOf(3))).toEqual([rowAt(0, 'a4')])
    expect(moveAfter(rows, idOf(1), idOf(0))).toEqual([])
    expect(moveBefore(rows, idOf(3), idOf(1))).toEqual([rowAt(3, 'a0V')])
    expect(moveBefore(rows, idOf(0), undefined)).toEqual([rowAt(0, 'a4')])
    expect(moveBefore(rows, idOf(1), idOf(2))).toEqual([])
  })

  it('between two or three of the same position writes two rows', () => {
    const [two, three] = [
      [rowAt(1, 'a1'), rowAt(2, 'a1'), rowAt(9, 'a5')],
      [rowAt(1, 'a1'), rowAt(2, 'a1'), rowAt(3, 'a1'), rowAt(9, 'a5')],
    ]
    expect(moveAfter(two, idOf(9), idOf(1))).toHaveLength(2)
    expect(moveAfter(three, idOf(9), idOf(1))).toHaveLength(2)
    expect(moveAfter(three, idOf(9), idOf(2))).toHaveLength(2)
  })
})

describe('a new row', () => {
  it('stands first where the newest come first, also above one that was moved to the top a moment ago', () => {
    const rows = [{ id: idOf(1), position: newestFirst({ id: idOf(1), created: 1_000_000 }) }]
    const ofCreation = newestFirst({ id: idOf(2), created: 1_000_001 })
    expect(firstPositions(rows, [ofCreation])).toEqual([ofCreation])
    // Made on a device whose clock is ahead.
    const late = newestFirst({ id: idOf(2), created: 999_000 })
    const [position = ''] = firstPositions(rows, [late])
    expect(orderOf([...rows, { id: idOf(2), position }])).toEqual([idOf(2), idOf(1)])
  })

  it('of several made at once, each stands where its place among them is, also before rows of a clock that is ahead', () => {
    const madeAt = [30, 20, 10].map((created, place) => ({ id: idOf(30 - place), created }))
    const ofCreation = madeAt.map(newestFirst)
    expect(firstPositions([rowAt(1, newestFirst({ id: idOf(1), created: 5 }))], ofCreation)).toEqual(
      ofCreation,
    )
    for (const ahead of ['a0', newestFirst({ id: idOf(1), created: 15 })]) {
      const rows = [rowAt(1, ahead)]
      const places = firstPositions(rows, ofCreation)
      const added = madeAt.map(({ id }, place) => ({ id, position: places[place] ?? '' }))
      expect(orderOf([...rows, ...added])).toEqual([...madeAt.map(({ id }) => id), idOf(1)])
    }
  })

  it('stands last where the newest come last', () => {
    const rows = [1, 2].map((number) => ({
      id: idOf(number),
      position: newestLast({ id: idOf(number), created: number }),
    }))
    expect(orderOf([...rows, { id: idOf(3), position: lastPosition(rows) }])).toEqual([
      idOf(1),
      idOf(2),
      idOf(3),
    ])
    expect(lastPosition([])).toBe('a0')
  })
})

describe('positions that have become too long', () => {
  it('are shortened with their neighbours, and the order stays', () => {
    let rows = [rowAt(0, 'a0'), rowAt(1, 'a1')]
    for (let number = 2; number < 400; number++) {
      const [top] = orderOf(rows)
      rows = [...rows, rowAt(number, 'zz')]
      rows = withMoves(rows, moveAfter(rows, idOf(number), top))
      const longest = rows.find(({ position }) => position.length > longestPosition)
      if (!longest) continue
      const before = orderOf(rows)
      rows = withMoves(rows, shortenAround(rows.toSorted(byPosition), longest.id))
      expect(orderOf(rows)).toEqual(before)
    }
    expect(Math.max(...rows.map(({ position }) => position.length))).toBeLessThanOrEqual(longestPosition)
  })

  it('keep their order wherever they are, and whatever shares a position', () => {
    fc.assert(
      fc.property(somePlaces, fc.nat(), (rows, which) => {
        // Rows of one position are in the order of their ids, and parted in it.
        const moves = shortenAround(rows.toSorted(byPosition), rows[which % rows.length]?.id ?? '')
        expect(orderOf(withMoves(rows, moves))).toEqual(orderOf(rows))
      }),
      { numRuns: runs(20_000, 500) },
    )
  })
})
