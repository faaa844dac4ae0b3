/** @typedef {import('../../src/platform/database/database.ts').Database} Database */
/** @typedef {import('./siege.mjs').Siege} Siege */

/**
 * `prepare` fills the account of the attacker, and `attack` runs in the attacker's process with what it returned.
 * @template Target
 * @typedef {{
 *   name: string,
 *   prepare: (database: Database, name: string) => Promise<Target>,
 *   attack: (siege: Siege, target: Target, databaseUrl: string) => Promise<void>,
 *   seconds?: number,
 *   beside?: { does: 'picture' | 'reminder', longest: number }
 * }} Attack `seconds`: how long it takes, if that can't be chosen. `beside`: what a bystander does in the meantime that has
 *   a limit of its own, in milliseconds.
 */

/**
 * Checks the type of `attack` against what `prepare` returns. The list of all attacks can't: on its way to the attacker's
 * process, a target loses its type.
 * @template Target
 * @param {Attack<Target>} attack
 */
export function declare({ name, prepare, attack, seconds, beside }) {
  return {
    name,
    prepare,
    seconds,
    beside,
    attack: (/** @type {Siege} */ siege, /** @type {any} */ target, /** @type {string} */ databaseUrl) =>
      attack(siege, target, databaseUrl),
  }
}
