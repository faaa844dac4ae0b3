import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Aim } from '#platform/browser/rows/note-aim.ts'
import { runs } from '#testing/runs.ts'
import { aimLasts, HeldRows, longestWait, type RowsNow, type ShownRows, tickLasts } from './held-rows.ts'

interface Task {
  id: string
  place: number
  text: string
}

const still = (): Aim => ({
  isDown: false,
  pointed: Number.NEGATIVE_INFINITY,
  typed: Number.NEGATIVE_INFINITY,
})
const pointedAt = (pointed: number): Aim => ({ ...still(), pointed })
const task = (id: string, place: number, text = id): Task => ({ id, place, text })

/** As a list shows them: the places in order, and the text in each. */
function listed({ rows, placeOf }: ShownRows<Task>): string[] {
  const inOrder = rows.toSorted((a, b) => placeOf(a).place - placeOf(b).place || (a.id < b.id ? -1 : 1))
  return inOrder.map(({ id, text }) => `${id}: ${text}`)
}

let answers = 0
/** What the server has said anew. */
const said = (rows: readonly Task[]): RowsNow<Task> => ({ rows, server: ++answers, queued: [] })
const [a, b, c] = [task('a', 1), task('b', 2), task('c', 3)]

describe('while somebody aims at a row', () => {
  test('what another device adds, moves and deletes waits, and comes a second after the pointer stood still', () => {
    const held = new HeldRows<Task>()
    held.follow(said([a, b, c]), still(), 0)
    const elsewhere = said([task('new', 0), task('a', 9), c])
    const places = ['a: a', 'b: b', 'c: c']
    expect(listed(held.follow(elsewhere, pointedAt(100), 200))).toEqual(places)

    expect(held.nextLook(pointedAt(900))).toBe(900 + aimLasts)
    expect(held.letGo(pointedAt(900), 1_899, undefined)).toEqual([])
    expect(listed(held.follow(elsewhere, still(), 1_899))).toEqual(places)
    expect(held.letGo(pointedAt(900), 1_900, undefined)).toHaveLength(3)
    expect(listed(held.follow(elsewhere, still(), 1_900))).toEqual(['new: new', 'c: c', 'a: a'])
    expect(held.nextLook(still())).toBeUndefined()
  })

  test('a button that stays down keeps them waiting for five seconds, and no longer', () => {
    const held = new HeldRows<Task>()
    held.follow(said([a, b]), still(), 0)
    const down = { ...still(), isDown: true }
    const elsewhere = said([b])
    held.follow(elsewhere, down, 1_000)
    expect(held.nextLook(down)).toBe(1_000 + longestWait)
    expect(held.letGo(down, 5_999, undefined)).toEqual([])
    expect(held.letGo(down, 6_000, undefined)).toHaveLength(1)
    expect(listed(held.follow(elsewhere, down, 6_000))).toEqual(['b: b'])
  })

  test('what is done elsewhere later does not lengthen the wait of what waits already', () => {
    const held = new HeldRows<Task>()
    held.follow(said([a, b, c]), still(), 0)
    const down = { ...still(), isDown: true }
    held.follow(said([b, c]), down, 1_000)
    held.follow(said([c]), down, 4_000)
    expect(held.letGo(down, 6_000, undefined)).toHaveLength(2)
    // The next ones may wait as long again.
    held.follow(said([]), down, 7_000)
    expect(held.nextLook(down)).toBe(7_000 + longestWait)
  })

  test('what changes inside of a row is shown at once, in its old place', () => {
    const held = new HeldRows<Task>()
    held.follow(said([a, b]), still(), 0)
    const typing = { ...still(), typed: 100 }
    expect(listed(held.follow(said([task('a', 5, 'renamed'), b]), typing, 200))).toEqual([
      'a: renamed',
      'b: b',
    ])
  })

  test('what they do on this device takes its place at once, also to a row that waits', () => {
    const held = new HeldRows<Task>()
    const first = said([a, b, c])
    held.follow(first, still(), 0)
    const elsewhere = said([task('a', 9), b, c])
    held.follow(elsewhere, pointedAt(0), 100)
    const queued = [{ id: 'w1', subject: 'a' }]
    const own = { ...elsewhere, rows: [task('a', 8), b, task('added', 0)], queued }
    expect(listed(held.follow(own, pointedAt(0), 200))).toEqual(['added: added', 'b: b', 'a: a'])
  })

  test('a change of theirs that the server refused goes back without moving what they aim at', () => {
    const held = new HeldRows<Task>()
    const server = said([a, b])
    held.follow({ ...server, rows: [b], queued: [{ id: 'w1', subject: 'a' }] }, still(), 0)
    expect(listed(held.follow(server, pointedAt(0), 100))).toEqual(['b: b'])
  })

  test('the first rows of all come at once', () => {
    const held = new HeldRows<Task>()
    held.follow({ rows: [], server: undefined, queued: [] }, pointedAt(0), 0)
    expect(listed(held.follow(said([a, b]), pointedAt(0), 1))).toEqual(['a: a', 'b: b'])
  })
})

describe('a row that its person holds', () => {
  const ticked = (held: HeldRows<Task>, at: number) => {
    const before = said([a, b, c])
    held.follow(before, still(), 0)
    held.hold(a, at)
    const after = { ...before, rows: [task('a', 9, 'done'), b, c], queued: [{ id: 'w1', subject: 'a' }] }
    return { after, shown: held.follow(after, still(), at) }
  }

  test('stays for a moment after the last tick, and counts as theirs', () => {
    const held = new HeldRows<Task>()
    const { after, shown } = ticked(held, 100)
    expect(listed(shown)).toEqual(['a: done', 'b: b', 'c: c'])
    held.hold(b, 500)
    expect(held.letGo(still(), 500 + tickLasts - 1, undefined)).toEqual([])
    expect(held.letGo(still(), 500 + tickLasts, undefined).map(({ own }) => own)).toEqual([true, true])
    expect(listed(held.follow(after, still(), 2_000))).toEqual(['b: b', 'c: c', 'a: done'])
  })

  test('stays while the pointer is on its way to the next one, and not because it moved before', () => {
    const held = new HeldRows<Task>()
    ticked(held, 100)
    expect(held.nextLook(pointedAt(90))).toBe(100 + tickLasts)
    expect(held.nextLook(pointedAt(400))).toBe(400 + aimLasts)
    expect(held.nextLook(pointedAt(90_000))).toBe(100 + longestWait)
  })

  test('stays as long as its title is edited, also when it was deleted elsewhere, while the others go on', () => {
    const held = new HeldRows<Task>()
    held.follow(said([a, b, c]), still(), 0)
    held.hold(b, 0)
    const elsewhere = said([c, task('new', 0)])
    expect(listed(held.follow(elsewhere, still(), 10_000))).toEqual(['new: new', 'b: b', 'c: c'])
    expect(held.letGo(still(), 20_000, 'b')).toEqual([])
    expect(held.letGo(still(), 20_000, undefined)).toHaveLength(1)
    expect(listed(held.follow(elsewhere, still(), 20_000))).toEqual(['new: new', 'c: c'])
  })

  test('goes at once when they delete it, or move it themselves', () => {
    const held = new HeldRows<Task>()
    const { after } = ticked(held, 100)
    const queued = [...after.queued, { id: 'w2', subject: 'b' }]
    held.hold(b, 100)
    const deleted = { ...after, rows: after.rows.filter(({ id }) => id !== 'b'), queued }
    expect(listed(held.follow(deleted, still(), 200))).toEqual(['a: done', 'c: c'])
    held.release(['a'])
    expect(listed(held.follow(deleted, still(), 200))).toEqual(['c: c', 'a: done'])
  })
})

const ids = ['a', 'b', 'c', 'd', 'e']
const step = fc.oneof(
  fc.record({
    does: fc.constantFrom('elsewhere' as const, 'here' as const),
    id: fc.constantFrom(...ids),
    /** Null: it is gone. */
    place: fc.option(fc.integer({ min: 0, max: 9 })),
  }),
  fc.record({ does: fc.constant('time' as const), passes: fc.integer({ min: 1, max: 900 }) }),
  fc.record({
    does: fc.constant('aim' as const),
    with: fc.constantFrom('pointer' as const, 'key' as const, 'press' as const, 'lift' as const),
  }),
)

test('whatever is done here and elsewhere, nothing moves under an aim, nothing waits longer than it may, and all ends as it is', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const held = new HeldRows<Task>()
      const aim = still()
      let at = 0
      let now: RowsNow<Task> = said(ids.map((id, place) => task(id, place)))
      let writes = 0
      let version = 0
      /** Since when the oldest of what waits does. */
      let waits: number | undefined
      let shown = listed(held.follow(now, aim, at))
      const order = () => shown.map((line) => line[0])
      const isAiming = () => aim.isDown || at - Math.max(aim.pointed, aim.typed) < aimLasts
      const look = () => {
        const left = held.letGo(aim, at, undefined)
        if (left.length > 0) expect(!isAiming() || at - (waits ?? at) >= longestWait).toBe(true)
        if (held.nextLook(aim) === undefined) waits = undefined
        shown = listed(held.follow(now, aim, at))
      }
      for (const each of steps) {
        if (each.does === 'time') {
          // As the hook does: it looks when one may be let go.
          for (const end = at + each.passes; at < end; ) {
            const next = held.nextLook(aim) ?? Number.POSITIVE_INFINITY
            at = Math.min(end, Math.max(next, at + 1))
            if (next <= at) look()
          }
        } else if (each.does === 'aim') {
          if (each.with === 'pointer') aim.pointed = at
          else if (each.with === 'key') aim.typed = at
          else aim.isDown = each.with === 'press'
        } else {
          const others = now.rows.filter(({ id }) => id !== each.id)
          const text = `${++version}`
          const rows = each.place === null ? others : [...others, task(each.id, each.place, text)]
          const before = order()
          if (each.does === 'elsewhere') now = { ...now, rows, server: ++answers }
          else now = { ...now, rows, queued: [...now.queued, { id: `${++writes}`, subject: each.id }] }
          shown = listed(held.follow(now, aim, at))
          if (each.does === 'elsewhere' && isAiming()) {
            expect(order()).toEqual(before)
            waits ??= at
          }
          if (each.does === 'here') {
            expect(shown.includes(`${each.id}: ${text}`)).toBe(each.place !== null)
            expect(order().filter((id) => id !== each.id)).toEqual(before.filter((id) => id !== each.id))
          }
        }
        // Of those that are there, each is shown as it is now.
        const current = new Map(now.rows.map(({ id, text }) => [id, `${id}: ${text}`]))
        for (const line of shown) expect(current.get(line[0] ?? '') ?? line).toBe(line)
        if (waits !== undefined) expect(at - waits).toBeLessThanOrEqual(longestWait)
      }
      aim.isDown = false
      at += longestWait
      look()
      expect(shown).toEqual(listed(new HeldRows<Task>().follow(now, aim, at)))
    }),
    { numRuns: runs(5_000, 300) },
  )
})
