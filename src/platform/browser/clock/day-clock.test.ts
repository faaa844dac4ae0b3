import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dayClock } from './day-clock.ts'

// Only the event targets that the clock listens to; the test controls the time.
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

/** A page opened at `instant`, and the day changes that it was notified of, each with its moment. */
function openPage(instant: string, zone: string, dayStart: number) {
  vi.setSystemTime(instant)
  const clock = dayClock(zone, dayStart)
  const changes: string[] = []
  const close = clock.subscribe(() => changes.push(`${clock.today()} at ${new Date().toISOString()}`))
  return { clock, changes, close }
}

describe('today changes by itself', () => {
  test('at midnight, to the millisecond', () => {
    const { clock, changes } = openPage('2026-11-20T22:59:00.000Z', 'Europe/Copenhagen', 0)
    vi.advanceTimersByTime(1 * minutes - 1)
    expect([clock.today(), changes]).toEqual(['2026-11-20', []])
    vi.advanceTimersByTime(1)
    expect(changes).toEqual(['2026-11-21 at 2026-11-20T23:00:00.000Z'])
  })

  test('at the day start, not at midnight', () => {
    const { changes } = openPage('2026-11-20T20:00:00.000Z', 'Europe/Copenhagen', 180)
    vi.advanceTimersByTime(24 * hours)
    expect(changes).toEqual(['2026-11-21 at 2026-11-21T02:00:00.000Z'])
  })

  test('night after night', () => {
    const { changes } = openPage('2026-11-20T12:00:00.000Z', 'Pacific/Kiritimati', 0)
    vi.advanceTimersByTime(72 * hours)
    expect(changes).toEqual([
      '2026-11-22 at 2026-11-21T10:00:00.000Z',
      '2026-11-23 at 2026-11-22T10:00:00.000Z',
      '2026-11-24 at 2026-11-23T10:00:00.000Z',
    ])
  })

  test('in the night that is an hour shorter', () => {
    const { changes } = openPage('2026-03-28T12:00:00.000Z', 'Europe/Copenhagen', 180)
    vi.advanceTimersByTime(48 * hours)
    expect(changes).toEqual([
      '2026-03-29 at 2026-03-29T01:00:00.000Z',
      '2026-03-30 at 2026-03-30T01:00:00.000Z',
    ])
  })

  test('in the night that is an hour longer', () => {
    const { changes } = openPage('2026-10-24T12:00:00.000Z', 'Europe/Copenhagen', 180)
    vi.advanceTimersByTime(48 * hours)
    expect(changes).toEqual([
      '2026-10-25 at 2026-10-25T02:00:00.000Z',
      '2026-10-26 at 2026-10-26T02:00:00.000Z',
    ])
  })

  test('when the clocks skip the day start itself', () => {
    const { changes } = openPage('2026-03-28T12:00:00.000Z', 'Europe/Copenhagen', 150)
    vi.advanceTimersByTime(24 * hours)
    expect(changes).toEqual(['2026-03-29 at 2026-03-29T01:00:00.000Z'])
  })

  test('when midnight does not exist', () => {
    // In Cairo the clocks go from 00:00 to 01:00 on 24 April 2026.
    const { changes } = openPage('2026-04-23T12:00:00.000Z', 'Africa/Cairo', 0)
    vi.advanceTimersByTime(24 * hours)
    expect(changes).toEqual(['2026-04-24 at 2026-04-23T22:00:00.000Z'])
  })
})

describe('a machine that slept through midnight', () => {
  // The wall clock kept running, the timers did not.
  const sleepUntil = (instant: string) => vi.setSystemTime(instant)

  test.each([
    ['the tab is shown again', () => page.document.dispatchEvent(new Event('visibilitychange'))],
    ['the window is used again', () => page.window.dispatchEvent(new Event('focus'))],
    ['the page comes back from the cache', () => page.window.dispatchEvent(new Event('pageshow'))],
  ])('shows the new day as soon as %s', (_, comeBack) => {
    const { changes } = openPage('2026-11-20T20:00:00.000Z', 'Europe/Copenhagen', 0)
    sleepUntil('2026-11-21T07:30:00.000Z')
    expect(changes).toEqual([])
    comeBack()
    expect(changes).toEqual(['2026-11-21 at 2026-11-21T07:30:00.000Z'])
  })

  test('shows it within a minute if the page was never left', () => {
    const { changes } = openPage('2026-11-20T20:00:00.000Z', 'Europe/Copenhagen', 0)
    sleepUntil('2026-11-21T07:30:00.000Z')
    vi.advanceTimersByTime(1 * minutes)
    expect(changes).toHaveLength(1)
  })

  test('never returns an old day when asked directly', () => {
    const { clock } = openPage('2026-11-20T20:00:00.000Z', 'Europe/Copenhagen', 0)
    sleepUntil('2026-11-23T07:30:00.000Z')
    expect(clock.today()).toBe('2026-11-23')
  })

  test('continues with the next night', () => {
    const { changes } = openPage('2026-11-20T20:00:00.000Z', 'Europe/Copenhagen', 0)
    sleepUntil('2026-11-21T22:59:59.000Z')
    page.window.dispatchEvent(new Event('focus'))
    vi.advanceTimersByTime(1 * seconds)
    expect(changes).toEqual([
      '2026-11-21 at 2026-11-21T22:59:59.000Z',
      '2026-11-22 at 2026-11-21T23:00:00.000Z',
    ])
  })
})

test('a clock that is set back is trusted', () => {
  const { changes } = openPage('2026-11-21T12:00:00.000Z', 'Europe/Copenhagen', 0)
  vi.setSystemTime('2026-11-20T12:00:00.000Z')
  page.window.dispatchEvent(new Event('focus'))
  expect(changes).toEqual(['2026-11-20 at 2026-11-20T12:00:00.000Z'])
})

test('nobody is notified while the day stays the same', () => {
  const { changes } = openPage('2026-11-20T08:00:00.000Z', 'Europe/Copenhagen', 0)
  page.document.dispatchEvent(new Event('visibilitychange'))
  vi.advanceTimersByTime(8 * hours)
  expect(changes).toEqual([])
})

test('all listeners share one timer, and the last one to unsubscribe stops it', () => {
  const { clock, close } = openPage('2026-11-20T20:00:00.000Z', 'Europe/Copenhagen', 0)
  const leave = clock.subscribe(() => {})
  expect(vi.getTimerCount()).toBe(1)
  close()
  expect(vi.getTimerCount()).toBe(1)
  leave()
  expect(vi.getTimerCount()).toBe(0)
  const changes: string[] = []
  clock.subscribe(() => changes.push(clock.today()))
  vi.advanceTimersByTime(24 * hours)
  expect(changes).toEqual(['2026-11-21'])
})
