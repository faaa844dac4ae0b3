import { undoableSessions } from '#features/focus/sessions/web/undo-sessions.ts'
import { undoableHabits } from '#features/habits/habit/web/undo-habits.ts'
import { undoablePauses } from '#features/habits/pauses/web/undo-pauses.ts'
import { undoableLists } from '#features/lists/list/web/undo-lists.ts'
import { undoablePreferences } from '#features/preferences/web/undo-preferences.ts'
import { undoableTodos } from '#features/todos/todo/web/undo-todos.ts'
import type { FileCollection } from '#features/your-data/exported-account.ts'
import type { UndoableCollection } from '#platform/sync/undo/plan-undo.ts'

/** Everything that can be undone and redone: each kind of row, by its name in files, and the preferences. */
export const undoneKinds = {
  todos: undoableTodos,
  habits: undoableHabits,
  pauses: undoablePauses,
  lists: undoableLists,
  focus_sessions: undoableSessions,
  preferences: undoablePreferences,
} satisfies Record<FileCollection | 'preferences', UndoableCollection>
