import { mostTags } from '#features/todos/todo/tags.ts'
import type { Instant } from '#platform/calendar/day.ts'

/** One press: a tag was added to a to-do or removed from it. */
export interface TagPress {
  tag: string
  spelling: string
  is_on: 0 | 1
  changed_at: Instant
}

/** One change: a tag was renamed or removed on all to-dos. */
export interface TagChange {
  tag: string
  /** The new name; null if the tag was removed. */
  to: Pick<TagPress, 'tag' | 'spelling'> | null
  changed_at: Instant
}

/** Computes the tags of one to-do from its presses. Returns the spelling of each tag, by the tag's key. */
export type Follow = (presses: readonly TagPress[]) => ReadonlyMap<string, string>

/** The tags that a to-do has after all presses and changes, in whichever order they arrived. */
export function mergedTags(presses: readonly TagPress[], follow: Follow): string[] {
  // Two devices may each have added the maximum. The tags left out here appear once some of the others are removed.
  return [...follow(presses)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, mostTags)
    .map(([, spelling]) => spelling)
}

/**
 * Returns a function that gives the same tags as replaying presses and changes in the order of their instants. At the same
 * instant, a press comes before a change. The changes are processed only once, because there may be many to-dos; each to-do then
 * costs only its own presses.
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
      // This press replaces all earlier presses whose tags had the same name by then: for the to-do they are one tag.
      while ((lasting.at(-1)?.number ?? 0) >= each.stay.opens) lasting.pop()
      lasting.push(each)
    }
    // If several tags end with the same name, the last one to get there decides the spelling.
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
 * A stay is a period during which no change concerns a name: from one change of the name until the next. All tags that have the
 * name at the end of a stay are renamed or removed together, so stays form trees. `to` is the stay that these tags enter. Stays
 * are numbered like nested brackets: all tags that reached a name before some instant have numbers from `opens` of that stay on.
 */
interface Stay {
  /** The change that ends the stay; undefined for the last one. */
  until: TagChange | undefined
  to: Stay | undefined
  /** The stays that lead to this one, in the order in which they end. */
  from: Stay[]
  /** The final name of the tags that leave with the change; null if they are removed. */
  end: TagChange['to']
  opens: number
  closes: number
  /** How many numbers there are from `opens` to `closes`. */
  size: number
}

/** The stays of each name, in order of time. */
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
    // The final name of the stay that this one leads to, or else the new name of this change; null if the tags are removed.
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

/** Numbers the stays. In `stays`, each must come after the stay that it leads to. */
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
    // So far, `from` is in reverse order: the last stay to lead here comes first.
    for (const each of stay.from) {
      each.closes = closes
      closes -= each.size
    }
    stay.from.reverse()
  }
}

/** The stay of a name at an instant. Undefined if no later change concerns the name, and none has led to it. */
function stayAt(stays: readonly Stay[] | undefined, at: Instant): Stay | undefined {
  return stays?.[placeBefore(stays, at)]
}

/** The number of a press at an instant in a stay: higher than the numbers of all stays that have led to this one by then. */
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
