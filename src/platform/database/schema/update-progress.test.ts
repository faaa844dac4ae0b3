import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { updateProgress } from './update-progress.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('an update reports each step as it begins, and its progress every few seconds while it goes on', () => {
  const reports: string[] = []
  const progress = updateProgress((text) => reports.push(text))
  let copied = 0
  progress.begin(() => `copying ${copied} of 1,024 MB`)
  copied = 412
  vi.advanceTimersByTime(3_000)
  copied = 803
  vi.advanceTimersByTime(3_000)
  progress.begin(() => 'step 1 of 2, counting')
  vi.advanceTimersByTime(2_000)
  progress.begin(() => 'step 2 of 2, reminders')
  progress.done(2)
  progress.stop()
  vi.advanceTimersByTime(60_000)
  expect(reports).toEqual([
    'Updating the database: copying 0 of 1,024 MB',
    'Updating the database: copying 412 of 1,024 MB, 3 s so far',
    'Updating the database: copying 803 of 1,024 MB, 6 s so far',
    'Updating the database: step 1 of 2, counting',
    'Updating the database: step 2 of 2, reminders',
    'The database is updated: 2 steps in 8 s',
  ])
})

test('a step that ends at once is not reported', () => {
  const reports: string[] = []
  const progress = updateProgress((text) => reports.push(text))
  progress.wait('waiting for another process')
  vi.advanceTimersByTime(2_999)
  expect(reports).toEqual([])
  vi.advanceTimersByTime(1)
  expect(reports).toEqual(['Updating the database: waiting for another process, 3 s so far'])
  progress.stop()
})
