import { putsBackSessions } from '#features/focus/web/undo-sessions.ts'
import { putsBackHabits } from '#features/habits/web/undo-habits.ts'
import { putsBackPauses } from '#features/habits/web/undo-pauses.ts'
import { putsBackLists } from '#features/lists/web/undo-lists.ts'
import { putsBackPreferences } from '#features/preferences/web/undo-preferences.ts'
import { putsBackTodos } from '#features/todos/web/undo-todos.ts'

/** Everything that Undo and Redo put back, a kind for each collection. */
export const undoneKinds = [
  putsBackTodos,
  putsBackHabits,
  putsBackPauses,
  putsBackLists,
  putsBackSessions,
  putsBackPreferences,
]
