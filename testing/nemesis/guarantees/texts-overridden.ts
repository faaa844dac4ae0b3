import type { Change } from '#app/testing/convergence/rules/rule.ts'
import { inFinalOrder, type Writers } from './change-order.ts'
import type { History } from './history.ts'
import { PageValues, type Register, Registers } from './registers.ts'

/** What became of the texts that the server acknowledged. */
export interface OverriddenTexts {
  acknowledged: number
  /** Still there in the end. */
  current: number
  /** Replaced within five minutes by someone who had seen the text, or a later one. */
  seen: number
  /** Replaced later than that by someone who had seen it. */
  seenLater: number
  /** Replaced by someone who had not. */
  unseen: number
}

/** Milliseconds. A text that stood for longer is worth keeping, even if it is replaced by somebody who has seen it. */
const short = 5 * 60_000

/** Counts what became of acknowledged texts. Those that the person was told about (`told`) don't count. */
export function textsOverridden(
  history: History,
  changes: readonly Change[],
  told: ReadonlySet<number>,
  acknowledged: ReadonlySet<number>,
): OverriddenTexts {
  const registers = new Registers(history, changes)
  const seenBy = seenWhenMade(history, registers)
  const counts = { acknowledged: 0, current: 0, seen: 0, seenLater: 0, unseen: 0 }
  for (const register of registers.all()) {
    const ofRegister = register.inFinalOrder().filter(({ number }) => !told.has(number))
    const last = ofRegister.at(-1)
    for (const [place, one] of ofRegister.entries()) {
      // An undo types nothing, but it replaces what is typed.
      if (!register.isTypedIn(one) || !acknowledged.has(one.number)) continue
      const next = ofRegister[place + 1]
      const seen = next && seenBy.get(next)?.get(register)
      counts.acknowledged++
      if (!next || (last && register.valueIn(last) === register.valueIn(one))) counts.current++
      else if (!seen?.some((each) => inFinalOrder(each, one) >= 0)) counts.unseen++
      else if (next.at - one.at <= short) counts.seen++
      else counts.seenLater++
    }
  }
  return counts
}

/** For each change, what its page showed in the texts that the change writes. */
function seenWhenMade(history: History, registers: Registers): Map<Change, Map<Register, Writers>> {
  const seenBy = new Map<Change, Map<Register, Writers>>()
  const pages = new Map<number, PageValues>()
  for (const event of history) {
    const page = pages.get(event.page) ?? new PageValues()
    pages.set(event.page, page)
    if (event.kind === 'shown') page.show(registers.row(event), event.values)
    if (event.kind !== 'made') continue
    const change = registers.changes.get(event.change)
    if (!change) continue
    const written = registers.of(change)
    seenBy.set(change, new Map(written.map((register) => [register, page.writersOf(register) ?? []])))
    registers.takeMade(change)
  }
  return seenBy
}
