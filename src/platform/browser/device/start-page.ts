import { storedChoice } from './stored-choice.ts'

/**
 * The screen that an account opens with, remembered on this device from the preferences: for use before they have been read,
 * and offline.
 */
export function startPageOf(account: string) {
  return storedChoice(`daymark-start-page-${account}`, ['todos', 'today'])
}

export function startPathOf(account: string): '/todos' | '/today' {
  return `/${startPageOf(account).read()}`
}
