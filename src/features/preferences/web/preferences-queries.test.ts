import { describe, expect, test } from 'vitest'
import { defaultPlan } from '#features/focus/plan/focus-plan.ts'
import { browserTimeZone } from '#platform/browser/clock/browser-time-zone.ts'
import { followBrowser } from '../follow-browser.ts'
import { defaultPreferences, type PreferencesChange } from '../preferences.ts'
import { describeEffect } from './describe-effect.ts'
import { changePreferences, preferencesCollection } from './preferences-queries.ts'

const at = '2026-11-20T12:00:00.000Z'
const { apply, request, subject, text } = changePreferences

test('the preferences are a collection of one row', () => {
  expect(preferencesCollection.rows({ preferences: defaultPreferences })).toEqual([defaultPreferences])
})

test('preferences that lack what only this version knows have the newest tasks first, start with those, and focus for 25 minutes', () => {
  const { todos_sort, start_page, focus_plan, ...older } = defaultPreferences
  expect(preferencesCollection.rows({ preferences: older })).toEqual([defaultPreferences])
})

test('a choice that only a newer build knows reads as the usual one, and a response of another shape is rejected', () => {
  const newer = { ...defaultPreferences, day_start: 60, theme: 'sepia' }
  expect(preferencesCollection.rows({ preferences: newer })).toEqual([
    { ...defaultPreferences, day_start: 60 },
  ])
  // Else each page of this build would choose a zone for the whole account.
  for (const unknown of [{ time_zone: { at: 'home' } }, { time_zone_follows_browser: 'travel' }]) {
    const [read] = preferencesCollection.rows({ preferences: { ...defaultPreferences, ...unknown } })
    const change = read && followBrowser(read, browserTimeZone())
    expect(change).toBeUndefined()
  }
  expect(() => preferencesCollection.rows({})).toThrow()
  expect(() => preferencesCollection.rows({ preferences: 'none' })).toThrow()
})

describe('the write of a change', () => {
  test('is shown the way the server will answer it, and applying it twice gives the same result', () => {
    const vars = { change: { time_zone: 'Asia/Tokyo' }, at }
    const once = apply([defaultPreferences], vars)
    expect(once).toEqual([
      { ...defaultPreferences, time_zone: 'Asia/Tokyo', time_zone_follows_browser: false },
    ])
    expect(apply(once, vars)).toEqual(once)
  })

  test('shows nothing while nothing is known', () => {
    expect(apply([], { change: { theme: 'dark' }, at })).toEqual([])
  })

  test('sends what was changed and when, and nothing else', () => {
    expect(request({ change: { day_start: 180 }, at })).toEqual({
      method: 'PATCH',
      path: '/api/preferences',
      body: { day_start: 180, at },
    })
  })

  test('a refused one only takes later ones of the same preference with it', () => {
    const subjects = (changes: PreferencesChange[]) => changes.map((change) => subject({ change, at }))
    const [zone, follow, day, week, theme, sort, start, plan] = subjects([
      { time_zone: 'Asia/Tokyo' },
      { time_zone: 'Asia/Tokyo', time_zone_follows_browser: true },
      { day_start: 30 },
      { week_start: 7 },
      { theme: 'dark' },
      { todos_sort: 'due' },
      { start_page: 'today' },
      { focus_plan: defaultPlan },
    ])
    expect(zone).toBe(follow)
    expect(new Set([zone, day, week, theme, sort, start, plan]).size).toBe(7)
  })

  test('says in words what was not saved', () => {
    const words = (change: PreferencesChange) => text({ change, at })
    expect(words({ time_zone: 'America/New_York' })).toBe('Time zone: America/New York')
    expect(words({ time_zone: 'Asia/Tokyo', time_zone_follows_browser: true })).toBe(
      'Time zone: Follow this browser',
    )
    expect(words({ day_start: 210 })).toBe('Day starts at: 03:30')
    expect(words({ week_start: 7 })).toBe('Week starts on: Sunday')
    expect(words({ theme: 'system' })).toBe('Theme: System')
    expect(words({ todos_sort: 'due' })).toBe('Sort tasks by: Due date')
    expect(words({ start_page: 'today' })).toBe('Start page: Today')
    expect(words({ focus_plan: defaultPlan })).toBe('Focus plan: 25 · 5 · long 15 after 4')
  })
})

test('a day start of midnight is called midnight', () => {
  expect(describeEffect({ day_start: 0 }, 'UTC')).toBe(
    'Your day now starts at midnight. Days already recorded stay as they are.',
  )
})
