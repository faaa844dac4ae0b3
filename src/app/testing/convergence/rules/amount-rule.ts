import { type Habit, habitCollectionSchema, habitDaysSchema } from '#features/habits/habit/habit.ts'
import { type Day, instantFromWire } from '#platform/calendar/day.ts'
import { entryField, settlesField } from './row-fields.ts'
import type { Change } from './rule.ts'

type Entry = Habit['entries'][number]

/**
 * Finds entries whose instant differs from the change that entered them, and days whose amount differs from their entries.
 * The amounts are computed differently here than in the product.
 */
export async function wrongAmounts(
  changes: readonly Change[],
  ask: (path: string) => Promise<unknown>,
): Promise<string[]> {
  const wrong: string[] = []
  for (const { id, entries } of habitCollectionSchema.parse(await ask('/api/habits')).habits) {
    for (const entry of entries) {
      const entered = changes.find(({ fields }) => fields.has(entryField(entry.id)))
      const at = instantFromWire(entry.at)
      if (entered && (at < entered.earliest || at > entered.at)) wrong.push(`${entry.id} is of ${entry.at}`)
    }
    const days = [...new Set(entries.map(({ day }) => day))].toSorted()
    const [from, to] = [days[0], days.at(-1)]
    if (!from || !to) continue
    const shown = habitDaysSchema.parse(await ask(`/api/habits/${id}/days?from=${from}&to=${to}`)).days
    for (const { day, amount } of shown) {
      const expected = amountMadeBy(entries, day, changes)
      if (amount !== expected) wrong.push(`${day} of ${id} shows ${amount}, its entries make ${expected}`)
    }
  }
  return wrong
}

function amountMadeBy(entries: readonly Entry[], day: Day, changes: readonly Change[]): number | null {
  const ofDay = entries.filter((entry) => entry.day === day)
  if (ofDay.length === 0) return null
  let latest: Entry | undefined
  for (const entry of ofDay) {
    if (!entry.set) continue
    if (!latest || entry.at > latest.at || (entry.at === latest.at && entry.id > latest.id)) latest = entry
  }
  let sum = latest?.value ?? 0
  const replaced = latest && sentToReplace(latest, changes)
  for (const { id, set, value } of ofDay) if (!set && !replaced?.includes(id)) sum += value
  return sum
}

function sentToReplace({ id, settles = [] }: Entry, changes: readonly Change[]): readonly unknown[] {
  const sent = changes.find(({ fields }) => fields.has(settlesField(id)))?.fields.get(settlesField(id))
  return Array.isArray(sent) ? sent : settles
}
