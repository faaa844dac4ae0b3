import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { NewEntry } from './entry.ts'

// When a change was made. The variables of a write say it by this device's clock; what is sent says it by the server's.

/** Changes of one device are put after one another where they lie closer than two ideas of the server's time may differ. */
const closest = 5_000

/** By this device's clock; undefined for a write that does not say so. */
function saidIn(vars: unknown): Instant | undefined {
  if (typeof vars !== 'object' || vars === null || !('at' in vars) || typeof vars.at !== 'string') {
    return undefined
  }
  const at = Date.parse(vars.at)
  return Number.isNaN(at) ? undefined : at
}

/** By the server's clock, which is `ahead` of this device's; undefined as long as that is not known. */
export function byServer(vars: unknown, ahead: number | undefined): Instant | undefined {
  const said = saidIn(vars)
  return said === undefined || ahead === undefined ? undefined : said + ahead
}

/** Whether it is not known yet when, by the server's clock, a change was made that says it by this device's. */
export function isUndated({ at, vars }: NewEntry): boolean {
  return at === undefined && saidIn(vars) !== undefined
}

/** The variables as they are sent. */
export function sentVars({ at, vars }: NewEntry): unknown {
  return at === undefined || typeof vars !== 'object' ? vars : { ...vars, at: instantToWire(at) }
}

/** The changes of a device as they come after the one that was dated last: in the order in which they were made. */
export function datedAfter<Made extends NewEntry>(
  last: Instant | undefined,
  entries: readonly Made[],
): { entries: Made[]; last: Instant | undefined } {
  let latest = last
  const dated = entries.map((entry) => {
    if (entry.at === undefined) return entry
    const before = latest ?? Number.NEGATIVE_INFINITY
    const swaps = entry.at <= before && before - entry.at < closest
    latest = swaps ? before + 1 : entry.at
    return { ...entry, at: latest }
  })
  return { entries: dated, last: latest }
}

/**
 * The writes that wait, in order, with those dated that were made before the server's time was known. `last` was the date
 * of the newest of all dated changes: what waits undated came after it only where no dated one waits.
 */
export function datedLate<Made extends NewEntry>(
  last: Instant | undefined,
  waiting: readonly Made[],
  ahead: number,
): { entries: Made[]; last: Instant | undefined } {
  const before = waiting.some(({ at }) => at !== undefined) ? undefined : last
  return datedAfter(
    before,
    waiting.map((entry) => (isUndated(entry) ? { ...entry, at: byServer(entry.vars, ahead) } : entry)),
  )
}
