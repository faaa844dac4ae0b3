import { describe, expect, test } from 'vitest'
import { nameOfTimeZone } from './time-zone-name.ts'
import { findTimeZones, timeZoneChoices } from './time-zones.ts'

const winter = Date.parse('2026-01-15T12:00:00Z')
const all = timeZoneChoices([...Intl.supportedValuesOf('timeZone'), 'UTC'], winter)
const names = (typed: string) => findTimeZones(all, typed).map(({ name }) => name)

test('a zone is called what people call it', () => {
  expect(nameOfTimeZone('America/New_York')).toBe('America/New York')
  expect(nameOfTimeZone('Europe/Kiev')).toBe('Europe/Kyiv')
  expect(nameOfTimeZone('Asia/Calcutta')).toBe('Asia/Kolkata')
  expect(nameOfTimeZone('UTC')).toBe('UTC')
})

test('every zone is listed once, sorted by name, with its current offset', () => {
  expect(all).toHaveLength(Intl.supportedValuesOf('timeZone').length + 1)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  expect(all.map(({ name }) => name)).toEqual(all.map(({ name }) => name).sort())
  expect(all.map(({ zone }) => zone)).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Europe/Kyiv']))
  expect(all.map(({ zone }) => zone)).not.toContain('Asia/Calcutta')
  expect(all.find(({ zone }) => zone === 'Europe/Copenhagen')).toEqual({
    zone: 'Europe/Copenhagen',
    name: 'Europe/Copenhagen',
    offset: 'UTC+01:00',
  })
})

describe('the search', () => {
  test('finds everything while nothing is typed', () => {
    expect(names('')).toHaveLength(all.length)
    expect(names('  ')).toHaveLength(all.length)
  })

  test('ignores case, underscores, slashes and accents', () => {
    for (const typed of ['new york', 'NEW YORK', 'new_york', 'America/New_York', 'york new', '  néw   yörk '])
      expect(names(typed)).toEqual(['America/New York'])
  })

  test('knows old and new names', () => {
    expect(names('kyiv')).toEqual(['Europe/Kyiv'])
    expect(names('kiev')).toEqual(['Europe/Kyiv'])
    expect(names('kolkata')).toEqual(['Asia/Kolkata'])
    expect(names('calcutta')).toEqual(['Asia/Kolkata'])
  })

  test('knows offsets as they are written and as they are spoken', () => {
    expect(names('utc+05:45')).toEqual(['Asia/Kathmandu'])
    expect(names('+5:45')).toEqual(['Asia/Kathmandu'])
    expect(names('UTC−03:30')).toEqual(['America/St Johns'])
    expect(names('utc+1')).toContain('Europe/Copenhagen')
    expect(names('utc+1')).not.toContain('Europe/Lisbon')
  })

  test('puts places that begin with what was typed before those that only contain it', () => {
    expect(names('ton')[0]).toBe('Pacific/Tongatapu')
    expect(names('ton')).toContain('America/Edmonton')
  })

  test('finds nothing where there is nothing', () => {
    expect(names('atlantis')).toEqual([])
    expect(names('copenhagen tokyo')).toEqual([])
  })
})
