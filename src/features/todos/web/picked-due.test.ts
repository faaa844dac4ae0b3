import { expect, test } from 'vitest'
import { daySchema } from '#platform/calendar/day.ts'
import { dueChanges, hasPassed, pickedDue, reminderChanges, reminderElsewhere } from './picked-due.ts'

const zone = 'Europe/Copenhagen'
const [thursday, friday] = [daySchema.parse('2026-11-26'), daySchema.parse('2026-11-27')]
const six = 18 * 60
const atSix = '2026-11-26T17:00:00.000Z'
const never = { due_day: null, remind_at: null }
const timed = { due_day: thursday, remind_at: atSix }

test('the time of a due date is that of the reminder on its day', () => {
  expect(pickedDue(never, zone)).toBeNull()
  expect(pickedDue({ ...never, due_day: thursday }, zone)).toEqual({ day: thursday, time: null })
  expect(pickedDue(timed, zone)).toEqual({ day: thursday, time: six })
  expect(reminderElsewhere(timed, zone)).toBeUndefined()
  expect(pickedDue({ due_day: friday, remind_at: atSix }, zone)).toEqual({ day: friday, time: null })
  expect(reminderElsewhere({ due_day: friday, remind_at: atSix }, zone)).toEqual({ day: thursday, time: six })
  expect(reminderElsewhere({ due_day: null, remind_at: atSix }, zone)).toEqual({ day: thursday, time: six })
})

test('the reminder on the due day moves with it, and goes with it', () => {
  expect(dueChanges(timed, { day: friday, time: six }, zone)).toEqual({
    due_day: friday,
    remind_at: '2026-11-27T17:00:00.000Z',
  })
  expect(dueChanges(timed, null, zone)).toEqual({ due_day: null, remind_at: null })
  expect(dueChanges(timed, { day: thursday, time: null }, zone)).toEqual({ remind_at: null })
})

test('a reminder on another day stays as it is, until a time is chosen on the due day', () => {
  const earlier = { due_day: friday, remind_at: atSix }
  const saturday = daySchema.parse('2026-11-28')
  expect(dueChanges(earlier, { day: saturday, time: null }, zone)).toEqual({ due_day: saturday })
  expect(dueChanges(earlier, null, zone)).toEqual({ due_day: null })
  expect(dueChanges(earlier, { day: friday, time: 540 }, zone)).toEqual({
    remind_at: '2026-11-27T08:00:00.000Z',
  })
})

test('what is the same changes nothing, and keeps its seconds', () => {
  const seconds = { due_day: thursday, remind_at: '2026-11-26T17:00:31.000Z' }
  expect(dueChanges(seconds, { day: thursday, time: six }, zone)).toEqual({})
  expect(dueChanges(never, null, zone)).toEqual({})
  expect(reminderChanges(seconds, { day: thursday, time: six }, zone)).toEqual({})
  expect(reminderChanges(never, null, zone)).toEqual({})
})

test('a reminder is set and removed whenever the task is due', () => {
  expect(reminderChanges(timed, { day: friday, time: 0 }, zone)).toEqual({
    remind_at: '2026-11-26T23:00:00.000Z',
  })
  expect(reminderChanges(timed, null, zone)).toEqual({ remind_at: null })
})

test('nobody can be reminded before 2000, and a time is over once it is there', () => {
  const longAgo = daySchema.parse('1999-12-01')
  expect(dueChanges(never, { day: longAgo, time: six }, zone)).toEqual({ due_day: longAgo, remind_at: null })
  expect(hasPassed({ day: thursday, time: six }, zone, Date.parse(atSix))).toBe(true)
  expect(hasPassed({ day: thursday, time: six }, zone, Date.parse(atSix) - 1)).toBe(false)
})
