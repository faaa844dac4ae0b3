import { fieldsOfServer, viewOfServer } from '#app/testing/convergence/people/view.ts'
import { problemsAtTheEnd } from '#app/testing/convergence/play/end.ts'
import type { Play } from '#app/testing/convergence/play/play.ts'
import { clockTolerance, violations } from '#app/testing/convergence/rules/rule.ts'
import type { History } from './guarantees/history.ts'
import { brokenGuarantees } from './guarantees/session-guarantees.ts'
import { type OverriddenTexts, textsOverridden } from './guarantees/texts-overridden.ts'

type Ask = (path: string) => Promise<unknown>

export interface EndOfHistory {
  /** Whatever is lost, differs, is stuck or went back, each beginning with its kind; expected to be empty. */
  problems: string[]
  changes: number
  /** The changes of which people were told that they are not saved, or came too late. */
  told: number
  /** What became of the texts that the server has taken; undefined if the history broke off. */
  texts: OverriddenTexts | undefined
}

/** Looks at what is left when everything has come to rest, and at what the pages showed meanwhile. */
export async function endOf(play: Play, events: History, ask: Ask): Promise<EndOfHistory> {
  const { changes, reported, acknowledged } = play
  const told = new Set([...reported, ...play.late].map(({ change }) => change))
  return {
    problems: [
      ...(await problemsAtTheEnd(play, ask)),
      ...instantsThatWentBack(play),
      ...brokenGuarantees(events, changes, told),
    ],
    changes: changes.length,
    told: told.size,
    texts: textsOverridden(events, changes, told, acknowledged),
  }
}

/**
 * Changes whose instant is earlier than when they were made, so that they lose to what the person had seen. A later instant does
 * no harm: responses that take long tell the server's time only roughly.
 */
function instantsThatWentBack({ arrived }: Play): string[] {
  return arrived
    .filter(({ pressed, made, at }) => pressed === undefined && made - at > clockTolerance)
    .map(
      ({ number, device, made, at }) =>
        `went back: #${number} of device ${device} counts as made ${made - at} ms before ${new Date(made).toISOString()}`,
    )
}

/**
 * Lists what the server has already lost of the changes that it had acknowledged, while others are still under way: later changes
 * would hide such a loss until the end.
 */
export async function lostSoFar(play: Play, acknowledged: ReadonlySet<number>, ask: Ask): Promise<string[]> {
  const { changes } = play
  const truth = await viewOfServer(ask)
  const now = await fieldsOfServer(truth, changes, ask)
  const underWay = changes.filter(({ number, device }) => device !== undefined && !acknowledged.has(number))
  // Whether these count is open, as with those that were reported.
  const open = underWay.map(({ number }) => ({ change: number, failed: true, text: '' }))
  return violations(changes, open, (list, row) => now.get(list)?.get(row)).map(
    (each) => `lost meanwhile: ${each}`,
  )
}
