import { accounts } from '#features/account/migrations/0001-accounts.ts'
import { pictures } from '#features/account/migrations/0006-pictures.ts'
import { signUps } from '#features/account/migrations/0014-sign-ups.ts'
import { invitations } from '#features/account/migrations/0016-invitations.ts'
import { focusSessions } from '#features/focus/migrations/0005-focus-sessions.ts'
import { focusTimers } from '#features/focus/migrations/0010-focus-timers.ts'
import { focusSubjects } from '#features/focus/migrations/0023-focus-subjects.ts'
import { habits } from '#features/habits/migrations/0004-habits.ts'
import { rhythms } from '#features/habits/migrations/0022-rhythms.ts'
import { habitStarts } from '#features/habits/migrations/0025-habit-starts.ts'
import { imports } from '#features/imports/migrations/0024-imports.ts'
import { lists } from '#features/lists/migrations/0017-lists.ts'
import { preferences } from '#features/preferences/migrations/0003-preferences.ts'
import { todosSort } from '#features/preferences/migrations/0018-todos-sort.ts'
import { startPage } from '#features/preferences/migrations/0021-start-page.ts'
import { reminders } from '#features/reminders/migrations/0008-reminders.ts'
import { remindersMended } from '#features/reminders/migrations/0008-reminders-mended.ts'
import { todos } from '#features/todos/migrations/0002-todos.ts'
import { todosMended } from '#features/todos/migrations/0002-todos-mended.ts'
import { partialCompletions } from '#features/todos/migrations/0011-partial-completions.ts'
import { partialCompletionsMended } from '#features/todos/migrations/0011-partial-completions-mended.ts'
import { todoDetails } from '#features/todos/migrations/0019-todo-details.ts'
import { repeatingTodos } from '#features/todos/migrations/0020-repeating-todos.ts'
import type { MigrationStep } from '../schema/migration-step.ts'
import { counting } from './0007-counting.ts'
import { revisions } from './0009-revisions.ts'
import { revisionsMended } from './0009-revisions-mended.ts'
import { limits } from './0012-limits.ts'
import { turns } from './0013-turns.ts'
import { liveRows } from './0015-live-rows.ts'
import { rowChanges } from './0026-row-changes-only-adds.ts'

export const migrations: readonly MigrationStep[] = [
  accounts,
  todos,
  todosMended,
  preferences,
  habits,
  focusSessions,
  pictures,
  counting,
  reminders,
  remindersMended,
  revisions,
  revisionsMended,
  focusTimers,
  partialCompletions,
  partialCompletionsMended,
  limits,
  turns,
  signUps,
  liveRows,
  invitations,
  lists,
  todosSort,
  todoDetails,
  repeatingTodos,
  startPage,
  rhythms,
  focusSubjects,
  imports,
  habitStarts,
  rowChanges,
]

/**
 * From this migration on, no migration was ever changed after it landed (`landed.test.ts`). A database that has this migration
 * therefore matches what today's migrations create.
 */
export const heldFrom = partialCompletionsMended.name
