// The process of an attack. Forked by ../attacks.mjs; each message is one attack:
// {name, port, seconds, target, databaseUrl}. Replies with the number of responses by status, and when the first was refused.
import { knownAttacks } from './known-attacks.mjs'
import { Siege } from './siege.mjs'

process.on('message', (/** @type {Order} */ order) => {
  attack(order).then(
    (answered) => process.send?.(answered),
    (error) => process.send?.({ failed: error instanceof Error ? error.stack : String(error) }),
  )
})
process.once('disconnect', () => process.exit())

/** @typedef {{ name: string, port: number, seconds: number, target: unknown, databaseUrl: string }} Order */

/** @param {Order} order */
async function attack({ name, port, seconds, target, databaseUrl }) {
  const known = knownAttacks.find((each) => each.name === name)
  if (!known) throw new Error(`No attack is called ${name}`)
  const siege = new Siege(port, seconds)
  await known.attack(siege, target, databaseUrl)
  await siege.end
  return { statuses: siege.statuses, firstRefused: siege.firstRefused }
}
