import * as z from 'zod/mini'
import { browserTimeZone } from '#platform/browser/clock/browser-time-zone.ts'
import type { Collection } from '#platform/sync/collections/collection.ts'
import type { Write } from '#platform/sync/collections/write.ts'
import { readKnown } from '#platform/wire/known-forms.ts'
import {
  changePreferences as applyChange,
  defaultPreferences,
  type Preferences,
  type PreferencesChange,
  preferencesSchema,
} from '../preferences.ts'
import { formatChange } from './format-change.ts'

/** The preferences are a collection of one row, so that changing them works like every other change. */
export const preferencesCollection: Collection<Preferences> = {
  name: 'preferences',
  path: '/api/preferences',
  rows: (response) => [readKnown(storedSchema, response, { preferences: nones() }).preferences],
}

/**
 * The values to use if a newer version stored something that this version does not understand. The browser's time zone then
 * applies, but the preferences do not follow the browser. Otherwise this browser would report its zone to the server, and so
 * change the zone of the whole account.
 */
function nones() {
  return { ...defaultPreferences, time_zone: browserTimeZone(), time_zone_follows_browser: false }
}

/** The preferences as stored on the device, possibly by an older version. */
const storedSchema = z.object({ preferences: preferencesSchema })

/** Changes preferences. `at` is when the person made the change, ISO 8601 in UTC. */
export const changePreferences: Write<Preferences, { change: PreferencesChange; at: string }> = {
  name: 'preferences.change',
  version: 1,
  collection: preferencesCollection,
  apply: (rows, { change }) => rows.map((preferences) => applyChange(preferences, change)),
  request: ({ change, at }) => ({ method: 'PATCH', path: '/api/preferences', body: { ...change, at } }),
  isAutomatic: ({ change }) => change.time_zone_follows_browser === true,
  // What a change is about. Each preference counts separately, so that a refused theme does not discard a zone that was chosen
  // later.
  subject: ({ change }) => ('time_zone_follows_browser' in change ? 'time_zone' : Object.keys(change).join()),
  refusal: 'Failed to save preferences',
  text: ({ change }) => formatChange(change),
}

/** Every write to preferences that may be queued on a device, for the sync provider. */
export const preferencesWrites = [changePreferences]
