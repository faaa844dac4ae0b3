import type { Transaction } from 'kysely'
import type { ExportedFocusSession } from '#features/focus/exported-focus-session.ts'
import type { ImportedCompletions, ImportedHabit } from '#features/habits/exported-habit.ts'
import type { Preferences } from '#features/preferences/preferences.ts'
import type { ExportedTodo } from '#features/todos/exported-todo.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { TakenRows } from '#platform/database/import-rows.ts'
import type { Tables } from '#platform/database/tables.ts'
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

/** Takes a piece in as a whole. Where it completes a habit that is not there, nothing of it, and that habit is answered. */
export async function importPiece(
  db: Database,
  importers: Importers,
  user: string,
  { todos = [], habits = [], completions = [], focus_sessions = [], preferences }: ImportPiece,
  now: Instant,
): Promise<{ imported: Imported } | { missingHabit: string }> {
  return db.writeFor(user, ['todos', 'habits', 'focus', 'preferences'], async (tx) => {
    // Before anything is written: what is answered leaves nothing to undo.
    const brought = new Set(habits.map(({ id }) => id))
    const expected = completions.map(({ habit_id }) => habit_id).filter((id) => !brought.has(id))
    const missingHabit = await importers.findMissingHabit(tx, user, expected)
    if (missingHabit !== undefined) return { missingHabit }

    const imported = {
      todos: counted(await importers.todos(tx, user, todos, now)),
      habits: counted(await importers.habits(tx, user, habits, now)),
      completions: { added: await importers.completions(tx, user, completions, now) },
      focus_sessions: counted(await importers.focusSessions(tx, user, focus_sessions, now)),
    }
    if (preferences) await importers.preferences(tx, user, preferences, now)
    return { imported }
  })
}

function counted({ added, restored }: TakenRows): Taken {
  return { added: added.size, restored: restored.size }
}
