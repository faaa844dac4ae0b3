import type { AccountTables } from '#features/account/server/tables.ts'
import type { FocusTables } from '#features/focus/server/tables.ts'
import type { HabitTables } from '#features/habits/server/tables.ts'
import type { ImportTables } from '#features/imports/server/tables.ts'
import type { ListTables } from '#features/lists/server/tables.ts'
import type { PreferencesTables } from '#features/preferences/server/tables.ts'
import type { ReminderTables } from '#features/reminders/server/tables.ts'
import type { TodoTables } from '#features/todos/server/tables.ts'
import type { AlarmTables } from '#platform/alarms/tables.ts'
import type { HttpTables } from '#platform/http/tables.ts'
import type { PushTables } from '#platform/push/tables.ts'

/** Every table. Ours hold only text, integers and reals, so that no engine's types leak into a store. */
export interface Tables
  extends AccountTables,
    AlarmTables,
    FocusTables,
    HabitTables,
    HttpTables,
    ImportTables,
    ListTables,
    PreferencesTables,
    PushTables,
    ReminderTables,
    TodoTables {
  revisions: RevisionsTable
}

interface RevisionsTable {
  user_id: string
  /** Changes with every write of the user. */
  revision: string
}
