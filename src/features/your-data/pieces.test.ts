import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sessions } from '#features/focus/testing/sessions.ts'
import type { ExportedHabit } from '#features/habits/account-file/exported-habit.ts'
import { exportedHabit } from '#features/habits/testing/habits.ts'
import { pauses } from '#features/habits/testing/pauses.ts'
import { lists } from '#features/lists/testing/lists.ts'
import { todos } from '#features/todos/testing/todos.ts'
import type { Day } from '#platform/calendar/day.ts'
import { addDays } from '#platform/calendar/day.ts'
import { valuesWhenMissing } from '#platform/wire/synced-row.ts'
import { runs } from '#testing/runs.ts'
import { type ExportedAccount, fileRows, type ImportPiece, importPieceSchema } from './exported-account.ts'
import { splitIntoPieces } from './pieces.ts'
import { exportedAccount } from './testing/exported-account.ts'

const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
const instant = '2026-11-20T12:00:00.000Z'
/** With what was left out of the rows. The sessions here are of any length, which the server would refuse. */
function asReadByServer({ focus_sessions, ...piece }: ImportPiece): ImportPiece {
  const read = importPieceSchema.parse(piece)
  const missing = valuesWhenMissing(fileRows.focus_sessions.fields)
  if (focus_sessions) read.focus_sessions = focus_sessions.map((session) => ({ ...missing, ...session }))
  return read
}

const bytes = (piece: ImportPiece) => Buffer.byteLength(JSON.stringify(piece))

const todo = (number: number, title: string) =>
  todos.file({ id: id(number), title, created_at: instant, updated_at: instant })
const list = (number: number, name: string) =>
  lists.file({ id: id(number), name, created_at: instant, updated_at: instant })
const habit = (number: number, description: string, done: number) => ({
  ...exportedHabit({ id: id(number), description, start_date: '2016-01-01' as Day, created_at: instant }),
  completions: Array.from({ length: done }, (_, place) => addDays('2016-01-01' as Day, place)),
})
const pause = (number: number) =>
  pauses.file({ id: id(number), from_day: '2016-01-01' as Day, created_at: instant, updated_at: instant })
const session = (number: number, days: number) => ({
  ...sessions.file({ id: id(number), duration: days, started_at: instant, ended_at: instant }),
  days: Array.from({ length: days }, (_, place) => ({
    day: addDays('2016-01-01' as Day, place),
    seconds: 1,
  })),
})

// Including text whose JSON is six times as long as the text.
const words = (most: number) =>
  fc
    .constantFrom('x', '\u0001', '日', '👩‍👩‍👧‍👦', '"')
    .chain((unit) =>
      fc.integer({ min: 1, max: Math.floor(most / unit.length) }).map((times) => unit.repeat(times)),
    )
/** What else there is about the days of a habit, as long as it may be. */
const dayRecipes = fc.record({
  rhythms: fc.integer({ min: 1, max: 400 }),
  unit: words(50),
  skips: fc.nat(1_200),
  notes: fc.array(words(5_000), { maxLength: 12 }),
  amounts: fc.nat(1_500),
  settled: fc.integer({ min: 0, max: 1_000 }),
})
type DayRecipe = typeof dayRecipes extends fc.Arbitrary<infer Recipe> ? Recipe : never

function detailed(number: number, description: string, done: number, recipe: DayRecipe): ExportedHabit {
  const dayAt = (place: number) => addDays('2016-01-01' as Day, place)
  const target = { at: 'least', amount: 8_000, unit: recipe.unit, per: 'day' } as const
  return {
    ...habit(number, description, done),
    rhythms: Array.from({ length: recipe.rhythms }, (_, place) => ({
      from_day: dayAt(place),
      rhythm: { every: (place % 2) + 1 },
      target,
    })),
    skips: Array.from({ length: recipe.skips }, (_, place) => dayAt(4_000 + place)),
    notes: recipe.notes.map((note, place) => ({ day: dayAt(place), note })),
    amounts: Array.from({ length: recipe.amounts }, (_, place) => ({
      id: id(number * 10_000 + place),
      day: dayAt(place),
      value: 1_000,
      at: instant,
      ...(place % 50 === 0
        ? { set: true, settles: Array.from({ length: recipe.settled }, (_, nth) => id(nth)) }
        : { set: false, settles: [] }),
    })),
  }
}

const accounts = fc
  .record({
    names: fc.array(words(100), { maxLength: 20 }),
    titles: fc.array(words(500), { maxLength: 200 }),
    habits: fc.array(fc.tuple(words(5_000), fc.integer({ min: 0, max: 3_700 }), fc.option(dayRecipes)), {
      maxLength: 6,
    }),
    pauses: fc.nat(300),
    sessions: fc.array(fc.integer({ min: 1, max: 366 }), { maxLength: 30 }),
  })
  .map(({ names, titles, habits, pauses, sessions }) =>
    exportedAccount({
      lists: names.map((name, place) => list(3_000 + place, name)),
      todos: titles.map((title, place) => todo(place, title)),
      habits: habits.map(([description, done, recipe], place) =>
        recipe ? detailed(1_000 + place, description, done, recipe) : habit(1_000 + place, description, done),
      ),
      pauses: Array.from({ length: pauses }, (_, place) => pause(5_000 + place)),
      focus_sessions: sessions.map((days, place) => session(2_000 + place, days)),
    }),
  )

describe('an account is split into pieces', () => {
  it('each of which is small enough to send', () => {
    fc.assert(
      fc.property(accounts, (exported) => {
        for (const piece of splitIntoPieces(exported, true)) {
          expect(bytes(piece)).toBeLessThanOrEqual(65_536)
          // The sessions here are of any length.
          expect(importPieceSchema.safeParse({ ...piece, focus_sessions: [] }).error).toBeUndefined()
        }
      }),
      { numRuns: runs(1_000, 12) },
    )
  })

  it('that together contain exactly what it contains, everything about a day after its habit', () => {
    fc.assert(
      fc.property(accounts, (exported) => {
        const pieces = splitIntoPieces(exported, true).map(asReadByServer)
        const habits = new Map<string, ExportedAccount['habits'][number]>()
        for (const piece of pieces) {
          for (const each of piece.habits ?? []) {
            const nothing = { completions: [], skips: [], notes: [], amounts: [] }
            habits.set(each.id, { ...each, ...nothing, rhythms: [...each.rhythms] })
          }
          for (const { habit_id, rhythms } of piece.rhythms ?? [])
            habits.get(habit_id)?.rhythms.push(...rhythms)
          for (const { habit_id, days } of piece.completions ?? [])
            habits.get(habit_id)?.completions.push(...days)
          for (const { habit_id, days } of piece.skips ?? []) habits.get(habit_id)?.skips.push(...days)
          for (const { habit_id, days } of piece.notes ?? []) habits.get(habit_id)?.notes.push(...days)
          for (const { habit_id, days } of piece.amounts ?? []) habits.get(habit_id)?.amounts.push(...days)
        }
        expect({
          lists: pieces.flatMap(({ lists = [] }) => lists),
          todos: pieces.flatMap(({ todos = [] }) => todos),
          habits: [...habits.values()],
          pauses: pieces.flatMap(({ pauses = [] }) => pauses),
          focus_sessions: pieces.flatMap(({ focus_sessions = [] }) => focus_sessions),
        }).toEqual({
          lists: exported.lists,
          todos: exported.todos,
          habits: exported.habits,
          pauses: exported.pauses,
          focus_sessions: exported.focus_sessions,
        })
      }),
      { numRuns: runs(1_000, 12) },
    )
  })

  it('that the server knows, and that are few', () => {
    const exported = exportedAccount({
      todos: Array.from({ length: 10_000 }, (_, place) => todo(place, `Task ${place}`)),
      habits: [habit(20_000, 'A page', 3_653)],
    })
    const pieces = splitIntoPieces(exported, true)
    for (const piece of pieces) expect(importPieceSchema.safeParse(piece).error).toBeUndefined()
    const whole = pieces.reduce((sum, piece) => sum + bytes(piece), 0)
    expect(pieces.length).toBeLessThanOrEqual(Math.ceil(whole / 50_000))
  })

  it('and a habit stays with its days if they fit into one', () => {
    const exported = exportedAccount({ habits: [1, 2, 3].map((place) => habit(place, '', 1_200)) })
    const pieces = splitIntoPieces(exported, false)
    const habitsOf = (piece: ImportPiece) => piece.habits?.map(({ id }) => id)
    const daysOfHabits = (piece: ImportPiece) => [
      ...new Set(piece.completions?.map(({ habit_id }) => habit_id)),
    ]
    expect(pieces.map(habitsOf)).toEqual(exported.habits.map(({ id }) => [id]))
    expect(pieces.map(daysOfHabits)).toEqual(pieces.map(habitsOf))
  })

  it('with the preferences last, or without them', () => {
    const exported = exportedAccount({ todos: [todo(1, 'One')] })
    expect(splitIntoPieces(exported, true).map(asReadByServer)).toEqual([
      { todos: exported.todos },
      { preferences: exported.preferences },
    ])
    expect(splitIntoPieces(exported, false).map(asReadByServer)).toEqual([{ todos: exported.todos }])
    expect(splitIntoPieces(exportedAccount({}), false)).toEqual([])
  })

  it('brings no more days in a piece, and of no more habits, than a piece may', () => {
    const long = [
      habit(1, '', 5_500),
      habit(2, '', 1_200),
      ...Array.from({ length: 250 }, (_, n) => habit(n + 3, '', 2)),
    ]
    const exported = exportedAccount({
      habits: long,
      focus_sessions: Array.from({ length: 20 }, (_, n) => ({
        ...session(n, 366),
        started_at: '2015-12-31T00:00:00.000Z',
      })),
    })
    const pieces = splitIntoPieces(exported, true)
    for (const piece of pieces) expect(importPieceSchema.safeParse(piece).success).toBe(true)
    const completed = pieces.flatMap(({ completions = [] }) => completions).flatMap(({ days }) => days)
    expect(completed).toHaveLength(5_500 + 1_200 + 500)
    expect(pieces.flatMap(({ focus_sessions = [] }) => focus_sessions)).toHaveLength(20)
  })
})
