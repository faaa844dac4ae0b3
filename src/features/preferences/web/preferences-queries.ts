import type { List } from '#platform/sync/list.ts'
import type { Write } from '#platform/sync/write.ts'
import {
  changePreferences as applyChange,
  type Preferences,
  type PreferencesChange,
  preferencesAnswerSchema,
} from '../preferences.ts'
import { changeInWords } from './change-in-words.ts'

/** A list of one row, so that a change of it goes the way of every change. */
export const preferencesList: List<Preferences> = {
  name: 'preferences',
  path: '/api/preferences',
  rows: (answer) => [preferencesAnswerSchema.parse(answer).preferences],
}

/** `at` is the instant of the person's change, ISO 8601 in UTC. */
export const changePreferences: Write<Preferences, { change: PreferencesChange; at: string }> = {
  name: 'preferences.change',
  version: 1,
  list: preferencesList,
  apply: (rows, { change }) => rows.map((preferences) => applyChange(preferences, change)),
  request: ({ change, at }) => ({ method: 'PATCH', path: '/api/preferences', body: { ...change, at } }),
  // A theme that is refused is no reason to lose a zone that was chosen after it.
  subject: ({ change }) => ('time_zone_follows_browser' in change ? 'time_zone' : Object.keys(change).join()),
  refusal: 'Failed to save preferences',
  text: ({ change }) => changeInWords(change),
}

/** For the provider: every write to preferences that may be waiting on a device. */
export const preferencesWrites = [changePreferences]
