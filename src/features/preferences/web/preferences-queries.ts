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

/** A collection of one row, so that changing it works like every change. */
export const preferencesCollection: Collection<Preferences> = {
  name: 'preferences',
  path: '/api/preferences',
  rows: (response) => [readKnown(storedSchema, response, { preferences: nones() }).preferences],
}

/** A zone that is not known is no reason to choose another one for the whole account, as one that follows the browser does. */
function nones() {
  return { ...defaultPreferences, time_zone: browserTimeZone(), time_zone_follows_browser: false }
}

/** As stored on the device, possibly by the version before. */
const storedSchema = z.object({ preferences: preferencesSchema })

/** `at` is the instant of the person's change, ISO 8601 in UTC. */
export const changePreferences: Write<Preferences, { change: PreferencesChange; at: string }> = {
  name: 'preferences.change',
  version: 1,
  collection: preferencesCollection,
  apply: (rows, { change }) => rows.map((preferences) => applyChange(preferences, change)),
  request: ({ change, at }) => ({ method: 'PATCH', path: '/api/preferences', body: { ...change, at } }),
  isAutomatic: ({ change }) => change.time_zone_follows_browser === true,
  // A refused theme is no reason to lose a zone that was chosen after it.
  subject: ({ change }) => ('time_zone_follows_browser' in change ? 'time_zone' : Object.keys(change).join()),
  refusal: 'Failed to save preferences',
  text: ({ change }) => formatChange(change),
}

/** For the provider: every write to preferences that may be queued on a device. */
export const preferencesWrites = [changePreferences]
