/** Text that was typed into a field and is not saved. */
interface KeptDraft {
  text: string
  /** The field's text before the person started to type. */
  from: string
}

/** The most drafts that are kept for an account: more than a person leaves half typed in months. */
const mostDrafts = 100
/** The most characters of a stored draft: twice the longest note, and still little of the storage that a browser grants. */
const mostCharacters = 20_000

// Drafts that the browser could not store. They last as long as the page.
const unstored = new Map<string, string>()

/**
 * Stores a draft in `localStorage` at each key press, because IndexedDB may not be done before the page is killed. `place`
 * identifies the field; each place has one draft.
 */
export function keepDraft(account: string, place: string, draft: KeptDraft): void {
  const key = keyOfDraft(account, place)
  const text = JSON.stringify({ ...draft, at: Date.now() })
  if (stored(key) === null) makeRoom(account)
  unstored.set(key, text)
  if (draft.text.length + draft.from.length > mostCharacters) return
  allowed(() => {
    localStorage.setItem(key, text)
    unstored.delete(key)
  })
}

/** The draft of a field. `at`: when it was typed, in epoch milliseconds. */
export function findDraft(account: string, place: string): (KeptDraft & { at: number }) | undefined {
  return parsed(keyOfDraft(account, place))
}

/** Milliseconds after the last key press until a draft counts as abandoned. Until then, it may still be typed in another tab. */
const leftBehind = 3_000

/**
 * Milliseconds until a draft counts as abandoned; 0 if it already does. A draft with a time in the future also does: it was typed
 * before the clock was set back.
 */
export function untilLeftBehind({ at }: { at: number }, now: number): number {
  const wait = at + leftBehind - now
  return wait > leftBehind ? 0 : Math.max(0, wait)
}

/** Deletes a draft. With `text`, only if that is still the draft's text: another tab may have the same field open. */
export function forgetDraft(account: string, place: string, text?: string): void {
  const key = keyOfDraft(account, place)
  if (text === undefined || parsed(key)?.text === text) remove(key)
}

/** In how many fields the person typed something that a sign-out would lose. */
export function countDrafts(account: string): number {
  return keysOf(account).length
}

export function placesOfDrafts(account: string): string[] {
  return keysOf(account).map((key) => key.slice(prefixOf(account).length))
}

/** Deletes all drafts of an account, so that a sign-out leaves none on this device. */
export function forgetDrafts(account: string): void {
  for (const key of keysOf(account)) remove(key)
}

/** The `localStorage` key of a draft. The browser's storage events tell other tabs about changes under it. */
export function keyOfDraft(account: string, place: string): string {
  return prefixOf(account) + place
}

function prefixOf(account: string): string {
  return `daymark-draft ${account} `
}

function makeRoom(account: string): void {
  const ageOf = (key: string) => parsed(key)?.at ?? 0
  const byAge = keysOf(account).sort((one, other) => ageOf(other) - ageOf(one))
  for (const key of byAge.slice(mostDrafts - 1)) remove(key)
}

function keysOf(account: string): string[] {
  const keys = [...(allowed(() => Object.keys(localStorage)) ?? []), ...unstored.keys()]
  return [...new Set(keys)].filter((key) => key.startsWith(prefixOf(account)))
}

function parsed(key: string): (KeptDraft & { at: number }) | undefined {
  const text = stored(key)
  // Return early: every row of a screen looks for its draft, and hardly any row has one.
  if (text === null) return undefined
  const draft = allowed(() => JSON.parse(text))
  return typeof draft?.text === 'string' && typeof draft.from === 'string' ? draft : undefined
}

function stored(key: string): string | null {
  return unstored.get(key) ?? allowed(() => localStorage.getItem(key))
}

function remove(key: string): void {
  unstored.delete(key)
  allowed(() => localStorage.removeItem(key))
}

/** Returns null if storage throws, because it is full or the browser denies access. */
function allowed<Result>(touch: () => Result): Result | null {
  try {
    return touch()
  } catch {
    return null
  }
}
