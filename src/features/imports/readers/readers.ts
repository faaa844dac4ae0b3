import { googleTasks } from './readers/google-tasks.ts'
import { habitica } from './readers/habitica.ts'
import { habitKit } from './readers/habitkit.ts'
import { habitTrove } from './readers/habittrove.ts'
import { ics } from './readers/ics.ts'
import { loop } from './readers/loop.ts'
import { microsoftTodo } from './readers/microsoft-todo.ts'
import { plainCsv } from './readers/plain-csv.ts'
import { superProductivity } from './readers/super-productivity.ts'
import { things } from './readers/things.ts'
import { ticktick } from './readers/ticktick.ts'
import { todoist } from './readers/todoist.ts'
import { toggl } from './readers/toggl.ts'
import { tududi } from './readers/tududi.ts'
import { vikunja } from './readers/vikunja.ts'
import type { Reader } from './reading.ts'

/** Every source that can be read, in the order in which they are asked whether they recognise a file. */
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
  // Any table at all: the last to be asked.
  plainCsv,
]
