import * as z from 'zod/mini'
import { habitCollectionSchema } from '#features/habits/habit/habit.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { type Change, clockTolerance, type ReportedChange } from './rule.ts'

const entrySchema = z.object({ day: z.string(), value: z.number(), set: z.boolean() })

/**
 * Lists habits that begin on another day than their changes say. A habit begins on the chosen day, or on an earlier day that was
 * entered after the choice and not removed since. Either day is accepted where instants are closer than clocks may differ, and on
 * days whose amount was also set.
 */
export async function wrongStarts(
  changes: readonly Change[],
  reported: readonly ReportedChange[],
  ask: (path: string) => Promise<unknown>,
): Promise<string[]> {
  const unsaved = new Set(reported.map(({ change }) => change))
  const { habits } = habitCollectionSchema.parse(await ask('/api/habits'))
  return habits.flatMap(({ id, start_date, chosen_start }) => {
    const ofHabit = changes.filter(({ row }) => row === id)
    // A change reported as not saved may have been made or not, so the first day is not certain.
    if (ofHabit.some(({ number }) => unsaved.has(number))) return []
    const since = Date.parse(chosen_start.at)
    const entered = [...ticksIn(ofHabit), ...amountsIn(ofHabit)].filter(({ day }) => day < chosen_start.day)
    const maybe = entered.filter(({ at }) => at > since - clockTolerance)
    const surely = maybe.filter(({ at, isSure }) => isSure && at > since + clockTolerance)
    const earliest = firstOf(chosen_start.day, maybe)
    const latest = firstOf(chosen_start.day, surely)
    if (start_date >= earliest && start_date <= latest) return []
    return [`${id} begins on ${start_date}, not between ${earliest} and ${latest}`]
  })
}

interface Entered {
  day: string
  at: Instant
  isSure: boolean
}

function firstOf(chosen: string, entered: readonly Entered[]): string {
  return entered.reduce((first, { day }) => (day < first ? day : first), chosen)
}

/** The days that are done according to their last change. */
function ticksIn(changes: readonly Change[]): Entered[] {
  const days = new Set(changes.flatMap(({ fields }) => [...fields.keys()].filter((name) => isDay.test(name))))
  return [...days].flatMap((day) => {
    const ofDay = changes.filter(({ fields }) => fields.has(day)).toSorted((a, b) => a.at - b.at)
    const last = ofDay.at(-1)
    if (!last) return []
    const close = ofDay.filter(({ at }) => at >= last.earliest - clockTolerance)
    const done = close.filter(({ fields }) => fields.get(day) === 'done')
    const isSure = done.length === close.length
    return done.map(({ at }) => ({ day, at, isSure }))
  })
}

const isDay = /^\d{4}-\d\d-\d\d$/

/** The days of entries that were not deleted. */
function amountsIn(changes: readonly Change[]): Entered[] {
  const names = new Set(
    changes.flatMap(({ fields }) => [...fields.keys()].filter((name) => name.startsWith('entry '))),
  )
  const entries = [...names].flatMap((name) => {
    const ofEntry = changes.filter(({ fields }) => fields.has(name)).toSorted((a, b) => a.at - b.at)
    const [first] = ofEntry
    const text = ofEntry.map(({ fields }) => fields.get(name)).find((value) => typeof value === 'string')
    if (!first || text === undefined) return []
    return [{ ...entrySchema.parse(JSON.parse(text)), at: first.at, isUntouched: ofEntry.length === 1 }]
  })
  return entries.map(({ day, at, isUntouched }) => ({
    day,
    at,
    isSure: isUntouched && entries.every((other) => other.day !== day || !other.set),
  }))
}
