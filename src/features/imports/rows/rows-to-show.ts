import type { ExportedFocusSession } from '#features/focus/sessions/exported-focus-session.ts'
import type { ExportedHabit } from '#features/habits/account-file/exported-habit.ts'
import { type Rhythm, rhythmOfFrequency, rhythmOn, type Target } from '#features/habits/rhythm/rhythm.ts'
import type { ExportedList } from '#features/lists/list/exported-list.ts'
import type { ExportedTodo } from '#features/todos/todo/exported-todo.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { RowsToImport } from './rows-of-reading.ts'

/**
 * The rows from which the preview's examples are chosen. An account can have very many days, so facts about days are summed up or
 * left out.
 */
export interface RowsToShow {
  lists: readonly ExportedList[]
  todos: readonly TodoToShow[]
  habits: readonly HabitToShow[]
  sessions: readonly ExportedFocusSession[]
}

export type TodoToShow = Omit<ExportedTodo, 'days'>

export interface HabitToShow extends Pick<ExportedHabit, 'id' | 'name' | 'archived_at'> {
  /** The latest rhythm. */
  rhythm: Rhythm
  target: Target
  /** The number of days on which something was done, and the last of these days. */
  doneDays: number
  lastDay: Day | undefined
  /** Whether the habit has any completions, skips and so on. */
  has: Record<'completions' | 'skips' | 'notes' | 'amounts' | 'changesOfRhythm', boolean>
}

export function rowsToShow({ lists, todos, habits, focus_sessions }: RowsToImport): RowsToShow {
  return {
    lists,
    todos: todos.map(({ days: _, ...todo }) => todo),
    habits: habits.map(habitToShow),
    sessions: focus_sessions,
  }
}

function habitToShow(habit: ExportedHabit): HabitToShow {
  const { id, name, archived_at, frequency, rhythms, completions, skips, notes, amounts } = habit
  const { from_day } = rhythms.at(-1) ?? {}
  const days = new Set([...completions, ...amounts.map(({ day }) => day)])
  return {
    id,
    name,
    archived_at,
    ...(from_day === undefined
      ? { rhythm: rhythmOfFrequency(frequency), target: 'yes' as const }
      : rhythmOn(rhythms, from_day)),
    doneDays: days.size,
    lastDay: [...days].toSorted().at(-1),
    has: {
      completions: completions.length > 0,
      skips: skips.length > 0,
      notes: notes.length > 0,
      amounts: amounts.length > 0,
      changesOfRhythm: rhythms.length > 1,
    },
  }
}
