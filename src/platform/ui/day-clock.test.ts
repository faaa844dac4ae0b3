import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dayClock } from './day-clock.ts'

// Only what the clock listens to; the time is the test's.
let page: { window: EventTarget; document: EventTarget }

beforeEach(() => {
  page = { window: new EventTarget(), document: new EventTarget() }
  vi.stubGlobal('window', page.window)
  vi.stubGlobal('document', page.document)
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const seconds = 1_000
const minutes = 60 * seconds
const hours = 60 * minutes

/** A page that has been open since `instant`: the days that it was told of, with the moment of each. */
function openPage(instant: string, zone: string, dayStart: number) {
  vi.setSystemTime(instant)
  const clock = dayClock(zone, dayStart)
  const told: string[] = []
  const close = clock.subscribe(() => told.push(`${clock.today()} at ${new Date().toISOString()}`))
  return { clock, told, close }
}

describe('today turns over by itself', () => {
  test('at midnight, to the millisecond', () => {
    const { clock, told } = openPage('2026-11-20T22:59:00.000Z', 'Europe/Copenhagen', 0)
    vi.advanceTimersByTime(1 * minutes - 1)
    expect([clock.today(), told]).toEqual(['2026-11-20', []])
    vi.advanceTimersByTime(1)
    expect(told).toEqual(['2026-11-21 at 2026-11-20T23:00:00.000Z'])
  })

  test('at the day start, and not at midnight', () => {
    const { told } = openPage('2026-11-20T20:00:00.000Z', 'Europe/Copenhagen', 180)
    vi.advanceTimersByTime(24 * hours)
    expect(told).toEqual(['2026-11-21 at 2026-11-21T02:00:00.000Z'])
  })

  test('night after night', () => {
    const { told } = openPage('2026-11-20T12:00:00.000Z', 'Pacific/Kiritimati', 0)
    vi.advanceTimersByTime(72 * hours)
    expect(told).toEqual([
      '2026-11-22 at 2026-11-21T10:00:00.000Z',
      '2026-11-23 at 2026-11-22T10:00:00.000Z',
      '2026-11-24 at 2026-11-23T10:00:00.000Z',
    ])
  })

  test('on the night that is an hour short', () => {
    const { told } = openPage('2026-03-28T12:00:00.000Z', 'Europe/Copenhagen', 180)
    vi.advanceTimersByTime(48 * hours)
    expect(told).toEqual(['2026-03-29 at 2026-03-29T01:00:00.000Z', '2026-03-30 at 2026-03-30T01:00:00.000Z'])
  })

  test('on the night that is an hour long', () => {
    const { told } = openPage('2026-10-24T12:00:00.000Z', 'Europe/Copenhagen', 180)
    vi.advanceTimersByTime(48 * hours)
    expect(told).toEqual(['2026-10-25 at 2026-10-25T02:00:00.000Z', '2026-10-26 at 2026-10-26T02:00:00.000Z'])
  })

  test('where the day start itself is skipped by the clocks', () => {
    const { told } = openPage('2026-03-28T12:00:00.000Z', 'Europe/Copenhagen', 150)
    vi.advanceTimersByTime(24 * hours)
    expect(told).toEqual(['2026-03-29 at 2026-03-29T01:00:00.000Z'])
  })

  test('where midnight does not exist', () => {
    // In Cairo the clocks go from 00:00 to 01:00 on 24 April 2026.
    const { told } = openPage('2026-04-23T12:00:00.000Z', 'Africa/Cairo', 0)
    vi.advanceTimersByTime(24 * hours)
    expect(told).toEqual(['2026-04-24 at 2026-04-23T22:00:00.000Z'])
  })
})

describe('a machine that slept through midnight', () => {
  // The clock on the wall went on, the timers did not.
  const sleepUntil = (instant: string) => vi.setSystemTime(instant)

  test.each([
    ['the tab is shown again', () => page.document.dispatchEvent(new Event('visibilitychange'))],
    ['the window is used again', () => page.window.dispatchEvent(new Event('focus'))],
    ['the page comes back from the cache', () => page.window.dispatchEvent(new Event('pageshow'))],
  ])('shows the new day as soon as %s', (_, comeBack) => {
    const { told } = openPage('2026-11-20T20:00:00.000Z', 'Europe/Copenhagen', 0)
    sleepUntil('2026-11-21T07:30:00.000Z')
    expect(told).toEqual([])
    comeBack()
    expect(told).toEqual(['2026-11-21 at 2026-11-21T07:30:00.000Z'])
  })

  test('shows it within a minute when the page was never left', () => {
    const { told } = openPage('2026-11-20T20:00:00.000Z', 'Europe/Copenhagen', 0)
    sleepUntil('2026-11-21T07:30:00.000Z')
    vi.advanceTimersByTime(1 * minutes)
    expect(told).toHaveLength(1)
  })

  test('is never told a slept-through day by whoever asks', () => {
    const { clock } = openPage('2026-11-20T20:00:00.000Z', 'Europe/Copenhagen', 0)
    sleepUntil('2026-11-23T07:30:00.000Z')
    expect(clock.today()).toBe('2026-11-23')
  })

  test('goes on to the night after', () => {
    const { told } = openPage('2026-11-20T20:00:00.000Z', 'Europe/Copenhagen', 0)
    sleepUntil('2026-11-21T22:59:59.000Z')
    page.window.dispatchEvent(new Event('focus'))
    vi.advanceTimersByTime(1 * seconds)
    expect(told).toEqual(['2026-11-21 at 2026-11-21T22:59:59.000Z', '2026-11-22 at 2026-11-21T23:00:00.000Z'])
  })
})

test('a clock that is set back is believed', () => {
  const { told } = openPage('2026-11-21T12:00:00.000Z', 'Europe/Copenhagen', 0)
  vi.setSystemTime('2026-11-20T12:00:00.000Z')
  page.window.dispatchEvent(new Event('focus'))
  expect(told).toEqual(['2026-11-20 at 2026-11-20T12:00:00.000Z'])
})

test('a day that did not turn is told to nobody', () => {
  const { told } = openPage('2026-11-20T08:00:00.000Z', 'Europe/Copenhagen', 0)
  page.document.dispatchEvent(new Event('visibilitychange'))
  vi.advanceTimersByTime(8 * hours)
  expect(told).toEqual([])
})

test('all who listen share one timer, and the last one to leave stops it', () => {
  const { clock, close } = openPage('2026-11-20T20:00:00.000Z', 'Europe/Copenhagen', 0)
  const leave = clock.subscribe(() => {})
  expect(vi.getTimerCount()).toBe(1)
  close()
  expect(vi.getTimerCount()).toBe(1)
  leave()
  expect(vi.getTimerCount()).toBe(0)
  const told: string[] = []
  clock.subscribe(() => told.push(clock.today()))
  vi.advanceTimersByTime(24 * hours)
  expect(told).toEqual(['2026-11-21'])
})
