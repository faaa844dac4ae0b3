import { habitica } from './readers/habitica.ts'
import { habitKit } from './readers/habitkit.ts'
import { habitTrove } from './readers/habittrove.ts'
import { loop } from './readers/loop.ts'
import { plainCsv } from './readers/plain-csv.ts'
import { things } from './readers/things.ts'
import { toggl } from './readers/toggl.ts'
import type { Reader } from './reading.ts'

/** Every source that can be read, in the order in which they are asked whether they recognise a file. */
export const readers: readonly Reader[] = [
  loop,
  habitica,
  habitKit,
  habitTrove,
  toggl,
  things,
  // Any table at all: the last to be asked.
  plainCsv,
]
