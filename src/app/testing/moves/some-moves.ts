import type { Database } from '#platform/database/database.ts'
import { openApplication } from '../application.ts'
import { signIn } from '../convergence/sign-in.ts'
import type { Parts } from './play-moves.ts'

/** Moves of 40 tasks on three devices, the same in every run. */
export async function someMoves(database: Database, moves: number, changes: Partial<Parts>): Promise<Parts> {
  let now = Date.UTC(2026, 10, 20, 8)
  const daymark = openApplication(database, { clock: () => now })
  let state = 20_261_120
  return {
    daymark,
    cookie: await signIn(daymark, database, 'Ada'),
    devices: 3,
    todos: 40,
    moves,
    pass(milliseconds) {
      now += milliseconds
      return now
    },
    below(limit) {
      state = (state * 48_271) % 2_147_483_647
      return state % limit
    },
    ...changes,
  }
}
