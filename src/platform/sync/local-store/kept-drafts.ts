/** What was typed into a field and is not saved. */
interface KeptDraft {
  text: string
  /** What stood there when it was first typed in. */
  from: string
}

/** As many as a person leaves half typed in months. */
const mostDrafts = 100
/** The longest note twice, and yet a small part of what a browser stores for us. */
const mostCharacters = 20_000

// What the browser does not store lasts as long as the page.
const unstored = new Map<string, string>()

/** Stored with the key that was pressed, for IndexedDB takes longer than a page that is killed has. One item for each `place`. */
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

/** `at`: when it was typed, in milliseconds. */
export function findDraft(account: string, place: string): (KeptDraft & { at: number }) | undefined {
  return parsed(keyOfDraft(account, place))
}

/** Milliseconds after its last key: what is being typed in another tab is not lost. */
const leftBehind = 3_000

/**
 * Milliseconds after which nobody types in it any more; 0 if so now. What seems to have been typed in the future was typed
 * before the clock was set back.
 */
export function untilLeftBehind({ at }: { at: number }, now: number): number {
  const wait = at + leftBehind - now
  return wait > leftBehind ? 0 : Math.max(0, wait)
}

/** `text`: only if that is what was typed last; another tab may have the same field open. */
export function forgetDraft(account: string, place: string, text?: string): void {
  const key = keyOfDraft(account, place)
  if (text === undefined || parsed(key)?.text === text) remove(key)
}

/** In how many fields something is typed that a sign-out would lose. */
export function countDrafts(account: string): number {
  return keysOf(account).length
}

export function placesOfDrafts(account: string): string[] {
  return keysOf(account).map((key) => key.slice(prefixOf(account).length))
}

/** Leaves nothing of a signed-out account on this device. */
export function forgetDrafts(account: string): void {
  for (const key of keysOf(account)) remove(key)
}

/** Under which the browser tells other tabs of a change. */
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
  // Every row of a screen asks, and hardly one has one.
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

/** Storage that is full, or that the browser denies, throws. */
function allowed<Result>(touch: () => Result): Result | null {
  try {
    return touch()
  } catch {
    return null
  }
}
