import { describe, expect, test } from 'vitest'
import { defaultPlan } from '#features/focus/plan/focus-plan.ts'
import { areDefaults } from './are-defaults.ts'
import { changePreferences, defaultPreferences, type Preferences } from './preferences.ts'
import { preferencesChangeSchema } from './preferences-requests.ts'

const traveller: Preferences = {
  time_zone: 'Asia/Tokyo',
  time_zone_follows_browser: true,
  day_start: 180,
  week_start: 7,
  theme: 'dark',
  todos_sort: 'due',
  start_page: 'today',
  focus_plan: { focus: 50, break: 10, long_break: 20, every: 3, auto_start: true },
}
const fixed = { ...traveller, time_zone_follows_browser: false }

describe('a change of preferences', () => {
  test('leaves alone what it does not name', () => {
    expect(changePreferences(traveller, {})).toEqual(traveller)
    expect(changePreferences(traveller, { day_start: 0 })).toEqual({ ...traveller, day_start: 0 })
    expect(changePreferences(traveller, { week_start: 1 })).toEqual({ ...traveller, week_start: 1 })
    expect(changePreferences(traveller, { theme: 'light' })).toEqual({ ...traveller, theme: 'light' })
    expect(changePreferences(traveller, { todos_sort: 'manual' })).toEqual({
      ...traveller,
      todos_sort: 'manual',
    })
    expect(changePreferences(traveller, { start_page: 'todos' })).toEqual({
      ...traveller,
      start_page: 'todos',
    })
    expect(changePreferences(traveller, { focus_plan: defaultPlan })).toEqual({
      ...traveller,
      focus_plan: defaultPlan,
    })
  })

  test('setting only a zone is a choice: it stops following the browser', () => {
    expect(changePreferences(traveller, { time_zone: 'Europe/Lisbon' })).toEqual({
      ...traveller,
      time_zone: 'Europe/Lisbon',
      time_zone_follows_browser: false,
    })
    expect(changePreferences(traveller, { time_zone: 'Asia/Tokyo' })).toEqual(fixed)
  })

  test('a zone reported by the browser does not stop following it', () => {
    const reported = { time_zone: 'Europe/Lisbon', time_zone_follows_browser: true }
    expect(changePreferences(traveller, reported)).toEqual({ ...traveller, ...reported })
    expect(changePreferences(fixed, reported)).toEqual({ ...traveller, ...reported })
  })

  test('following can be stopped and started without naming a zone', () => {
    expect(changePreferences(traveller, { time_zone_follows_browser: false })).toEqual(fixed)
    expect(changePreferences(fixed, { time_zone_follows_browser: true })).toEqual(traveller)
  })

  test('applied twice has the same result', () => {
    const change = { time_zone: 'Europe/Lisbon', day_start: 30 }
    const once = changePreferences(traveller, change)
    expect(changePreferences(once, change)).toEqual(once)
  })
})

test('someone who has chosen nothing follows the browser, with days from midnight, weeks from Monday, the newest tasks first, starts with those, and focuses for 25 minutes', () => {
  expect(defaultPreferences).toEqual({
    time_zone: 'UTC',
    time_zone_follows_browser: true,
    day_start: 0,
    week_start: 1,
    theme: 'system',
    todos_sort: 'newest',
    start_page: 'todos',
    focus_plan: { focus: 25, break: 5, long_break: 15, every: 4, auto_start: false },
  })
})

test('any choice but that of a zone by the browser is one', () => {
  expect(areDefaults({ ...defaultPreferences, time_zone: 'Asia/Tokyo' })).toBe(true)
  for (const choice of [
    { time_zone_follows_browser: false },
    { day_start: 30 },
    { week_start: 7 },
    { theme: 'dark' },
    { todos_sort: 'manual' },
    { start_page: 'today' },
    { focus_plan: { ...defaultPlan, auto_start: true } },
  ] as const) {
    expect(areDefaults({ ...defaultPreferences, ...choice })).toBe(false)
  }
})

describe('a time zone', () => {
  const parse = (time_zone: unknown) => preferencesChangeSchema.safeParse({ time_zone })

  test('may be any that the runtime knows', () => {
    for (const zone of [...Intl.supportedValuesOf('timeZone'), 'UTC']) {
      expect(parse(zone)).toMatchObject({ success: true })
    }
  })

  test('is accepted in upper or lower case, and under its older and newer names', () => {
    expect(parse('europe/COPENHAGEN').data).toEqual({ time_zone: 'Europe/Copenhagen' })
    expect(parse('asia/kolkata').data).toEqual({ time_zone: 'Asia/Kolkata' })
  })

  test.each([
    'Asia/Kolkata',
    'Asia/Calcutta',
    'Europe/Kyiv',
    'Europe/Kiev',
    'Asia/Kathmandu',
    'US/Pacific',
    'Etc/UTC',
  ])('keeps the name that was chosen, whatever the runtime calls it: %s', (name) => {
    expect(parse(name).data).toEqual({ time_zone: name })
  })

  test.each(['', ' ', 'Mars/Olympus', '+02:00', '-05:30', 'Europe/Copenhagen ', 'utc+1', '\0', 7, null, {}])(
    'is not %j',
    (zone) => {
      expect(parse(zone).success).toBe(false)
    },
  )
})
