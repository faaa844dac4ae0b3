import { type Habit, habitCollectionSchema } from '#features/habits/habit/habit.ts'

/** Lists habits whose numbers differ from the numbers that all their days give when added up again. */
export async function staleNumbers(
  ask: (path: string) => Promise<unknown>,
  forgetSums: () => Promise<void>,
): Promise<string[]> {
  const shown = await numbersOfAll(ask)
  await forgetSums()
  const anew = await numbersOfAll(ask)
  return [...shown].flatMap(([id, numbers]) =>
    numbers === anew.get(id) ? [] : [`${id} shows ${numbers}, its days make ${anew.get(id)}`],
  )
}

async function numbersOfAll(ask: (path: string) => Promise<unknown>): Promise<Map<string, string>> {
  const { habits } = habitCollectionSchema.parse(await ask('/api/habits'))
  return new Map(habits.map((habit) => [habit.id, JSON.stringify(numbersOf(habit))]))
}

/**
 * The numbers that depend on all days. Summed days are added in another order, so strength may differ by a rounding error.
 */
function numbersOf({ current_streak, longest_streak, completion_rate, strength }: Habit) {
  return {
    current_streak,
    longest_streak,
    completion_rate,
    strength: strength === null ? null : strength.toFixed(7),
  }
}
