import { mostTags } from '#features/todos/todo/tags.ts'
import type { Instant } from '#platform/calendar/day.ts'

/** A tag was added to a to-do or removed from it. */
export interface TagPress {
  tag: string
  spelling: string
  is_on: 0 | 1
  changed_at: Instant
}

/** A tag was renamed or removed on all to-dos. */
export interface TagChange {
  tag: string
  /** What it is called since. Null: it was removed. */
  to: Pick<TagPress, 'tag' | 'spelling'> | null
  changed_at: Instant
}

/** Says which spellings, by tag, the presses on one to-do leave. */
export type Follow = (presses: readonly TagPress[]) => ReadonlyMap<string, string>

/** The tags of a to-do, as everything that was done to them leaves them, in whichever order it arrived. */
export function mergedTags(presses: readonly TagPress[], follow: Follow): string[] {
  // Two devices may have added that many each. The others are shown again when some of these are removed.
  return [...follow(presses)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, mostTags)
    .map(([, spelling]) => spelling)
}

/**
 * As if everything were done again in the order of the instants; of the same instant, a tag that is added is renamed. Looks at each
 * change once, and then at none of them for each to-do, which may be many: only at what was pressed there.
 */
export async function followed(
  changes: readonly TagChange[],
  yieldPoint: () => Promise<void>,
): Promise<Follow> {
  const stays = await staysBetween(changes, yieldPoint)
  return (presses) => {
    const tags = new Map<string, string>()
    const pressed: { press: TagPress; stay: Stay; number: number }[] = []
    for (const press of presses.toSorted(byInstant)) {
      const stay = stayAt(stays.get(press.tag), press.changed_at)
      if (stay) pressed.push({ press, stay, number: numberIn(stay, press.changed_at) })
      else if (press.is_on) tags.set(press.tag, press.spelling)
      else tags.delete(press.tag)
    }
    const lasting: typeof pressed = []
    for (const each of pressed.toSorted((one, other) => one.number - other.number)) {
      // Whatever had this name by then is removed, or is the same tag from now on.
      while ((lasting.at(-1)?.number ?? 0) >= each.stay.opens) lasting.pop()
      lasting.push(each)
    }
    // Of those that end at one name, the last to get there says how it is spelled.
    for (const { press, stay } of lasting) {
      const end = stay.until ? stay.end : press
      if (press.is_on && end) tags.set(end.tag, end.spelling)
    }
    return tags
  }
}

export function byInstant(one: TagPress, other: TagPress): number {
  return one.changed_at - other.changed_at
}

/**
 * The time from one change of a name until the next: whichever tags have the name by then leave together. So stays form trees, in
 * which each change leads from a stay to a later one. They are numbered as brackets are nested: whatever came to a name before some
 * instant has the numbers from where its stay opens.
 */
interface Stay {
  /** The change that ends it; none ends the last one. */
  until: TagChange | undefined
  to: Stay | undefined
  /** Those that lead to it, in the order in which they end. */
  from: Stay[]
  /** What that is called in the end which leaves with the change; null if it is removed. */
  end: TagChange['to']
  opens: number
  closes: number
  /** How many numbers are from where it opens to where it closes. */
  size: number
}

/** By name, in order. */
async function staysBetween(
  changes: readonly TagChange[],
  yieldPoint: () => Promise<void>,
): Promise<ReadonlyMap<string, readonly Stay[]>> {
  const latestFirst = changes.toSorted(
    (one, other) => other.changed_at - one.changed_at || (one.tag < other.tag ? 1 : -1),
  )
  const byName = new Map<string, Stay[]>()
  const all: Stay[] = []
  const add = (name: string, until: TagChange | undefined, to: Stay | undefined): Stay => {
    // Removed for good, or what the stay that it leads to says.
    const end = to?.until ? to.end : (until?.to ?? null)
    const stay = { until, to, from: [], end, opens: 0, closes: 0, size: 2 }
    to?.from.push(stay)
    const later = byName.get(name)
    if (later) later.push(stay)
    else byName.set(name, [stay])
    all.push(stay)
    return stay
  }
  for (const change of latestFirst) {
    await yieldPoint()
    const to = change.to && (byName.get(change.to.tag)?.at(-1) ?? add(change.to.tag, undefined, undefined))
    add(change.tag, change, to ?? undefined)
  }
  await numberStays(all, yieldPoint)
  for (const stays of byName.values()) stays.reverse()
  return byName
}

/** `stays`: each after the one to which it leads. */
async function numberStays(stays: readonly Stay[], yieldPoint: () => Promise<void>): Promise<void> {
  for (const { to, size } of stays.toReversed()) if (to) to.size += size
  let free = 0
  for (const stay of stays) {
    await yieldPoint()
    if (!stay.to) {
      free += stay.size
      stay.closes = free
    }
    stay.opens = stay.closes - stay.size + 1
    let closes = stay.closes - 1
    // The last that leads here is the first in the list, so far.
    for (const each of stay.from) {
      each.closes = closes
      closes -= each.size
    }
    stay.from.reverse()
  }
}

/** Undefined where no change is to come, and none has led there. */
function stayAt(stays: readonly Stay[] | undefined, at: Instant): Stay | undefined {
  return stays?.[placeBefore(stays, at)]
}

/** The number of an instant in a stay: after whatever has led there by then. */
function numberIn({ from, opens }: Stay, at: Instant): number {
  return from[placeBefore(from, at) - 1]?.closes ?? opens
}

/** How many of the stays end before an instant. */
function placeBefore(stays: readonly Stay[], at: Instant): number {
  let [low, high] = [0, stays.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const until = stays[middle]?.until
    if (until && until.changed_at < at) low = middle + 1
    else high = middle
  }
  return low
}
