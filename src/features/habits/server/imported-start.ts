import * as z from 'zod/mini'
import { daySchema } from '#platform/calendar/day.ts'
import type { HabitRow } from './habit-row-store.ts'

// An import that brings days from before a habit's start moves that back. Several imports may have done so; any of them can be undone.

const movesSchema = z.array(z.object({ import_id: z.string(), from: daySchema, to: daySchema }))

type Start = Pick<HabitRow, 'start_day' | 'starts_before_imports'>

/** What changes in a habit whose start an import has moved. */
export function withMovedStart(
  before: HabitRow,
  { start_day }: HabitRow,
  importId: string | null,
): Partial<Start> {
  // A habit that the import made goes as a whole.
  const isMade = before.import_id === importId && before.deleted_before_import === null
  if (importId === null || isMade || start_day === before.start_day) return {}
  const moves = movesOf(before)
  const earlier = moves.find(({ import_id }) => import_id === importId)
  const others = moves.filter((move) => move !== earlier)
  const from = earlier?.from ?? before.start_day
  return stored([...others, { import_id: importId, from, to: start_day }])
}

/** What changes once that import is undone: the start is back where it was, unless something else has moved it since. */
export function withStartBefore(habit: HabitRow, importId: string): Partial<Start> {
  const moves = movesOf(habit)
  const undone = moves.find(({ import_id }) => import_id === importId)
  if (!undone) return {}
  const others = moves
    .filter((move) => move !== undone)
    .map((move) => (move.from === undone.to ? { ...move, from: undone.from } : move))
  return {
    ...stored(others),
    ...(habit.start_day === undone.to && { start_day: undone.from }),
  }
}

function movesOf({ starts_before_imports: moves }: Start): z.infer<typeof movesSchema> {
  return moves === null ? [] : movesSchema.parse(JSON.parse(moves))
}

function stored(moves: z.infer<typeof movesSchema>): Pick<Start, 'starts_before_imports'> {
  return { starts_before_imports: moves.length === 0 ? null : JSON.stringify(moves) }
}
