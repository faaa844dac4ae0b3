import type { Transaction } from 'kysely'
import type { ExportedFocusSession } from '#features/focus/exported-focus-session.ts'
import type { ImportedCompletions, ImportedHabit } from '#features/habits/exported-habit.ts'
import type { Preferences } from '#features/preferences/preferences.ts'
import type { ExportedTodo } from '#features/todos/exported-todo.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { TakenRows } from '#platform/database/import-rows.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { writeWithinLimits } from '#platform/database/write-within-limits.ts'
import type { Imported, ImportPiece, Taken } from '../exported-account.ts'

type Take<Rows, Outcome> = (
  tx: Transaction<Tables>,
  user: string,
  rows: Rows,
  now: Instant,
) => Promise<Outcome>

/** How the stores of the features take in what is imported, each its own rows, in a write that they share. */
export interface Importers {
  todos: Take<readonly ExportedTodo[], TakenRows>
  habits: Take<readonly ImportedHabit[], TakenRows>
  completions: Take<readonly ImportedCompletions[], number>
  focusSessions: Take<readonly ExportedFocusSession[], TakenRows>
  preferences: Take<Preferences, void>
  /** The first of these habits that is not there or deleted. */
  findMissingHabit(tx: Transaction<Tables>, user: string, ids: readonly string[]): Promise<string | undefined>
}

/**
 * Takes a piece in as a whole. Where it completes a habit that is not there, or brings more than an account may have,
 * nothing of it, and that is what is answered.
 */
export async function importPiece(
  db: Database,
  importers: Importers,
  user: string,
  { todos = [], habits = [], completions = [], focus_sessions = [], preferences }: ImportPiece,
  now: Instant,
): Promise<{ imported: Imported } | { missingHabit: string } | TooManyRows> {
  return writeWithinLimits(db, user, ['todos', 'habits', 'focus', 'preferences'], async (tx, adding) => {
    // Before anything is written: what is answered leaves nothing to undo.
    const brought = new Set(habits.map(({ id }) => id))
    const expected = completions.map(({ habit_id }) => habit_id).filter((id) => !brought.has(id))
    const missingHabit = await importers.findMissingHabit(tx, user, expected)
    if (missingHabit !== undefined) return { missingHabit }

    const taken = {
      todos: await importers.todos(tx, user, todos, now),
      habits: await importers.habits(tx, user, habits, now),
      focus_sessions: await importers.focusSessions(tx, user, focus_sessions, now),
    }
    const completed = await importers.completions(tx, user, completions, now)
    for (const table of ['todos', 'habits', 'focus_sessions'] as const)
      adding.rows(table, taken[table].added.size)
    adding.rows('completions', completed)
    const added = focus_sessions.filter(({ id }) => taken.focus_sessions.added.has(id))
    adding.rows(
      'focus_days',
      added.reduce((sum, { days }) => sum + days.length, 0),
    )
    const imported = {
      todos: counted(taken.todos),
      habits: counted(taken.habits),
      completions: { added: completed },
      focus_sessions: counted(taken.focus_sessions),
    }
    if (preferences) await importers.preferences(tx, user, preferences, now)
    return { imported }
  })
}

function counted({ added, restored }: TakenRows): Taken {
  return { added: added.size, restored: restored.size }
}
