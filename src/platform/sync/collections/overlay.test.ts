import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { runs } from '#testing/runs.ts'
import { type Note, noteCollection, noteWrites, putNote, removeNote } from '../testing/notes.ts'
import { createOverlay } from './overlay.ts'
import type { AnyWrite } from './write.ts'

const writes = new Map<string, AnyWrite>(noteWrites.map((write) => [write.name, write]))
const put = (id: string, text: string) => ({
  id: `${id}${text}`,
  write: putNote.name,
  version: 1,
  vars: { id, text, at: 0 },
})
const base: Note[] = [{ id: 'a', text: 'one', at: 0, removed: false }]

describe('what is shown of a collection', () => {
  it("is the server's rows with every queued write applied on top, in order", () => {
    const overlay = createOverlay(noteCollection, writes)
    expect(overlay(base, [put('a', 'two'), put('b', 'new'), put('a', 'three')])).toEqual([
      { id: 'b', text: 'new', at: 0, removed: false },
      { id: 'a', text: 'three', at: 0, removed: false },
    ])
  })

  it('is the same array for all that show it while no write is queued, so that they derive from it only once', () => {
    const [one, other] = [createOverlay(noteCollection, writes), createOverlay(noteCollection, writes)]
    expect(one(base, [])).toBe(other(base, []))
    expect(one(base, [put('a', 'two')])).not.toBe(base)
    expect(base).toEqual([{ id: 'a', text: 'one', at: 0, removed: false }])
    expect(one(base, [])).toBe(base)
  })

  it('ignores a write of another version or with a name that this build does not know', () => {
    const overlay = createOverlay(noteCollection, writes)
    const newer = { ...put('a', 'two'), version: 2 }
    const unknown = { ...put('a', 'two'), write: 'notes.paint' }
    expect(overlay(base, [newer, unknown])).toEqual(base)
  })

  it('stays readable when a queued write cannot be applied', () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const overlay = createOverlay(noteCollection, writes)
    expect(overlay(base, [{ ...put('a', 'x'), vars: null }, put('b', 'new')])).toHaveLength(2)
  })

  it('is the same whether writes arrived one by one or all at once, or some have gone', () => {
    const write = fc.record({
      kind: fc.constantFrom('put', 'remove'),
      id: fc.constantFrom('a', 'b', 'c'),
      text: fc.string({ maxLength: 3 }),
    })
    const step = fc.record({
      keep: fc.nat(6),
      added: fc.array(write, { maxLength: 4 }),
      rebase: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const remembering = createOverlay(noteCollection, writes)
        let queued: ReturnType<typeof put>[] = []
        let rows = base
        let made = 0
        for (const { keep, added, rebase } of steps) {
          const fresh = added.map(({ kind, id, text }) => ({
            id: String(made++),
            write: kind === 'put' ? putNote.name : removeNote.name,
            version: 1,
            vars: { id, text, at: 0 },
          }))
          queued = [...queued.slice(-keep), ...fresh]
          if (rebase) rows = [...rows, { id: `base${made++}`, text: '', at: 0, removed: false }]
          expect(remembering(rows, queued)).toEqual(createOverlay(noteCollection, writes)(rows, queued))
        }
      }),
      { numRuns: runs(5_000, 200) },
    )
  })

  it('takes only one apply for one more write', () => {
    const apply = vi.fn(putNote.apply)
    const overlay = createOverlay(
      noteCollection,
      new Map<string, AnyWrite>([[putNote.name, { ...putNote, apply }]]),
    )
    const queued = Array.from({ length: 100 }, (_, index) => put(`n${index}`, 'x'))
    overlay(base, queued.slice(0, 99))
    overlay(base, queued)
    expect(apply).toHaveBeenCalledTimes(100)
  })
})
