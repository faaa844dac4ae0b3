import { instantToWire } from '#platform/calendar/day.ts'
import { undoableCollection } from '#platform/sync/undo/plan-undo.ts'
import type { Preferences, PreferencesChange } from '../preferences.ts'
import { changePreferences, preferencesCollection } from './preferences-queries.ts'

/** Undoes changes of preferences. They are one row, which is never added or deleted. */
export const undoablePreferences = undoableCollection<Preferences>({
  collection: preferencesCollection,
  idOf: () => 'preferences',
  nameOf: () => '',
  titleOf: () => 'Preferences changed',
  partsOf({ time_zone, time_zone_follows_browser, ...others }) {
    // A zone that follows the browser is no choice to undo: every browser reports its own.
    const zone = time_zone_follows_browser ? null : time_zone
    return new Map<string, unknown>(Object.entries({ ...others, time_zone: zone }))
  },
  set(write, { target, parts }, { moment: { now } }) {
    const at = instantToWire(now)
    for (const [field, value] of Object.entries(target)) {
      if (!parts.includes(field) || field === 'time_zone') continue
      void write(changePreferences, { change: { [field]: value } satisfies PreferencesChange, at })
    }
    const { time_zone, time_zone_follows_browser } = target
    if (parts.includes('time_zone'))
      void write(changePreferences, { change: { time_zone, time_zone_follows_browser }, at })
  },
  remove() {},
  restore() {},
})
