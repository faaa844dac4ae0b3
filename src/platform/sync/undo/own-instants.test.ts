import { describe, expect, it } from 'vitest'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import { timestampsInOrder } from '../local-store/change-timestamp.ts'
import type { NewQueuedWrite } from '../local-store/queued-write.ts'
import { addLateTimestamps } from '../outbox/late-timestamps.ts'
import type { OwnWrite } from './change-history.ts'
import { learnInstants, madeAfter } from './own-instants.ts'

/** By the clock of a device that is an hour behind. */
const noon = Date.UTC(2026, 10, 28, 12)
const hour = 3_600_000
const guess = { ahead: 0, since: noon, page: 'this' }

function made(id: string, at: Instant, known: Partial<NewQueuedWrite> = {}): NewQueuedWrite {
  return {
    id,
    account: 'ann',
    list: 'notes',
    write: 'notes.save',
    version: 1,
    subject: 'a',
    vars: { id: 'a', at: instantToWire(at) },
    refusal: 'Failed',
    text: 'text',
    ...known,
  }
}

const undoing = (own: readonly OwnWrite[]) =>
  madeAfter(own, 'undo', (at) => ({ ...made('undo', noon + hour), vars: { id: 'a', at } }))

const knownTime = { aheadOf: () => hour, moved: ({ vars }: NewQueuedWrite) => vars }

describe('a write that takes back another', () => {
  it('has its instant plus a millisecond, by both clocks', () => {
    const stored = { ...made('first', noon, { at: noon + hour }), seq: 1 }
    expect(undoing([{ made: stored }])).toMatchObject({
      at: noon + hour + 1,
      vars: { at: instantToWire(noon + 1) },
      takesBack: { by: 'undo', follows: [] },
    })
  })

  it('waits for it where that was made without knowing the time, and then comes right after it', () => {
    const first = made('first', noon, { guess })
    const later = made('later', noon + 1, { guess })
    const undo = undoing([{ made: first }])
    expect(undo).toMatchObject({ at: undefined, guess, takesBack: { follows: ['first'] } })
    const { writes } = addLateTimestamps(undefined, [first, later, undo], knownTime)
    const [firstAt, , undoneAt] = writes.map(({ at }) => at)
    expect([firstAt, undoneAt]).toEqual([noon + hour, noon + hour + 1])
  })

  it('comes right after what the store moved a little', () => {
    const undo = undoing([{ made: made('first', noon, { at: noon + hour }) }])
    const stored = made('first', noon, { at: noon + hour + 7 })
    const { writes } = addLateTimestamps(undefined, [stored, undo], knownTime)
    expect(writes.map(({ at }) => at)).toEqual([noon + hour + 7, noon + hour + 8])
  })

  it('comes after it by the device clock if that was sent and forgotten meanwhile', () => {
    const undo = undoing([{ made: made('first', noon, { guess, after: noon }) }])
    const { writes } = addLateTimestamps(undefined, [undo], knownTime)
    expect(writes[0]?.at).toBe(noon + hour + 1)
  })

  it('follows the one before it, if both wait', () => {
    const first = made('first', noon, { guess })
    const undo = undoing([{ made: first }])
    const redo = { ...undoing([{ made: first }, { made: undo }]), id: 'redo' }
    const { writes } = addLateTimestamps(undefined, [first, undo, redo], knownTime)
    expect(writes.map(({ at }) => at)).toEqual([noon + hour, noon + hour + 1, noon + hour + 2])
  })

  it('comes before what is done next, also if the server turns out to be a little behind', () => {
    const stored = { ...made('first', noon, { at: noon + hour }), seq: 1 }
    const undo = undoing([{ made: stored }])
    const next = made('next', noon + 2, { at: noon + hour - 500 })
    const first = timestampsInOrder(noon + hour, [undo])
    const { writes } = timestampsInOrder(first.last, [next])
    expect(writes[0]?.at).toBe(noon + hour + 2)
  })

  it('comes before what is done next, also if all of it waits and was seen to come after one instant', () => {
    const after = noon + 2 * hour
    const first = made('first', noon, { guess, after })
    const undo = undoing([{ made: first }])
    const redo = { ...undoing([{ made: first }, { made: undo }]), id: 'redo' }
    const next = made('next', noon + 5, { guess, after })
    const { writes, last } = addLateTimestamps(undefined, [first, undo, redo, next], knownTime)
    expect(writes.map(({ at }) => at)).toEqual([after, after + 1, after + 2, after + 3])
    expect(last).toBe(after + 3)
  })

  it('leaves the order of other changes alone, if it follows one of a clock that was far ahead', () => {
    const stored = { ...made('first', noon, { at: noon + 9 * hour }), seq: 1 }
    const { last } = timestampsInOrder(noon, [undoing([{ made: stored }])])
    expect(last).toBe(noon)
  })

  it('learns when it was made as long as the device still has it', () => {
    const own: OwnWrite = { made: made('first', noon, { guess }) }
    learnInstants([own], [{ ...made('first', noon, { at: noon + hour }), seq: 3 }])
    learnInstants([own], [])
    expect(undoing([own]).at).toBe(noon + hour + 1)
  })
})
