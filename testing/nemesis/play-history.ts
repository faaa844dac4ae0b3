import { openApplication } from '#app/testing/application.ts'
import { PlayedTime } from '#app/testing/convergence/network/played-time.ts'
import { signIn, signInAgain } from '#app/testing/convergence/network/sign-in.ts'
import { Play } from '#app/testing/convergence/play/play.ts'
import type { Schedule } from '#app/testing/convergence/play/schedule.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { type EndOfHistory, endOf } from './end-of-history.ts'
import type { PlayedServers } from './played-servers.ts'
import { Recorder } from './recorder.ts'
import { shrink, tellSteps } from './shrink.ts'

/** When every history begins. */
const start: Instant = Date.UTC(2026, 10, 30, 20)
/** More than the devices of a history, and the times that somebody signs in again, need. */
const signInsOfPerson = 60
/** How often a history that fails is played again, to find a shorter one that fails too. */
const triesToShrink = 60

export interface HistoryParts {
  servers: PlayedServers
  databaseUrl: string
  /** Makes the devices of a play those of this process's browser (`simulateBrowsers`). */
  publish(networks: Play['networks']): void
}

/** Plays a schedule with a new person on running servers, and resolves with everything that is wrong with what came of it. */
export async function playHistory(
  { servers, databaseUrl, publish }: HistoryParts,
  schedule: Schedule,
): Promise<EndOfHistory> {
  const { user, cookies } = await newPerson(databaseUrl)
  const unused = cookies.values()
  const signInOnce = async () => {
    const { value } = unused.next()
    if (value === undefined) throw new Error('There are no more sign-ins')
    return value
  }
  const recorder = new Recorder()
  const play = new Play({
    processes: servers.processes,
    user,
    cookies: await Promise.all(schedule.devices.map(signInOnce)),
    signIn: signInOnce,
    time: new PlayedTime(start, (now) => servers.set(now)),
    schedule,
    observer: recorder,
    nemesis: servers,
  })
  publish(play.networks)
  try {
    await play.play()
    const cookie = await signInOnce()
    return await endOf(play, recorder.events, async (path) => {
      return (await servers.processes[0].ask('GET', path, { cookie })).body
    })
  } finally {
    play.close()
  }
}

/** The problems of a history with the steps of the shortest one that has any; undefined if it has none. */
export async function failureOf(
  parts: HistoryParts,
  schedule: Schedule,
  { problems }: EndOfHistory,
): Promise<string | undefined> {
  if (problems.length === 0) return undefined
  let shortest = problems
  const fails = async (shorter: Schedule) => {
    const found = (await playHistory(parts, shorter)).problems
    if (found.length > 0) shortest = found
    return found.length > 0
  }
  const shorter = await shrink(schedule, fails, triesToShrink)
  const told = shortest.slice(0, 5).map((each) => each.slice(0, 2_000))
  return [
    ...told,
    `These ${shorter.steps.length} of ${schedule.steps.length} steps suffice:`,
    tellSteps(shorter),
  ].join('\n')
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
