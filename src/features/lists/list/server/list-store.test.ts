import fc from 'fast-check'
import { beforeAll, describe, expect, it, test } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { moveAfter } from '#platform/order/move.ts'
import { byPosition, isPosition, longestPosition } from '#platform/order/position.ts'
import { runs } from '#testing/runs.ts'
import type { ListColor } from '../list-row.ts'
import { listStore } from './list-store.ts'

interface Edit {
  name?: string
  color?: ListColor
  archived_at?: string | null
}

type Write = { kind: 'change'; edit: Edit; at: number } | { kind: 'delete' | 'restore'; at: number }

// From before the creation on, and few enough that equal instants are common.
const instant = fc.integer({ min: -3, max: 20 })
const change = fc.record({
  kind: fc.constant('change' as const),
  // An edit that changes nothing is refused before it comes here.
  edit: fc
    .record(
      {
        name: fc.constantFrom('Home', 'Work', 'Garden'),
        color: fc.constantFrom(1 as const, 2 as const, 3 as const),
        archived_at: fc.constantFrom(null, '2026-11-19T08:00:00.000Z', '2026-11-20T08:00:00.000Z'),
      },
      { requiredKeys: [] },
    )
    .filter((edit) => Object.keys(edit).length > 0),
  at: instant,
})
const remove = fc.record({ kind: fc.constantFrom('delete' as const, 'restore' as const), at: instant })
const write: fc.Arbitrary<Write> = fc.oneof(change, remove)

// Also the first and the last that there are, and as long as a position may be.
const position = fc
  .oneof(
    fc.constantFrom('a0', 'a1', 'Zz', `A${'0'.repeat(25)}1`, 'z'.repeat(27), `z${'z'.repeat(249)}`),
    fc
      .tuple(
        fc.constantFrom('a0', 'a1', 'Zz', 'b00', `A${'0'.repeat(25)}1`),
        fc.nat(200),
        fc.constantFrom('1', 'V', 'z'),
      )
      .map(([integer, zeros, last]) => `${integer}${'0'.repeat(zeros)}${last}`),
    fc.string({ unit: fc.constantFrom(...'0AVaz'), minLength: 1, maxLength: 200 }).map((end) => `a0${end}V`),
  )
  .filter(isPosition)

describeEachEngine('The store of lists', (openEmpty) => {
  let db: Database
  let people = 0
  beforeAll(async () => {
    db = await openEmpty()
  })

  /** Somebody who has no list yet. */
  async function someone(): Promise<string> {
    const user = `ada ${++people}`
    await addUser(db.auth, db.engine, user)
    return user
  }
  const listed = async (user: string) => (await Array.fromAsync(listStore.list(db, user))).flat()
  const send = (user: string, id: string, write: Write) => {
    if (write.kind === 'change')
      return listStore.change(db, user, id, { ...write.edit, at: write.at, revives: true })
    return write.kind === 'delete'
      ? listStore.remove(db, user, id, write.at)
      : listStore.restore(db, user, id, write.at)
  }

  describe('writes to a list, in any order', () => {
    test('for each field the latest wins, and the latest of all decides whether the list exists', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(write, { maxLength: 12 }), async (writes) => {
          const [user, id] = [await someone(), 'a']
          await listStore.add(db, user, id, { name: 'Made', at: 0 })
          const created = { name: 'Made', color: 1, archived_at: null } as const
          const sent: Write[] = [
            { kind: 'restore', at: 0 },
            { kind: 'change', edit: created, at: 0 },
          ]
          for (const write of writes) {
            await send(user, id, write)
            sent.push(write)
          }
          const list = (await listed(user)).find((each) => each.id === id)
          const expected = lastWriterWins(sent)
          expect(list === undefined).toBe(expected.deleted)
          if (list) expect(list).toMatchObject(expected.fields)
        }),
        { numRuns: runs(2_000, 10) },
      )
    })

    test('devices end with the same list, in whichever order their changes arrive', async () => {
      const changes = fc
        .uniqueArray(write, { maxLength: 8, selector: ({ at }) => at })
        .chain((writes) =>
          fc.tuple(fc.constant(writes), fc.shuffledSubarray(writes, { minLength: writes.length })),
        )
      await fc.assert(
        fc.asyncProperty(changes, async (orders) => {
          const ends = []
          const user = await someone()
          for (const [place, writes] of orders.entries()) {
            const id = `${place}`
            await listStore.add(db, user, id, { name: 'Made', position: 'a0', at: 0 })
            for (const write of writes) await send(user, id, write)
            const list = (await listed(user)).find((each) => each.id === id)
            ends.push(list && { ...list, id: '' })
          }
          expect(ends[0]).toEqual(ends[1])
        }),
        { numRuns: runs(1_000, 8) },
      )
    })
  })

  describe('positions', () => {
    it('stay short and valid, whatever is sent, and the order stays', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(position, { minLength: 1, maxLength: 12 }), async (positions) => {
          const user = await someone()
          for (const [place, position] of positions.entries()) {
            const id = `${place}`
            const expected = [...(await listed(user)), { id, position }].sort(byPosition)
            await listStore.add(db, user, id, { name: 'Home', position, at: 0 })
            const lists = await listed(user)
            expect(lists.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
            for (const { position } of lists) {
              expect(position.length).toBeLessThanOrEqual(longestPosition)
              expect(isPosition(position)).toBe(true)
            }
          }
        }),
        { numRuns: runs(1_000, 8) },
      )
    })

    it('stay short through a hundred moves into the same place, each of which ends where it should', async () => {
      const user = await someone()
      // As after hundreds of moves into the same place.
      const positions = { a: 'a0', c: `a0${'0'.repeat(50)}1`, d: 'a1', b: 'a2' }
      for (const [id, position] of Object.entries(positions)) {
        await listStore.add(db, user, id, { name: id, position, at: 0 })
      }
      for (let at = 1; at <= 100; at++) {
        const moved = at % 2 === 0 ? 'c' : 'd'
        const [first, ...more] = moveAfter(await listed(user), moved, 'a')
        expect([first?.id, more]).toEqual([moved, []])
        const list = await listStore.change(db, user, moved, { position: first?.position, at })
        expect(list?.position.length).toBeLessThanOrEqual(longestPosition)
        const order = (await listed(user)).map(({ id }) => id)
        expect(order).toEqual(['a', moved, moved === 'c' ? 'd' : 'c', 'b'])
      }
    })

    it('can be shortened by many changes at once, none of which fails', async () => {
      const user = await someone()
      const ids = Array.from({ length: 12 }, (_, place) => `list ${place}`)
      for (const id of ids) await listStore.add(db, user, id, { name: id, position: 'a0', at: 0 })
      const long = (place: number) => `a0${'V'.repeat(longestPosition)}${place + 1}`
      const changed = await Promise.all(
        ids.map((id, place) => listStore.change(db, user, id, { position: long(place), at: 1 })),
      )
      expect(changed.map((list) => list?.id)).toEqual(ids)
      for (const { position } of await listed(user)) {
        expect(position.length).toBeLessThanOrEqual(longestPosition)
      }
    })
  })

  it("nobody reaches another's lists", async () => {
    const [ada, eve] = [await someone(), await someone()]
    await listStore.add(db, ada, 'a', { name: 'Home', at: 0 })
    expect(await listed(eve)).toEqual([])
    expect(await listStore.change(db, eve, 'a', { name: 'Mine', at: 1, revives: true })).toBeUndefined()
    expect(await listStore.remove(db, eve, 'a', 1)).toBe(false)
    expect(await listStore.restore(db, eve, 'a', 1)).toBeUndefined()
    const long = `a0${'V'.repeat(longestPosition)}`
    await listStore.add(db, eve, 'a', { name: 'Mine', position: long, at: 1 })
    expect(await listed(ada)).toMatchObject([{ name: 'Home', updated_at: '1970-01-01T00:00:00.000Z' }])
  })
})

/** The model: for each field the write with the latest instant wins, and among equal instants the one that arrived last. */
function lastWriterWins(sent: Write[]) {
  const changes = sent.filter((write) => write.kind === 'change')
  const lastOf = (field: 'name' | 'color' | 'archived_at') =>
    latest(changes.filter(({ edit }) => edit[field] !== undefined)).edit[field]
  return {
    deleted: latest(sent).kind === 'delete',
    fields: { name: lastOf('name'), color: lastOf('color'), archived_at: lastOf('archived_at') },
  }
}

function latest<Kind extends Write>(writes: Kind[]): Kind {
  return writes.reduce((last, write) => (write.at >= last.at ? write : last))
}
