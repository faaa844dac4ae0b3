import { storedChoice } from './stored-choice.ts'

/**
 * With which screen an account opens, as this device knows it from the preferences: before these have been read, and without a
 * connection.
 */
export function startPageOf(account: string) {
  return storedChoice(`daymark-start-page-${account}`, ['todos', 'today'])
}

export function startPathOf(account: string): '/todos' | '/today' {
  return `/${startPageOf(account).read()}`
}
