import type { ListToMake } from '#platform/browser/screen-services.ts'
import { instantToWire } from '#platform/calendar/day.ts'
import { lastPosition } from '#platform/order/move.ts'
import type { AccountSync } from '#platform/sync/account/account-sync.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { addList, lists } from './list-queries.ts'

/** Prepares a list with this name, at the end of the person's lists. `make` creates it. */
export function listToMake(name: string, sync: AccountSync): ListToMake {
  const now = Date.now()
  const id = newRowId(now, crypto.getRandomValues(new Uint8Array(10)))
  const position = lastPosition(sync.rowsOf(lists))
  return { id, make: () => sync.write(addList, { id, name, color: 1, position, at: instantToWire(now) }) }
}
