import { expect, it } from 'vitest'
import { failedWriteOf, newQueuedWrite } from './queued-write.ts'

const gone = { reason: 'It stays deleted.', retriable: false, gone: 'later' } as const
const typed = newQueuedWrite('ann', {
  list: 'notes',
  write: 'notes.save',
  version: 1,
  subject: 'a',
  vars: {},
  refusal: 'Failed to keep note',
  text: 'typed',
  typed: true,
})
const undo = {
  ...typed,
  text: 'as it was',
  typed: undefined,
  takesBack: { by: 'undo', follows: [] },
} as const

it('an undo that is lost is told as an undo', () => {
  expect(failedWriteOf([undo], gone)).toMatchObject({ takesBack: 'undo', texts: ['as it was'] })
})

it('what was typed after an undo, and is lost with it, is told as what it is', () => {
  const failed = failedWriteOf([undo, typed], gone)
  expect(failed?.takesBack).toBeUndefined()
  expect(failed).toMatchObject({ typed: true, texts: ['as it was', 'typed'] })
})
