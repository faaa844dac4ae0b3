import { describe, expect, test } from 'vitest'
import { daySchema } from '#platform/calendar/day.ts'
import type { FocusSession } from '../focus-session.ts'
import { draftOf, minutesMeant, newDraft, type SessionDraft, timesOf } from './session-draft.ts'

const timeZone = 'Europe/Berlin'
const now = Date.UTC(2026, 10, 20, 15)
const today = daySchema.parse('2026-11-20')
const yesterday = daySchema.parse('2026-11-19')
const around = { timeZone, dayStart: 0, now }

/** 10:00:20 to 10:40:20 in Berlin, with a pause of ten minutes. */
const session: FocusSession = {
  id: '01900000-0000-7000-8000-000000000001',
  kind: 'countdown',
  todo_id: null,
  habit_id: null,
  duration: 1_800,
  started_at: '2026-11-20T09:00:20.000Z',
  ended_at: '2026-11-20T09:40:20.000Z',
  days: [{ day: today, seconds: 1_800 }],
}

function edited(changes: Partial<SessionDraft>) {
  const draft = draftOf(session, timeZone)
  if (!draft) throw new Error('It has a time of day')
  return { ...draft, ...changes }
}

describe('a session that is corrected', () => {
  test('stays to the second as it was where nothing is changed', () => {
    const { duration, started_at, ended_at, days } = session
    expect(timesOf(edited({}), session, around)).toEqual({ times: { duration, started_at, ended_at, days } })
  })

  test('keeps its pauses when an end is moved', () => {
    const later = edited({ to: 11 * 60 })
    expect(minutesMeant(later, session, timeZone)).toBe(50)
    expect(timesOf(later, session, around)).toMatchObject({
      times: { started_at: session.started_at, ended_at: '2026-11-20T10:00:00.000Z', duration: 2_980 },
    })
  })

  test('keeps its pauses on the days on which they were, as far as they fit', () => {
    // 23:00 to 1:00, of which 40 minutes before midnight and 10 after it were pauses.
    const overMidnight: FocusSession = {
      ...session,
      duration: 4_200,
      started_at: '2026-11-19T22:00:00.000Z',
      ended_at: '2026-11-20T00:00:00.000Z',
      days: [
        { day: yesterday, seconds: 1_200 },
        { day: today, seconds: 3_000 },
      ],
    }
    const corrected = (changes: Partial<SessionDraft>) => {
      const draft = draftOf(overMidnight, timeZone)
      if (!draft) throw new Error('It has a time of day')
      return timesOf({ ...draft, ...changes }, overMidnight, around)
    }
    const days = (before: number, after: number) => ({
      times: {
        days: [
          { day: yesterday, seconds: before },
          { day: today, seconds: after },
        ],
      },
    })
    expect(corrected({ to: 90 })).toMatchObject(days(1_200, 4_800))
    expect(corrected({ from: 22 * 60 })).toMatchObject(days(4_800, 3_000))
    expect(corrected({ focused: '80' })).toMatchObject(days(1_200, 3_600))
    expect(corrected({ focused: '60' })).toMatchObject(days(1_200, 2_400))
    // Of the 40 minutes 30 fit before midnight; the others are at the end.
    expect(corrected({ from: 23 * 60 + 30 })).toMatchObject({
      times: { duration: 2_400, days: [{ day: today, seconds: 2_400 }] },
    })
  })

  test('has the minutes that the person says, within its time', () => {
    expect(timesOf(edited({ focused: '20' }), session, around)).toMatchObject({
      times: { duration: 1_200, days: [{ day: today, seconds: 1_200 }] },
    })
    expect(timesOf(edited({ focused: '41' }), session, around)).toEqual({
      problem: 'That is longer than from start to end',
    })
    expect(timesOf(edited({ focused: 'long' }), session, around)).toHaveProperty('problem')
  })

  test('ends on the next day if it ends earlier than it starts, each day with its own seconds', () => {
    const { times } = {
      times: undefined,
      ...timesOf({ day: yesterday, from: 23 * 60 + 30, to: 15, focused: undefined }, undefined, around),
    }
    expect(times).toMatchObject({
      duration: 2_700,
      days: [
        { day: yesterday, seconds: 1_800 },
        { day: today, seconds: 900 },
      ],
    })
  })

  test('never ends in the future, and needs both times', () => {
    expect(timesOf(edited({ to: 17 * 60 }), session, around)).toEqual({ problem: 'It ends in the future' })
    expect(timesOf(edited({ from: undefined }), session, around)).toHaveProperty('problem')
    expect(timesOf(edited({ from: 600, to: 600 }), undefined, around)).toHaveProperty('problem')
  })
})

test('one that is added has just ended', () => {
  expect(newDraft(now, 25, timeZone)).toEqual({ day: today, from: 935, to: 960, focused: undefined })
})

test('a total of a day has no time of day to correct', () => {
  expect(draftOf({ ...session, kind: 'total', started_at: null }, timeZone)).toBeUndefined()
})
