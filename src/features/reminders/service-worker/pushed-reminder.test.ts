import { describe, expect, test } from 'vitest'
import { completeSchema } from '#features/habits/habit/habit-requests.ts'
import { todoChangeSchema } from '#features/todos/todo/todo-requests.ts'
import type { Day } from '#platform/calendar/day.ts'
import { pushMessageOf, testMessageOf } from '../reminder/push-message.ts'
import { snoozeParams, snoozeSchema } from '../reminder/reminder-wire.ts'
import {
  type AnswerableReminder,
  doneRequest,
  hasEnded,
  pressOutcome,
  readPush,
  snoozeRequest,
  stateIn,
} from './pushed-reminder.ts'

const id = '0199a000-0000-7000-8000-000000000000'
const day = '2026-11-20' as Day
const period = { today: day, lastDay: day, until: Date.parse('2026-11-21T00:00:00.000Z') }
const habit = pushMessageOf('ada', {
  kind: 'habit',
  id,
  title: 'Read',
  day,
  ...period,
  asks: 'day',
  isLimit: false,
  soFar: null,
})
const todo = pushMessageOf('ada', { kind: 'todo', id, title: 'Send invoice', dueDay: day, today: day })

function readAnswerable(message: object): AnswerableReminder {
  const push = readPush(JSON.stringify(message))
  if (push?.kind !== 'habit' && push?.kind !== 'todo') throw new Error('It was not read')
  return push
}

describe('what the server pushes', () => {
  test('is read as it was meant', () => {
    expect(readAnswerable(habit)).toEqual({
      user: 'ada',
      kind: 'habit',
      id,
      title: 'Read',
      body: 'Not done yet today',
      day,
      ended: { at: period.until, body: 'Not done on Friday' },
      url: '/habits',
    })
    expect(readAnswerable(todo)).toMatchObject({ kind: 'todo', body: 'Due today', url: '/todos' })
    expect(readPush(JSON.stringify(testMessageOf('ada', id)))).toMatchObject({
      kind: 'test',
      title: 'Reminders work on this device',
      url: '/settings',
    })
  })

  test('may be the end of a phase of the focus timer', () => {
    const end = { kind: 'focus', id, title: "Time's up!", body: 'Take a break!' } as const
    expect(readPush(JSON.stringify(pushMessageOf('ada', end)))).toMatchObject({ ...end, url: '/focus' })
  })

  test('is not guessed at if it has another version, is damaged or comes from somebody else', () => {
    const { day: _, ...dayless } = habit
    for (const message of [
      { ...habit, version: 2 },
      { ...habit, kind: 'mood' },
      { ...habit, id: '../todos' },
      { ...habit, title: 7 },
      dayless,
      [],
      null,
    ])
      expect(readPush(JSON.stringify(message))).toBeUndefined()
    expect(readPush('{')).toBeUndefined()
    expect(readPush(undefined)).toBeUndefined()
  })

  test('never leads to another site', () => {
    for (const url of ['https://elsewhere.example', '//elsewhere.example', '/\\elsewhere', 7])
      expect(readPush(JSON.stringify({ ...todo, url }))?.url).toBe('/todos')
  })
})

describe('pressing it asks the server', () => {
  test('to complete the habit on the day that the reminder was about', () => {
    const { method, path, body } = doneRequest(readAnswerable(habit))
    expect(`${method} ${path}`).toBe(`POST /api/habits/${id}/complete`)
    expect(completeSchema.parse(body)).toEqual({ date: day, completed: true })
  })

  test('to complete the to-do', () => {
    const { method, path, body } = doneRequest(readAnswerable(todo))
    expect(`${method} ${path}`).toBe(`PUT /api/todos/${id}`)
    expect(todoChangeSchema.parse(body)).toEqual({ completed: 1 })
  })

  test('to remind again in half an hour, about the same day', () => {
    const { method, path, body } = snoozeRequest(readAnswerable(habit))
    expect(`${method} ${path}`).toBe(`POST /api/reminders/habit/${id}/later`)
    expect(snoozeParams.parse({ kind: 'habit', id })).toEqual({ kind: 'habit', id })
    expect(snoozeSchema.parse(body)).toEqual({ day })
    expect(snoozeRequest(readAnswerable(todo)).body).toEqual({})
  })
})

test.each([
  [200, 'done'],
  [401, 'signed-out'],
  [404, 'gone'],
  [409, 'early'],
  [422, 'over'],
  [500, 'broken'],
  [429, 'unreachable'],
  [502, 'unreachable'],
])('a press that is answered %i says that it is %s', (status, outcome) => {
  expect(pressOutcome(status)).toBe(outcome)
})

test('what is said about a period ends with it, if the server says when that is', () => {
  const { until } = period
  const push = readAnswerable(habit)
  expect(hasEnded(push, until - 1)).toBe(false)
  expect(hasEnded(push, until)).toBe(true)
  for (const unknown of [{ until: undefined }, { until: 'soon' }, { endedBody: undefined }])
    expect(hasEnded(readAnswerable({ ...habit, ...unknown }), until)).toBe(false)
})

describe('the list from the server says whether there is still something to do', () => {
  const push = readAnswerable(habit)
  const daily = {
    rhythm: { every: 1 },
    target: 'yes',
    archived_at: null,
    skipped: [],
    today: { state: 'open' },
  }
  const stateOf = (listed: object) => stateIn(push, { habits: [{ id, ...daily, ...listed }] })

  test('for a habit on the day of the reminder, not on another', () => {
    expect(stateOf({ completed: false, recent: ['2026-11-19'] })).toBe('open')
    expect(stateOf({ completed: true, recent: ['2026-11-21'] })).toBe('open')
    expect(stateOf({ completed: false, recent: [day] })).toBe('done')
    const three = { rhythm: { times: 3, per: 'week' } }
    expect(stateOf({ ...three, completed: true, recent: ['2026-11-21'] })).toBe('open')
    expect(stateOf({ ...three, completed: false, recent: [day] })).toBe('done')
  })

  test('for a weekly habit on any day of the week, and for a week that has ended since the reminder', () => {
    const weekly = { rhythm: { times: 1, per: 'week' } }
    expect(stateOf({ ...weekly, completed: false, recent: ['2026-11-19'] })).toBe('open')
    expect(stateOf({ ...weekly, completed: true, recent: ['2026-11-19'] })).toBe('done')
    expect(stateOf({ ...weekly, completed: false, recent: [day] })).toBe('done')
    const summed = { target: { at: 'least', amount: 20_000, unit: 'km', per: 'month' } }
    expect(stateOf({ ...summed, completed: true, recent: [] })).toBe('done')
  })

  test('for a limit as soon as something is entered', () => {
    const limit = { target: { at: 'most', amount: 2_000, unit: 'cups', per: 'day' }, recent: [] }
    expect([false, true].map((completed) => stateOf({ ...limit, completed }))).toEqual(['open', 'done'])
  })

  test('and not for a day that was skipped, a pause, or a habit that was archived', () => {
    const open = { completed: false, recent: [] }
    expect(stateOf({ ...open, skipped: ['2026-11-19'] })).toBe('open')
    expect(stateOf({ ...open, skipped: [day] })).toBe('done')
    expect(stateOf({ ...open, today: { state: 'paused' } })).toBe('done')
    expect(stateOf({ ...open, archived_at: '2026-11-20T08:00:00.000Z' })).toBe('done')
  })

  test('for a to-do, and for what is deleted', () => {
    const stateOfTodo = (completed: number) =>
      stateIn(readAnswerable(todo), { todos: [{ id: 'another' }, { id, completed }] })
    expect([stateOfTodo(0), stateOfTodo(1)]).toEqual(['open', 'done'])
    expect(stateIn(push, { habits: [] })).toBe('gone')
  })

  test('and is not guessed at if it is no such list', () => {
    for (const answer of [{}, { habits: 'none' }, null, []]) expect(stateIn(push, answer)).toBeUndefined()
  })
})
