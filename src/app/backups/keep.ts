import type { Keep } from '../settings/backup-settings.ts'
import { parseName } from './backup-name.ts'

const dayLong = 24 * 60 * 60 * 1000
// Added to a day number to count weeks from Monday: day 0, 1 January 1970, was a Thursday.
const daysToMonday = 3

/**
 * The names of the backups to remove. The newest backup of each of the last days and weeks (by UTC) stays, and so does the newest
 * of all. Days and weeks without a backup do not count. Other names stay, and so do backups from after `now`. A clock that was
 * ahead made those, and they must not take the place of backups made since.
 */
export function backupsToRemove(
  names: readonly string[],
  { daily, weekly }: Keep,
  now = Number.POSITIVE_INFINITY,
): string[] {
  const ours = names
    .flatMap((name) => {
      const at = parseName(name)
      return at === undefined || at > now ? [] : [{ name, day: Math.floor(at / dayLong), at }]
    })
    .toSorted((a, b) => b.at - a.at)
  const newest = ours.slice(0, 1)
  const ofDays = newestOfEach(ours, ({ day }) => day).slice(0, daily)
  const ofWeeks = newestOfEach(ours, ({ day }) => Math.floor((day + daysToMonday) / 7)).slice(0, weekly)
  const kept = new Set([...newest, ...ofDays, ...ofWeeks])
  return ours.filter((each) => !kept.has(each)).map(({ name }) => name)
}

/** The newest backup of each span, such as a day or a week; `ours` is sorted with the newest first. */
function newestOfEach<Each>(ours: readonly Each[], span: (each: Each) => number): Each[] {
  return [...Map.groupBy(ours, span).values()].flatMap((inSpan) => inSpan.slice(0, 1))
}
