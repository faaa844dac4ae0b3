import { expect, test } from 'vitest'
import { followBrowser } from './follow-browser.ts'
import { defaultPreferences } from './preferences.ts'

const following = { ...defaultPreferences, time_zone: 'Europe/Copenhagen' }

test('the account learns the zone of a browser that has moved', () => {
  expect(followBrowser(following, 'Asia/Tokyo')).toEqual({
    time_zone: 'Asia/Tokyo',
    time_zone_follows_browser: true,
  })
  expect(followBrowser(defaultPreferences, 'Europe/Copenhagen')).toEqual({
    time_zone: 'Europe/Copenhagen',
    time_zone_follows_browser: true,
  })
})

test('it is not told a zone that it already has, under whatever name', () => {
  expect(followBrowser(following, 'Europe/Copenhagen')).toBe(undefined)
  expect(followBrowser({ ...following, time_zone: 'Asia/Calcutta' }, 'Asia/Kolkata')).toBe(undefined)
})

test('it is told nothing once a zone is fixed', () => {
  expect(followBrowser({ ...following, time_zone_follows_browser: false }, 'Asia/Tokyo')).toBe(undefined)
})
