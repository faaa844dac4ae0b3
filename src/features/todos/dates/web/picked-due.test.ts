import { expect, test } from 'vitest'
import { daySchema } from '#platform/calendar/day.ts'
import { dueChanges, hasPassed, pickedDue, reminderChanges, reminderElsewhere } from './picked-due.ts'

const zone = 'Europe/Copenhagen'
const [thursday, friday] = [daySchema.parse('2026-11-26'), daySchema.parse('2026-11-27')]
const saturday = daySchema.parse('2026-11-28')
const six = 18 * 60
const atSix = '2026-11-26T17:00:00.000Z'
const never = { due_day: null, remind_at: null, reminder: null }
const timed = { due_day: thursday, remind_at: null, reminder: { days_before: 0, time: six } }
const dayBefore = { due_day: friday, remind_at: null, reminder: { days_before: 1, time: six } }
/** As an older build wrote it. */
const instant = { due_day: thursday, remind_at: atSix, reminder: null }

test('the time of a due date is that of the reminder on its day', () => {
  expect(pickedDue(never, zone)).toBeNull()
  expect(pickedDue({ ...never, due_day: thursday }, zone)).toEqual({ day: thursday, time: null })
  for (const each of [timed, instant]) {
    expect(pickedDue(each, zone)).toEqual({ day: thursday, time: six })
    expect(reminderElsewhere(each, zone)).toBeUndefined()
  }
  for (const each of [dayBefore, { ...instant, due_day: friday }]) {
    expect(pickedDue(each, zone)).toEqual({ day: friday, time: null })
    expect(reminderElsewhere(each, zone)).toEqual({ day: thursday, time: six })
  }
  expect(reminderElsewhere({ ...instant, due_day: null }, zone)).toEqual({ day: thursday, time: six })
})

test('the reminder on the due day moves with it, and goes with it', () => {
  expect(dueChanges(timed, { day: friday, time: six }, zone)).toEqual({ due_day: friday })
  expect(dueChanges(instant, { day: friday, time: six }, zone)).toEqual({
    due_day: friday,
    reminder: { days_before: 0, time: six },
  })
  for (const each of [timed, instant]) {
    expect(dueChanges(each, null, zone)).toEqual({ due_day: null, reminder: null })
    expect(dueChanges(each, { day: thursday, time: null }, zone)).toEqual({ reminder: null })
  }
})

test('a reminder before the due day moves with it, and keeps its time without one', () => {
  expect(dueChanges(dayBefore, { day: saturday, time: null }, zone)).toEqual({ due_day: saturday })
  expect(dueChanges(dayBefore, null, zone)).toEqual({ due_day: null, remind_at: atSix })
  expect(dueChanges(dayBefore, { day: friday, time: 540 }, zone)).toEqual({
    reminder: { days_before: 0, time: 540 },
  })
})

test('one at an instant on another day stays as it is, until a time is chosen on the due day', () => {
  const earlier = { ...instant, due_day: friday }
  expect(dueChanges(earlier, { day: saturday, time: null }, zone)).toEqual({ due_day: saturday })
  expect(dueChanges(earlier, null, zone)).toEqual({ due_day: null })
  expect(dueChanges(earlier, { day: friday, time: 540 }, zone)).toEqual({
    reminder: { days_before: 0, time: 540 },
  })
})

test('what is the same changes nothing, and keeps its seconds', () => {
  const seconds = { ...instant, remind_at: '2026-11-26T17:00:31.000Z' }
  expect(dueChanges(seconds, { day: thursday, time: six }, zone)).toEqual({})
  expect(dueChanges(never, null, zone)).toEqual({})
  expect(reminderChanges(seconds, { day: thursday, time: six }, zone)).toEqual({})
  expect(reminderChanges(dayBefore, { day: thursday, time: six }, zone)).toEqual({})
  expect(reminderChanges(never, null, zone)).toEqual({})
})

test('a reminder up to the due day goes with it; after it, or without one, it is an instant', () => {
  expect(reminderChanges(dayBefore, { day: thursday, time: 0 }, zone)).toEqual({
    reminder: { days_before: 1, time: 0 },
  })
  const afterwards = { remind_at: '2026-11-26T23:00:00.000Z' }
  expect(reminderChanges(timed, { day: friday, time: 0 }, zone)).toEqual(afterwards)
  expect(reminderChanges(never, { day: friday, time: 0 }, zone)).toEqual(afterwards)
  expect(reminderChanges(timed, null, zone)).toEqual({ reminder: null })
})

test('nobody can be reminded before 2000, and a time is over once it is there', () => {
  const longAgo = daySchema.parse('1999-12-01')
  expect(reminderChanges(never, { day: longAgo, time: six }, zone)).toEqual({ remind_at: null })
  expect(hasPassed({ day: thursday, time: six }, zone, Date.parse(atSix))).toBe(true)
  expect(hasPassed({ day: thursday, time: six }, zone, Date.parse(atSix) - 1)).toBe(false)
})
