import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { eraseAccount } from '../account/erase-account.ts'
import { saveBeforeSignOut } from '../account/sign-out.ts'
import { NoteServer } from '../testing/notes.ts'
import { openTab, withFreshBrowser } from '../testing/open-tab.ts'
import {
  countDrafts,
  findDraft,
  forgetDraft,
  forgetDrafts,
  keepDraft,
  untilLeftBehind,
} from './kept-drafts.ts'

let isFull = false
let texts: TextStore

/** The part of localStorage that is used: its keys are own properties. */
class TextStore {
  [key: string]: unknown

  getItem(key: string): unknown {
    return Object.hasOwn(this, key) ? this[key] : null
  }

  setItem(key: string, text: string): void {
    if (isFull) throw new Error('The quota has been exceeded')
    this[key] = text
  }

  removeItem(key: string): void {
    delete this[key]
  }
}

withFreshBrowser()

beforeEach(() => {
  isFull = false
  texts = new TextStore()
  vi.stubGlobal('localStorage', texts)
  // What was not stored stays in the page.
  forgetDrafts('ann')
})

const place = 'todo 1 note'

describe('what was typed and not saved', () => {
  it('is there again with what stood there before, also on a page that knows nothing of the first', async () => {
    keepDraft('ann', place, { text: 'Buy', from: '' })
    keepDraft('ann', place, { text: 'Buy milk', from: '' })
    expect(findDraft('ann', place)).toMatchObject({ text: 'Buy milk', from: '' })
    vi.resetModules()
    const nextPage = await import('./kept-drafts.ts')
    expect(nextPage.findDraft('ann', place)).toMatchObject({ text: 'Buy milk', from: '' })
    expect(nextPage.findDraft('ann', 'todo 2 note')).toBeUndefined()
  })

  it('is never seen by another account', () => {
    keepDraft('ann', place, { text: 'Ann’s', from: '' })
    expect(findDraft('bob', place)).toBeUndefined()
    expect(countDrafts('bob')).toBe(0)
    forgetDrafts('bob')
    expect(findDraft('ann', place)?.text).toBe('Ann’s')
  })

  it("is nobody's any more three seconds after its last key, even if the clock was set back since", () => {
    const now = Date.now()
    expect(untilLeftBehind({ at: now - 1_000 }, now)).toBe(2_000)
    expect(untilLeftBehind({ at: now - 3_000 }, now)).toBe(0)
    expect(untilLeftBehind({ at: now + 86_400_000 }, now)).toBe(0)
  })

  it('is counted by field, and none of it is left once the account is erased', () => {
    keepDraft('ann', place, { text: 'a', from: '' })
    keepDraft('ann', place, { text: 'ab', from: '' })
    keepDraft('ann', 'new task /todos', { text: 'b', from: '' })
    expect(countDrafts('ann')).toBe(2)
    forgetDrafts('ann')
    expect(countDrafts('ann')).toBe(0)
    expect(Object.keys(texts)).toEqual([])
  })

  it('is forgotten once it is saved, but not what another tab typed there meanwhile', () => {
    keepDraft('ann', place, { text: 'typed elsewhere', from: '' })
    forgetDraft('ann', place, 'saved here')
    expect(findDraft('ann', place)?.text).toBe('typed elsewhere')
    forgetDraft('ann', place, 'typed elsewhere')
    expect(findDraft('ann', place)).toBeUndefined()
  })

  it('goes for the oldest once there are a hundred', () => {
    vi.useFakeTimers({ now: 0 })
    for (let todo = 0; todo < 103; todo++) {
      vi.setSystemTime(todo)
      keepDraft('ann', `todo ${todo} note`, { text: 'typed', from: '' })
    }
    vi.useRealTimers()
    expect(countDrafts('ann')).toBe(100)
    expect(findDraft('ann', 'todo 2 note')).toBeUndefined()
    expect(findDraft('ann', 'todo 3 note')?.text).toBe('typed')
  })
})

describe('signing out', () => {
  it('asks about what was typed and not saved, of this account', async () => {
    keepDraft('ann', place, { text: 'typed', from: '' })
    expect(await saveBeforeSignOut('ann')).toEqual({ unsent: 0, typed: 1 })
    expect(await saveBeforeSignOut('bob')).toEqual({ unsent: 0, typed: 0 })
  })

  it('leaves none of it, whether the page that erases the account has shown it', async () => {
    const tab = openTab(new NoteServer())
    keepDraft('ann', place, { text: 'typed', from: '' })
    await tab.sync.wipe()
    expect(Object.keys(texts)).toEqual([])
  })

  it('or not', async () => {
    keepDraft('ann', place, { text: 'typed', from: '' })
    await eraseAccount('ann')
    expect(Object.keys(texts)).toEqual([])
  })
})

describe('a device that does not store what is typed', () => {
  const denied = () => {
    throw new Error('Storage is denied')
  }

  it.each([
    ['is full', () => (isFull = true)],
    ['denies it', () => vi.stubGlobal('localStorage', { getItem: denied, setItem: denied })],
  ])('because it %s keeps it as long as the page, and nothing breaks', (_why, fail) => {
    fail()
    keepDraft('ann', place, { text: 'typed', from: '' })
    expect(findDraft('ann', place)?.text).toBe('typed')
    expect(countDrafts('ann')).toBe(1)
    expect(countDrafts('bob')).toBe(0)
    forgetDraft('ann', place, 'typed')
    expect(findDraft('ann', place)).toBeUndefined()
    keepDraft('ann', place, { text: 'typed again', from: '' })
    forgetDrafts('ann')
    expect(countDrafts('ann')).toBe(0)
  })

  it('shows what was typed last, not what it could store before', () => {
    keepDraft('ann', place, { text: 'stored', from: '' })
    isFull = true
    keepDraft('ann', place, { text: 'stored, and then full', from: '' })
    expect(findDraft('ann', place)?.text).toBe('stored, and then full')
    expect(countDrafts('ann')).toBe(1)
    isFull = false
    keepDraft('ann', place, { text: 'stored again', from: '' })
    expect(findDraft('ann', place)?.text).toBe('stored again')
  })

  it('is not filled by a text that no field could save', () => {
    keepDraft('ann', place, { text: 'x'.repeat(1_000_000), from: '' })
    expect(Object.keys(texts)).toEqual([])
    expect(findDraft('ann', place)?.text).toHaveLength(1_000_000)
  })

  it('takes what another build left for nothing', () => {
    texts.setItem(`daymark-draft ann ${place}`, '{"text":3}')
    expect(findDraft('ann', place)).toBeUndefined()
    texts.setItem(`daymark-draft ann ${place}`, 'not even JSON')
    expect(findDraft('ann', place)).toBeUndefined()
  })
})
