import type { Database } from '#platform/database/database.ts'
import { runs } from '#testing/runs.ts'
import { openApplication } from '../application.ts'
import { signIn } from '../convergence/network/sign-in.ts'
import type { Parts } from './play-moves.ts'

/** Sets up moves of some tasks on three devices; the same numbers give the same moves. */
export async function someMoves(
  database: Database,
  moves: number,
  below: Parts['below'],
  changes: Partial<Parts>,
): Promise<Parts> {
  let now = Date.UTC(2026, 10, 20, 8)
  const daymark = openApplication(database, { clock: () => now })
  return {
    daymark,
    cookie: await signIn(daymark, database, 'Ada'),
    devices: 3,
    todos: runs(40, 20),
    moves,
    pass(milliseconds) {
      now += milliseconds
      return now
    },
    below,
    ...changes,
  }
}
