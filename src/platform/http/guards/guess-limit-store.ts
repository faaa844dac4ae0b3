import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import { countCall } from './rate-limit-store.ts'

/** An attempt to guess a secret. */
export interface Guess {
  /** The secret being guessed, such as the password of an account. */
  target: string
  /** Who is guessing, as far as the server can tell: a network or a browser. */
  guesser: string
  /**
   * A larger target that this target leads to. A wrong guess at this target counts for the larger one too, but wrong guesses at
   * the larger one delay nobody at this one.
   */
  wayTo?: string
  /** The larger network around the guesser. One person may own every smaller network in it. */
  network?: string
}

const second = 1000
const memory = 60 * 60 * second
/** Wrong guesses that cause no wait: people mistype. */
const free = 5
const longestWait = 15 * 60 * second
/** Limit of guesses from one larger network at one target: as many as four guessers with one turn a minute each. */
const ofNetwork = { name: 'guesses of a network', max: 240, seconds: 60 * 60 }

/** Milliseconds to wait before the next guess after this many wrong ones. */
export function waitAfter(wrong: number): number {
  if (wrong < free) return 0
  const doubled = Math.min(2 ** (wrong - free), 60) * second
  // Nobody mistypes a hundred times. From there on, each wrong guess makes the wait longer still.
  return wrong <= 100 ? doubled : Math.min(wrong * 0.6 * second, longestWait)
}

/**
 * Admits a guess and returns 0, or returns the milliseconds until the guesser's turn. An admitted guess counts as wrong
 * until `guessedRight` takes that back, so that many parallel guesses are not all free. The count holds for all processes
 * together. Wrong guesses are counted per target, so many guessers get no further than one. But each guesser waits for a
 * separate turn, which nobody else can take or delay: an attacker cannot hold up somebody who knows the secret.
 */
export async function admitGuess(database: Database, guess: Guess, now: Instant): Promise<number> {
  const wait = await takeTurn(database, guess, now)
  if (wait > 0 || guess.network === undefined) return wait
  const full = await countCall(database, ofNetwork, networkOf(guess, guess.network), now)
  if (full > 0) await takeBack(database, [wrongKey(guess.target)])
  return full
}

async function takeTurn(database: Database, guess: Guess, now: Instant): Promise<number> {
  const waitLeft = await knownWait(database, guess, now)
  if (waitLeft > 0) return waitLeft
  return database.write(async (tx) => {
    const wait = (await countFree(tx, guess.target, now)) ? 0 : await countInTurn(tx, guess, now)
    if (wait > 0 || guess.wayTo === undefined) return wait
    if (!(await countFree(tx, guess.wayTo, now))) await countOneMore(tx, guess.wayTo, now)
    return 0
  })
}

/** Counts one more guess if it is still free, and returns whether it was. */
async function countFree(tx: Transaction<Tables>, target: string, now: Instant): Promise<boolean> {
  const remembered = now - memory
  const counted = await tx
    .insertInto('rateLimit')
    .values({ id: crypto.randomUUID(), key: wrongKey(target), count: 1, lastRequest: now })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((eb) => ({
          count: eb
            .case()
            .when('rateLimit.lastRequest', '>', remembered)
            .then(eb('rateLimit.count', '+', 1))
            .else(1)
            .end(),
          lastRequest: now,
        }))
        .where((eb) =>
          eb.or([eb('rateLimit.count', '<', free), eb('rateLimit.lastRequest', '<=', remembered)]),
        ),
    )
    .returning('count')
    .executeTakeFirst()
  return counted !== undefined
}

async function countOneMore(tx: Transaction<Tables>, target: string, now: Instant): Promise<void> {
  await tx
    .updateTable('rateLimit')
    .set((eb) => ({ count: eb('count', '+', 1), lastRequest: now }))
    .where('key', '=', wrongKey(target))
    .execute()
}

/** Takes the guesser's turn, counts the guess and returns 0; or returns the milliseconds until their turn. */
async function countInTurn(tx: Transaction<Tables>, guess: Guess, now: Instant): Promise<number> {
  const { count } = await tx
    .selectFrom('rateLimit')
    .select('count')
    .where('key', '=', wrongKey(guess.target))
    .executeTakeFirstOrThrow()
  const taken = await tx
    .updateTable('rateLimit')
    .set({ lastRequest: now + waitAfter(count + 1) })
    .where('key', '=', turnKey(guess))
    .where((eb) => eb.or([eb('lastRequest', '<=', now), eb('lastRequest', '>', now + longestWait)]))
    .executeTakeFirst()
  if (taken.numUpdatedRows > 0n) {
    await countOneMore(tx, guess.target, now)
    return 0
  }
  await tx
    .insertInto('rateLimit')
    .values({
      id: crypto.randomUUID(),
      key: turnKey(guess),
      count: 0,
      lastRequest: now + waitAfter(count),
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  const turn = await tx
    .selectFrom('rateLimit')
    .select('lastRequest')
    .where('key', '=', turnKey(guess))
    .executeTakeFirstOrThrow()
  return Math.max(1, Number(turn.lastRequest) - now)
}

/** Uncounts a guess that was right. */
export async function guessedRight(database: Database, guess: Guess): Promise<void> {
  const { target, wayTo, network } = guess
  await takeBack(database, [
    wrongKey(target),
    ...(wayTo === undefined ? [] : [wrongKey(wayTo)]),
    ...(network === undefined ? [] : [`${ofNetwork.name}|${networkOf(guess, network)}`]),
  ])
}

async function takeBack(database: Database, keys: readonly string[]): Promise<void> {
  await database.write(async (tx) => {
    for (const key of keys) {
      const forgotten = await tx
        .deleteFrom('rateLimit')
        .where('key', '=', key)
        .where('count', '<=', 1)
        .executeTakeFirst()
      if (forgotten.numDeletedRows > 0n) continue
      await tx
        .updateTable('rateLimit')
        .set((eb) => ({ count: eb('count', '-', 1) }))
        .where('key', '=', key)
        .execute()
    }
  })
}

/**
 * Returns the milliseconds until the guesser's turn. Only reads, so that somebody who keeps guessing too early does not keep
 * the database writing.
 */
async function knownWait(database: Database, guess: Guess, now: Instant): Promise<number> {
  const rows = await database.read
    .selectFrom('rateLimit')
    .select(['key', 'count', 'lastRequest'])
    .where('key', 'in', [wrongKey(guess.target), turnKey(guess)])
    .execute()
  const wrong = rows.find(({ key }) => key === wrongKey(guess.target))
  const turn = rows.find(({ key }) => key === turnKey(guess))
  if (!wrong || !turn || wrong.count < free || Number(wrong.lastRequest) <= now - memory) return 0
  return waitUntil(Number(turn.lastRequest), now)
}

/** A turn further away than the longest wait was given before the clock was set back; treat it as due. */
function waitUntil(turn: Instant, now: Instant): number {
  return turn > now + longestWait ? 0 : Math.max(0, turn - now)
}

function wrongKey(target: string): string {
  return `wrong guesses|${target}`
}

function turnKey({ target, guesser }: Guess): string {
  return `turn to guess|${target}|${guesser}`
}

function networkOf({ target }: Guess, network: string): string {
  return `${target}|${network}`
}
