import { accounts } from './0001-accounts.ts'
import { todos } from './0002-todos.ts'
import { todosMended } from './0002-todos-mended.ts'
import { preferences } from './0003-preferences.ts'
import { habits } from './0004-habits.ts'
import { focusSessions } from './0005-focus-sessions.ts'
import { pictures } from './0006-pictures.ts'
import { counting } from './0007-counting.ts'
import { reminders } from './0008-reminders.ts'
import { remindersMended } from './0008-reminders-mended.ts'
import { revisions } from './0009-revisions.ts'
import { revisionsMended } from './0009-revisions-mended.ts'
import { focusTimers } from './0010-focus-timers.ts'
import { partialCompletions } from './0011-partial-completions.ts'
import { partialCompletionsMended } from './0011-partial-completions-mended.ts'
import { limits } from './0012-limits.ts'
import { turns } from './0013-turns.ts'
import { signUps } from './0014-sign-ups.ts'
import { liveRows } from './0015-live-rows.ts'
import { invitations } from './0016-invitations.ts'
import type { MigrationStep } from './migration-step.ts'

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
]
