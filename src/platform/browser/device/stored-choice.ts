import { useSyncExternalStore } from 'react'

/** A choice made on this device, stored in localStorage and shared by all its tabs. */
interface StoredChoice<Choice extends string> {
  read(): Choice
  write(choice: Choice): void
}

/** Describes a choice under the key `key`; `choices[0]` is the default. */
export function storedChoice<const Choices extends readonly [string, ...string[]]>(
  key: string,
  choices: Choices,
): StoredChoice<Choices[number]> {
  // If the browser denies storage, the choice lasts only as long as the page.
  let unstored: string | null = null

  return {
    read() {
      const stored = unstored ?? allowed(() => localStorage.getItem(key))
      return choices.find((choice) => choice === stored) ?? choices[0]
    },
    write(choice) {
      const isStored = allowed(() => {
        localStorage.setItem(key, choice)
        return true
      })
      unstored = isStored ? null : choice
      // Browsers notify only the other tabs. This event notifies this tab too, for the listeners here and in public/theme.js.
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

/** Returns null when the browser denies storage, which then throws on access. */
function allowed<T>(touch: () => T): T | null {
  try {
    return touch()
  } catch {
    return null
  }
}
