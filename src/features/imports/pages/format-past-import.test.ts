import { describe, expect, test } from 'vitest'
import { daySchema } from '#platform/calendar/day.ts'
import type { Import } from '../writing/import.ts'
import { formatPastImport, isUndoable, sourceName } from './format-past-import.ts'

const past = (given: Partial<Import> = {}): Import => ({
  id: '018f0000-0000-7000-8000-000000000000',
  source: 'loop',
  file: 'Loop.zip',
  made_at: '2026-11-14T22:30:00.000Z',
  counts: { in: 1_108, created: 1_108, there: 0, changed: 0, refused: 0 },
  added: { habits: 6, completions: 1_102 },
  undo_until: '2026-12-14T22:30:00.000Z',
  undone_at: null,
  kept: null,
  ...given,
})

const viewer = { timeZone: 'Europe/Berlin', dayStart: 0, today: daySchema.parse('2026-11-22') }
const told = (given?: Partial<Import>) => formatPastImport(past(given), viewer)

describe('an import of the past', () => {
  test('is told by its day and by what it added', () => {
    expect(told()).toBe('14 November: 6 habits with 1,102 completions')
    expect(told({ added: {} })).toBe('14 November: nothing was added')
  })

  test('says that it was undone, when, and what stayed', () => {
    expect(told({ undone_at: '2026-11-14T22:45:00.000Z', kept: {} })).toBe(
      '14 November: 6 habits with 1,102 completions; undone the same day',
    )
    expect(told({ undone_at: '2026-11-16T09:00:00.000Z', kept: { habits: 1, completions: 40 } })).toBe(
      '14 November: 6 habits with 1,102 completions; undone on 16 November. Kept: 1 habit with 40 completions, changed after the import',
    )
  })

  test('says that it stopped before its end', () => {
    expect(told({ counts: null, added: { habits: 2 } })).toBe('14 November: 2 habits; stopped before its end')
  })

  test('can be undone once, and until its time is over', () => {
    const before = Date.parse('2026-12-14T22:29:59.000Z')
    expect(isUndoable(past(), before)).toBe(true)
    expect(isUndoable(past(), before + 1_000)).toBe(false)
    expect(isUndoable(past({ undone_at: '2026-11-16T09:00:00.000Z' }), before)).toBe(false)
  })

  test('has the name that the person knows its source by', () => {
    expect([sourceName({ source: 'loop' }), sourceName({ source: 'daymark' })]).toEqual([
      'Loop Habit Tracker',
      'Daymark file',
    ])
  })
})
