import { accounts } from './0001-accounts.ts'
import { todos } from './0002-todos.ts'
import { preferences } from './0003-preferences.ts'
import { habits } from './0004-habits.ts'
import { focusSessions } from './0005-focus-sessions.ts'
import { pictures } from './0006-pictures.ts'
import { counting } from './0007-counting.ts'
import { reminders } from './0008-reminders.ts'
import { revisions } from './0009-revisions.ts'
import { focusTimers } from './0010-focus-timers.ts'
import { partialCompletions } from './0011-partial-completions.ts'
import type { MigrationStep } from './migration-step.ts'

export const migrations: readonly MigrationStep[] = [
  accounts,
  todos,
  preferences,
  habits,
  focusSessions,
  pictures,
  counting,
  reminders,
  revisions,
  focusTimers,
  partialCompletions,
]
