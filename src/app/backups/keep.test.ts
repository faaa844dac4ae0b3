import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '#testing/runs.ts'
import { readEvery, readKeep } from '../settings/backup-settings.ts'
import { nameAt, parseName } from './backup-name.ts'
import { backupsToRemove } from './keep.ts'

const day = 24 * 60 * 60 * 1000
const instant = fc
  .integer({ min: Date.parse('2020-01-01'), max: Date.parse('2026-12-31') })
  .map((at) => at - (at % 1000))

it('keeps the newest backup of each of the last days and weeks that have one, and no others', () => {
  const names = [
    '20261122T030000Z',
    '20261122T010000Z',
    '20261121T030000Z',
    '20261115T030000Z',
    '20261109T030000Z',
  ]
  const older = ['20261108T030000Z', '20261101T030000Z', '20261025T030000Z', '20261018T030000Z']
  const all = [...names, ...older].map((at) => `daymark-${at}`)
  expect(backupsToRemove(all, { daily: 2, weekly: 3 })).toEqual(
    // 15 November ends the week that began on the 9th.
    ['20261122T010000Z', '20261109T030000Z', '20261101T030000Z', '20261025T030000Z', '20261018T030000Z'].map(
      (at) => `daymark-${at}`,
    ),
  )
})

it('leaves out of account what was made while the clock was ahead', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  const ahead = [nameAt(now + day), nameAt(now + 2 * day)]
  const names = [...ahead, nameAt(now), nameAt(now - day), nameAt(now - 2 * day)]
  expect(backupsToRemove(names, { daily: 2, weekly: 0 }, now)).toEqual([nameAt(now - 2 * day)])
})

it('removes nothing with another name, and never the newest', () => {
  const foreign = [
    'daymark-20261122T030000Z.mine',
    'my-daymark-20261122T030000Z',
    'daymark-20261399T030000Z',
    'x',
  ]
  fc.assert(
    fc.property(
      fc.uniqueArray(instant, { minLength: 1 }),
      fc.nat(3),
      fc.nat(3),
      (instants, daily, weekly) => {
        const ours = instants.map(nameAt)
        const removed = backupsToRemove([...foreign, ...ours], { daily, weekly })
        expect(removed.filter((name) => foreign.includes(name))).toEqual([])
        expect(removed).not.toContain(nameAt(Math.max(...instants)))
      },
    ),
    { numRuns: runs(1000, 100) },
  )
})

it('has one for each of the last days and weeks after years of backups, however often they were made', () => {
  const hours = fc.integer({ min: 1, max: 80 })
  fc.assert(
    fc.property(instant, fc.array(hours, { minLength: 100, maxLength: 400 }), (start, pauses) => {
      let now = start
      let there: string[] = []
      const made: number[] = []
      for (const pause of pauses) {
        now += pause * 60 * 60 * 1000
        made.push(now)
        const removed = new Set(backupsToRemove([...there, nameAt(now)], { daily: 7, weekly: 4 }))
        there = [...there, nameAt(now)].filter((name) => !removed.has(name))
        expect(there.length).toBeLessThanOrEqual(11)
      }
      const days = [...new Set(made.map((at) => Math.floor(at / day)))].slice(-7)
      const kept = there.map((name) => Math.floor((parseName(name) ?? 0) / day))
      expect(days.filter((each) => !kept.includes(each))).toEqual([])
      const weekOf = (each: number) => Math.floor((each + 3) / 7)
      const weeks = [...new Set(made.map((at) => weekOf(Math.floor(at / day))))].slice(-4)
      expect(weeks.filter((each) => !kept.map(weekOf).includes(each))).toEqual([])
    }),
    { numRuns: runs(200, 10) },
  )
})

it.each([
  ['off', { every: undefined }],
  ['6h', { every: 6 * 60 * 60 * 1000 }],
  ['30d', { every: 30 * day }],
  ['31d', undefined],
  ['0h', undefined],
  ['daily', undefined],
])('reads BACKUP_EVERY=%s', (text, expected) => expect(readEvery(text)).toEqual(expected))

it.each([
  ['7 daily, 4 weekly', { daily: 7, weekly: 4 }],
  ['14 daily', { daily: 14, weekly: 0 }],
  ['0 daily', undefined],
  ['many', undefined],
])('reads BACKUP_KEEP=%s', (text, expected) => expect(readKeep(text)).toEqual(expected))
