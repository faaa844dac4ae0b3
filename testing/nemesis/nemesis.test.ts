import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { simulateBrowsers } from '#app/testing/convergence/play/played-people.ts'
import { describeEachEngineUrl } from '#platform/database/testing/engines.ts'
import { runs } from '../runs.ts'
import { nemesisSchedule } from './nemesis-schedule.ts'
import { failureOf, playHistory } from './play-history.ts'
import { PlayedServers } from './played-servers.ts'

// Ten clients of one person play 500 acts against real server processes, while connections are cut, clients and servers are
// killed, and clocks jump. The sync code, its outbox and the servers are real; the network between them and all clocks are played.

const { publish } = simulateBrowsers()
const histories = runs(200, 2)

describeEachEngineUrl('ten clients of one person', (emptyUrl, engine) => {
  it('lose nothing, agree in the end and never see time go back, whatever is cut, killed or set meanwhile', {
    timeout: runs(14_400_000, 600_000),
  }, async () => {
    const databaseUrl = await emptyUrl()
    const servers = await PlayedServers.start(databaseUrl, engine === 'sqlite' ? 1 : 2)
    onTestFinished(() => servers.stop())
    const parts = { servers, databaseUrl, publish }
    const sum = { changes: 0, told: 0, acknowledged: 0, current: 0, seen: 0, seenLater: 0, unseen: 0 }
    const { seed } = fc.readConfigureGlobal()
    for (const [place, schedule] of fc.sample(nemesisSchedule, { numRuns: histories, seed }).entries()) {
      const end = await playHistory(parts, schedule)
      const name = `history ${place + 1} of ${histories} on ${engine}`
      // Shrinking takes a while, and may find nothing.
      if (end.problems.length > 0)
        process.stderr.write(`${name}:\n${end.problems.join('\n').slice(0, 4_000)}\n`)
      expect(await failureOf(parts, schedule, end), name).toBeUndefined()
      sum.changes += end.changes
      sum.told += end.told
      for (const name of ['acknowledged', 'current', 'seen', 'seenLater', 'unseen'] as const)
        sum[name] += end.texts?.[name] ?? 0
    }
    const { kill, pause } = servers.strikes
    const broken = servers.processes.reduce((sum, server) => sum + server.broken, 0)
    process.stderr.write(
      `${histories} histories on ${engine}: ${sum.changes} changes, ${sum.told} of them told as not saved or late; servers killed ` +
        `${kill} times, with ${broken} requests unanswered, and stopped ${pause} times. ` +
        `Of ${sum.acknowledged} texts that a server took, ${sum.current} stand, ${sum.seen} were replaced within five minutes and ` +
        `${sum.seenLater} later by somebody who had seen them, and ${sum.unseen} were overridden unseen.\n`,
    )
  })
})
