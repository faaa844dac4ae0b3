import { putsBackSessions } from '#features/focus/sessions/web/undo-sessions.ts'
import { putsBackHabits } from '#features/habits/habit/web/undo-habits.ts'
import { putsBackPauses } from '#features/habits/pauses/web/undo-pauses.ts'
import { putsBackLists } from '#features/lists/list/web/undo-lists.ts'
import { putsBackPreferences } from '#features/preferences/web/undo-preferences.ts'
import { putsBackTodos } from '#features/todos/todo/web/undo-todos.ts'
import type { FileList } from '#features/your-data/exported-account.ts'
import type { PutsBack } from '#platform/sync/undo/put-back.ts'

/** Everything that Undo and Redo put back: each kind of row, by its list in files, and the preferences. */
export const undoneKinds = {
  todos: putsBackTodos,
  habits: putsBackHabits,
  pauses: putsBackPauses,
  lists: putsBackLists,
  focus_sessions: putsBackSessions,
  preferences: putsBackPreferences,
} satisfies Record<FileList | 'preferences', PutsBack>
