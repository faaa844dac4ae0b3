import type { Reader } from '../reading/reading.ts'
import { habitica } from './habit-apps/habitica.ts'
import { habitKit } from './habit-apps/habitkit.ts'
import { habitTrove } from './habit-apps/habittrove.ts'
import { loop } from './habit-apps/loop.ts'
import { plainCsv } from './plain-csv.ts'
import { googleTasks } from './task-apps/google-tasks.ts'
import { ics } from './task-apps/ics.ts'
import { microsoftTodo } from './task-apps/microsoft-todo.ts'
import { superProductivity } from './task-apps/super-productivity.ts'
import { things } from './task-apps/things.ts'
import { ticktick } from './task-apps/ticktick.ts'
import { todoist } from './task-apps/todoist.ts'
import { tududi } from './task-apps/tududi.ts'
import { vikunja } from './task-apps/vikunja.ts'
import { toggl } from './toggl.ts'

/** All readers, in the order in which they are asked whether they recognise a file. */
export const readers: readonly Reader[] = [
  todoist,
  ticktick,
  superProductivity,
  vikunja,
  ics,
  googleTasks,
  microsoftTodo,
  tududi,
  loop,
  habitica,
  habitKit,
  habitTrove,
  toggl,
  things,
  // Accepts any table, so it has to be last.
  plainCsv,
]
