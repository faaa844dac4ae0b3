import { setTimeout as pause } from 'node:timers/promises'
import { openApplication } from '#app/testing/application.ts'
import { PlayedTime } from '#app/testing/convergence/network/played-time.ts'
import { signIn, signInAgain } from '#app/testing/convergence/network/sign-in.ts'
import { Play } from '#app/testing/convergence/play/play.ts'
import type { Schedule } from '#app/testing/convergence/play/schedule.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { runs } from '../runs.ts'
import { type EndOfHistory, endOf, lostSoFar } from './end-of-history.ts'
import type { PlayedServers } from './played-servers.ts'
import { Recorder } from './recorder.ts'
import { shrink, tellSteps } from './shrink.ts'

/** When every history begins. */
const start: Instant = Date.UTC(2026, 10, 30, 20)
/** More than the devices of a history, and the times that somebody signs in again, need. */
const signInsOfPerson = 100
/** Real milliseconds after which a history counts as one that never ends. */
const longest = 300_000
/**
 * How often a history that fails is played again to find a shorter one, and for how many real milliseconds at most. Whoever plants
 * a fault knows what is wrong, and so need not wait for that.
 */
const shrinking = {
  tries: process.env.DAYMARK_SHRINK === 'off' ? 0 : runs(100, 40),
  patience: runs(1_200_000, 180_000),
}

export interface HistoryParts {
  servers: PlayedServers
  databaseUrl: string
  /** Makes the devices of a play those of this process's browser (`simulateBrowsers`). */
  publish(networks: Play['networks']): void
}

/** Plays a schedule with a new person on running servers, and resolves with everything that is wrong with what came of it. */
export async function playHistory(parts: HistoryParts, schedule: Schedule): Promise<EndOfHistory> {
  const { servers, databaseUrl, publish } = parts
  const { user, cookies } = await newPerson(databaseUrl)
  const unused = cookies.values()
  const signInOnce = async () => {
    const { value } = unused.next()
    if (value === undefined) throw new Error('There are no more sign-ins')
    return value
  }
  const recorder = new Recorder()
  const lost: string[] = []
  const cookie = await signInOnce()
  const ask = async (path: string) => (await servers.processes[0].ask('GET', path, { cookie })).body
  const play: Play = new Play({
    processes: servers.processes,
    user,
    cookies: await Promise.all(schedule.devices.map(signInOnce)),
    signIn: signInOnce,
    time: new PlayedTime(start, (now) => servers.set(now)),
    schedule,
    observer: recorder,
    nemesis: servers,
    look: async (acknowledged) => {
      await servers.whenOver()
      lost.push(...(await lostSoFar(play, acknowledged, ask)))
    },
  })
  publish(play.networks)
  try {
    await Promise.race([play.play(), tooLong()])
    const end = await endOf(play, recorder.events, ask)
    return { ...end, problems: [...servers.takeProblems(), ...lost, ...end.problems] }
  } catch (error) {
    const broken = `broken off: ${error instanceof Error ? error.stack : String(error)}`
    return {
      problems: [broken, ...servers.takeProblems(), ...lost],
      changes: play.changes.length,
      told: 0,
      texts: undefined,
    }
  } finally {
    play.close()
  }
}

/** The problems of a history with the steps of the shortest one that has any of the same kind; undefined if it has none. */
export async function failureOf(
  parts: HistoryParts,
  schedule: Schedule,
  { problems }: EndOfHistory,
): Promise<string | undefined> {
  const [first] = problems
  if (first === undefined) return undefined
  let told = problems
  const until = performance.now() + shrinking.patience
  const fails = async (shorter: Schedule) => {
    if (performance.now() > until) return false
    const found = (await playHistory(parts, shorter)).problems
    const isSame = found.some((each) => kindOf(each) === kindOf(first))
    if (isSame) told = found
    return isSame
  }
  const shorter = await shrink(schedule, fails, shrinking.tries)
  return [
    ...told.slice(0, 5).map((each) => each.slice(0, 2_000)),
    `These ${shorter.steps.length} of ${schedule.steps.length} steps suffice:`,
    tellSteps(shorter),
  ].join('\n')
}

/** The check that found a problem, which its words begin with. */
function kindOf(problem: string): string {
  return problem.replace(/:.*/s, '')
}

async function tooLong(): Promise<never> {
  await pause(longest, undefined, { ref: false })
  throw new Error('It never ended')
}

/** Signs in a new person by what a sign-in leaves in the database, since their servers are busy with other things. */
async function newPerson(databaseUrl: string): Promise<{ user: string; cookies: readonly string[] }> {
  const database = await openDatabase(databaseUrl)
  try {
    const daymark = openApplication(database)
    const user = crypto.randomUUID()
    const cookies = [await signIn(daymark, database, user)]
    while (cookies.length < signInsOfPerson) cookies.push(await signInAgain(daymark, database, user))
    return { user, cookies }
  } finally {
    await database.close()
  }
}
