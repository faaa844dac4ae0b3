import { undoneKinds } from '#app/shell/undo/undone-kinds.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { AccountSync } from '#platform/sync/account/account-sync.ts'
import type { NewQueuedWrite } from '#platform/sync/local-store/queued-write.ts'
import type { Direction } from '#platform/sync/undo/change-history.ts'
import { planUndo } from '#platform/sync/undo/plan-undo.ts'
import type { Moment } from '#platform/sync/undo/undoing.ts'
import type { Change } from '../rules/rule.ts'
import { numberOf } from './one-change.ts'
import type { Said } from './said-by.ts'

// Undo and redo as the screens do it, and the instants that the rule expects for the undone changes. These instants are computed
// differently here than in the product.

/** When each part of a row was last undone or redone in a tab, according to the rule. */
export type TakenBackTimes = Map<string, Instant>

/**
 * Undoes or redoes the last change in a tab. `queue` receives every write of the undo or redo with its instant; `say` returns
 * what a write changes.
 */
export function takeBack(
  sync: AccountSync,
  {
    direction,
    moment,
    changes,
    times,
  }: {
    direction: Direction
    moment: Moment
    changes: readonly Change[]
    times: TakenBackTimes
  },
  say: (write: NewQueuedWrite) => Said,
  queue: (write: NewQueuedWrite, said: Said, at: Instant) => Promise<boolean>,
): void {
  const change = sync.changes.next(direction)
  if (!change) return
  const undone = change.writes.flatMap(({ vars }) => changes[numberOf(vars)] ?? [])
  const plan = planUndo(
    {
      account: sync.account,
      writes: sync.writes,
      changes: sync.changes,
      outbox: sync.outbox,
      rowsOf: (collection) => sync.rowsOf(collection),
      describe: (write, vars) => sync.describe(write, vars),
      queueMade(write) {
        const said = say(write)
        const at = instantOf(said, undone, times)
        for (const name of namesOf(said)) times.set(name, at)
        return queue(write, said, at)
      },
    },
    Object.values(undoneKinds),
    { change, direction, moment },
  )
  sync.changes.turn(direction, change)
  void plan.run()
}

function instantOf(said: Said, undone: readonly Change[], times: TakenBackTimes): Instant {
  const ofRow = undone.filter(({ collection, row }) => collection === said.collection && row === said.row)
  const made = (
    ofRow.length > 0 ? ofRow : undone.filter(({ collection }) => collection === said.collection)
  ).map(({ at }) => at)
  const taken = [...times].flatMap(([name, at]) => (isTakenBackBy(said, name) ? [at] : []))
  return Math.max(...made, ...taken) + 1
}

/** Whether a write undoes the named part of a row. Deleting a row undoes everything that was done to it. */
function isTakenBackBy(said: Said, name: string): boolean {
  return said.kind === 'delete'
    ? name.startsWith(`${said.collection} ${said.row} `)
    : namesOf(said).includes(name)
}

function namesOf({ collection, row, parts }: Said): string[] {
  return parts.map((part) => `${collection} ${row} ${part}`)
}
