import { useSyncExternalStore } from 'react'

/** Something chosen on this device, kept in localStorage and the same in all of its tabs. */
interface StoredChoice<Choice extends string> {
  read(): Choice
  write(choice: Choice): void
}

/** `choices[0]` stands while nothing is stored. */
export function storedChoice<const Choices extends readonly [string, ...string[]]>(
  key: string,
  choices: Choices,
): StoredChoice<Choices[number]> {
  // Where a browser forbids storage, a choice lasts as long as the page.
  let unstored: string | null = null

  return {
    read() {
      const stored = unstored ?? allowed(() => localStorage.getItem(key))
      return choices.find((choice) => choice === stored) ?? choices[0]
    },
    write(choice) {
      const kept = allowed(() => {
        localStorage.setItem(key, choice)
        return true
      })
      unstored = kept ? null : choice
      // Browsers tell only the other tabs. Told here too, there is one way to hear of a change; public/theme.js uses it.
      window.dispatchEvent(new StorageEvent('storage', { key, newValue: choice }))
    },
  }
}

export function useStoredChoice<Choice extends string>(choice: StoredChoice<Choice>): Choice {
  return useSyncExternalStore(subscribe, choice.read)
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('storage', onChange)
  return () => window.removeEventListener('storage', onChange)
}

/** Storage that is forbidden throws when it is touched. */
function allowed<T>(touch: () => T): T | null {
  try {
    return touch()
  } catch {
    return null
  }
}
