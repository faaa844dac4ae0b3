import { type Change, childrenEver } from '#app/testing/convergence/rules/rule.ts'
import { isOlderText, type Writers } from './change-order.ts'
import { Floors } from './floor.ts'
import type { History, HistoryEvent, ShownRow } from './history.ts'
import { PageTexts, type TextRegister, TextRegisters } from './text-registers.ts'

// The four session guarantees of Terry et al. (1994), for the texts that pages show. A history tells what a page does before it
// tells what the page shows because of that.

/** A change by another page, which had seen a text when it made that change. */
interface Follows {
  change: Change
  written: TextRegister
}

/** What a page has done and seen so far. */
interface Page {
  number: number
  device: number
  texts: PageTexts
  /** What the page itself wrote, or its device before the page was opened. */
  own: Floors<TextRegister, 'made' | 'stored'>
  seen: Floors<TextRegister, 'shown'>
  /** What had been seen by those whose changes this page has shown. */
  followed: Floors<TextRegister, Follows>
  /** The changes whose reads are in `followed`. */
  known: Set<Change>
  /** For texts of a restored row, the text shown since; undefined until the row is shown. */
  restored: Map<TextRegister, { text: number | undefined } | undefined>
}

/** Rows that a page showed one right after another, which it took from one snapshot. */
interface Moment {
  page: Page
  newly: Set<TextRegister>
}

/**
 * Lists where a page showed a text although it should have known a newer one. `told` are the numbers of the changes that were
 * reported to the person as not saved, too late or given up: they may vanish.
 */
export function brokenGuarantees(
  history: History,
  changes: readonly Change[],
  told: ReadonlySet<number>,
): string[] {
  const check = new GuaranteeCheck(history, changes, told)
  for (const event of history) check.take(event)
  return check.end()
}

class GuaranteeCheck {
  #registers: TextRegisters
  #told: ReadonlySet<number>
  #children: ReadonlyMap<string, ReadonlySet<string>>
  #pages = new Map<number, Page>()
  /** For each change, what its page showed of the same collection when the change was made. */
  #reads = new Map<Change, readonly [TextRegister, Writers][]>()
  #moment: Moment | undefined
  #found: string[] = []
  #place = -1

  constructor(history: History, changes: readonly Change[], told: ReadonlySet<number>) {
    this.#registers = new TextRegisters(history, changes)
    this.#told = told
    this.#children = childrenEver(changes)
  }

  take(event: HistoryEvent): void {
    if (event.kind !== 'shown' || event.page !== this.#moment?.page.number) this.#endMoment()
    this.#place++
    if (event.kind === 'opened') this.#open(event)
    else if (event.kind === 'made') this.#make(this.#pageOf(event), event.change)
    else this.#show(this.#pageOf(event), event)
  }

  end(): string[] {
    this.#endMoment()
    return this.#found
  }

  #pageOf({ page }: HistoryEvent): Page {
    const found = this.#pages.get(page)
    if (!found) throw new Error(`Page ${page} was never opened`)
    return found
  }

  #open({ page: number, device, stored }: Extract<HistoryEvent, { kind: 'opened' }>): void {
    const page: Page = {
      number,
      device,
      texts: new PageTexts(),
      own: new Floors(),
      seen: new Floors(),
      followed: new Floors(),
      known: new Set(),
      restored: new Map(),
    }
    this.#pages.set(number, page)
    for (const number of stored) {
      const change = this.#registers.changes.get(number)
      if (change?.device !== device) continue
      this.#raiseOwn(page, change, 'stored')
      this.#expectRestored(page, change)
    }
  }

  #make(page: Page, number: number): void {
    // A page that is killed before the change is stored takes the change along.
    const change = this.#registers.changes.get(number)
    if (!change) return
    this.#registers.takeMade(change)
    this.#raiseOwn(page, change, 'made')
    // The pages of a device share its queued writes.
    for (const each of this.#pages.values())
      if (each.device === page.device) this.#expectRestored(each, change)
    if (this.#registers.of(change).length === 0) return
    this.#reads.set(change, this.#readsOf(page, change))
  }

  /** What others must know who show a change: the texts that its page showed, as far as the server surely had them. */
  #readsOf(page: Page, { collection, row }: Change): [TextRegister, Writers][] {
    return [...page.texts.filledOf(collection)].flatMap((register) => {
      const writers = page.texts.writersOf(register)
      // In the same row, changes arrive in their order.
      const isThere = writers && this.#stays(writers) && (register.row === row || !isOwn(writers, page))
      return isThere ? [[register, writers]] : []
    })
  }

  #raiseOwn(page: Page, change: Change, reason: 'made' | 'stored'): void {
    const writers = [change]
    if (!this.#stays(writers)) return
    for (const register of this.#registers.of(change)) page.own.raise(register, { writers, reason })
  }

  /**
   * 'Undo' of a deletion shows the row and its subtasks as they were then, until they are read again: the first text that is shown
   * afterwards may be any.
   */
  #expectRestored(page: Page, { kind, collection, row }: Change): void {
    if (kind !== 'restore') return
    for (const each of [row, ...(this.#children.get(row) ?? [])]) {
      const { registers } = this.#registers.row({ collection, row: each })
      for (const register of registers.values()) page.restored.set(register, undefined)
    }
  }

  /** Whether a text can't just vanish. */
  #stays(writers: Writers): boolean {
    return !writers.some(({ number }) => this.#told.has(number))
  }

  #show(page: Page, shown: ShownRow): void {
    const row = this.#registers.row(shown)
    const newly = page.texts.show(row, shown.texts)
    this.#moment ??= { page, newly: new Set() }
    for (const register of newly) {
      this.#moment.newly.add(register)
      if (!this.#isAsRestored(page, register)) page.restored.delete(register)
      else page.restored.set(register, { text: page.texts.numberOf(register) })
      this.#checkOwnAndSeen(page, register)
    }
    if (newly.length > 0) this.#checkOrderOfWrites(page, [...row.registers.values()], new Set(newly))
  }

  /** Read your writes, and monotonic reads. */
  #checkOwnAndSeen(page: Page, register: TextRegister): void {
    const shown = page.texts.writersOf(register)
    if (!shown) return
    const isRestored = this.#isAsRestored(page, register)
    const own = isRestored ? undefined : page.own.above(register, shown)
    if (own) {
      const did = own.reason === 'made' ? 'it made' : 'its device had stored'
      this.#tell('read your writes', page, register, `after ${did} ${named(own.writers)}`)
    }
    const seen = isRestored ? undefined : page.seen.above(register, shown)
    if (seen) this.#tell('monotonic reads', page, register, `after it showed ${named(seen.writers)}`)
    // A text that was emptied looks like one that never was.
    if (page.texts.numberOf(register) === undefined || !this.#stays(shown)) return
    page.seen.raise(register, { writers: shown, reason: 'shown' })
  }

  /** Whether a text is still the one that a restored row came back with. */
  #isAsRestored({ restored, texts }: Page, register: TextRegister): boolean {
    if (!restored.has(register)) return false
    const first = restored.get(register)
    return first === undefined || first.text === texts.numberOf(register)
  }

  /** Monotonic writes: who shows a change shows what its device wrote into the row before. */
  #checkOrderOfWrites(page: Page, ofRow: readonly TextRegister[], newly: ReadonlySet<TextRegister>): void {
    for (const written of ofRow) {
      const second = this.#changeOfOther(page, written)
      if (!second) continue
      for (const register of ofRow) {
        if (register === written || !(newly.has(register) || newly.has(written))) continue
        const shown = page.texts.writersOf(register)
        if (!shown || isOwn(shown, page)) continue
        const first = register.changes.findLast(
          (change) =>
            change.device === second.device &&
            change.number < second.number &&
            this.#stays([change]) &&
            isOlderText(shown, [change]),
        )
        if (!first) continue
        const why = `beside ${named([second])} in ${written.field}, made after ${named([first])}`
        this.#tell('monotonic writes', page, register, why)
      }
    }
  }

  /** Writes follow reads: who shows a change shows what its page had seen. */
  #endMoment(): void {
    if (!this.#moment) return
    const { page, newly } = this.#moment
    this.#moment = undefined
    const unchecked = new Set(newly)
    for (const written of newly) {
      const change = this.#changeOfOther(page, written)
      if (!change || page.known.has(change)) continue
      page.known.add(change)
      for (const [register, writers] of this.#reads.get(change) ?? []) {
        // What the page shows itself, it must not fall behind anyway.
        if (page.texts.writersOf(register) === writers) continue
        page.followed.raise(register, { writers, reason: { change, written } })
        unchecked.add(register)
      }
    }
    for (const register of unchecked) {
      const shown = page.texts.writersOf(register)
      if (!shown || isOwn(shown, page) || this.#isAsRestored(page, register)) continue
      const bound = page.followed.above(register, shown)
      if (!bound) continue
      const { change, written } = bound.reason
      const why = `with ${named([change])} in ${written}, made on a page that showed ${named(bound.writers)}`
      this.#tell('writes follow reads', page, register, why)
    }
  }

  /**
   * The change of another device that a page shows, so that it came from the server. A text that an undo brought back or emptied
   * doesn't tell which change it is from.
   */
  #changeOfOther(page: Page, register: TextRegister): Change | undefined {
    if (page.texts.numberOf(register) === undefined) return undefined
    const [change, ...others] = page.texts.writersOf(register) ?? []
    if (!change || others.length > 0 || !this.#stays([change])) return undefined
    return change.device === undefined || change.device === page.device ? undefined : change
  }

  #tell(guarantee: string, page: Page, register: TextRegister, why: string): void {
    const shown = named(page.texts.writersOf(register) ?? [])
    const where = `page ${page.number} of device ${page.device} shows ${shown} in ${register}`
    this.#found.push(`${guarantee}: ${where}, ${why} (event ${this.#place})`)
  }
}

/**
 * Whether a text may be a change of the page's own device that waits to be sent. Such a change is shown on top of whatever the
 * server has, even if that is newer, and so says nothing about the server.
 */
function isOwn(writers: Writers, page: Page): boolean {
  return writers.some(({ device }) => device === page.device)
}

function named(writers: Writers): string {
  if (writers.length === 0) return 'no text'
  return writers
    .map(({ number, device, at, earliest }) => {
      const instants = [...new Set([earliest, at])].map((each) => new Date(each).toISOString())
      return `#${number} (${device === undefined ? 'the beginning' : `device ${device}`}, ${instants.join(' to ')})`
    })
    .join(' or ')
}
