import { googleTasks } from './readers/google-tasks.ts'
import { ics } from './readers/ics.ts'
import { microsoftTodo } from './readers/microsoft-todo.ts'
import { superProductivity } from './readers/super-productivity.ts'
import { ticktick } from './readers/ticktick.ts'
import { todoist } from './readers/todoist.ts'
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
]
