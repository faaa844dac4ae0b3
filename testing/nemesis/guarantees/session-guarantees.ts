import type { Change } from '#app/testing/convergence/rules/rule.ts'
import { isOlderValue, type Writers } from './change-order.ts'
import { Floors } from './floor.ts'
import type { History, HistoryEvent, ShownRow, Value, Written } from './history.ts'
import { PageValues, type Register, Registers } from './registers.ts'
import { type Undo, WaitingUndos } from './waiting-undos.ts'

// The four session guarantees of Terry et al. (1994), for the values that pages show. A history tells what a page does before it
// tells what the page shows because of that.

/** A change by another page, which had seen a value when it made that change. */
interface Follows {
  change: Change
  written: Register
}

/** What a page has done and seen so far. */
interface Page {
  number: number
  device: number
  values: PageValues
  /** What the page itself wrote, or its device before the page was opened. */
  own: Floors<Register, 'made' | 'stored'>
  seen: Floors<Register, 'shown'>
  /** What had been seen by those whose changes this page has shown. */
  followed: Floors<Register, Follows>
  /** The changes whose reads are in `followed`. */
  known: Set<Change>
  /** For the registers of a restored row, the older value that it came back with; undefined until it does. */
  restored: Map<Register, { value: Value | undefined } | undefined>
  undos: WaitingUndos
}

/** Rows that a page showed one right after another, which it took from one snapshot. */
interface Moment {
  page: Page
  newly: Set<Register>
}

/**
 * Lists where a page showed a value although it should have known a newer one. `told` are the numbers of the changes that were
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
  #registers: Registers
  #told: ReadonlySet<number>
  #pages = new Map<number, Page>()
  /** What each device has restored. */
  #restorations = new Map<number, readonly Change[]>()
  /** What each device has undone and redone. */
  #undos = new Map<number, readonly Undo[]>()
  /** For each change, what its page showed of the same collection when the change was made. */
  #reads = new Map<Change, readonly [Register, Writers][]>()
  #moment: Moment | undefined
  #found: string[] = []
  #place = -1

  constructor(history: History, changes: readonly Change[], told: ReadonlySet<number>) {
    this.#registers = new Registers(history, changes)
    this.#told = told
  }

  take(event: HistoryEvent): void {
    if (event.kind !== 'shown' || event.page !== this.#moment?.page.number) this.#endMoment()
    this.#place++
    if (event.kind === 'opened') this.#open(event)
    else if (event.kind === 'made') this.#make(this.#pageOf(event), event)
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
      values: new PageValues(),
      own: new Floors(),
      seen: new Floors(),
      followed: new Floors(),
      known: new Set(),
      restored: new Map(),
      undos: new WaitingUndos(),
    }
    this.#pages.set(number, page)
    for (const number of stored) {
      const change = this.#registers.changes.get(number)
      if (change?.device !== device) continue
      this.#raiseOwn(page, change, 'stored')
    }
    // Also those whose storing was under way when their page was killed, and which the store may have taken since.
    for (const change of this.#restorations.get(device) ?? []) this.#expectRestored(page, change)
    for (const undo of this.#undos.get(device) ?? []) if (!undo.isOver) page.undos.take(undo)
  }

  #make(page: Page, { change: number, writes }: Extract<HistoryEvent, { kind: 'made' }>): void {
    const change = this.#registers.changes.get(number)
    if (!change) {
      this.#takeUnstored(page, writes)
      return
    }
    this.#registers.takeMade(change)
    this.#raiseOwn(page, change, 'made')
    // The pages of a device share its queued writes.
    if (change.kind === 'restore') {
      this.#restorations.set(page.device, [...(this.#restorations.get(page.device) ?? []), change])
      for (const each of this.#pages.values())
        if (each.device === page.device) this.#expectRestored(each, change)
    }
    if (change.pressed !== undefined) this.#expectUndone(page, change)
    if (this.#registers.of(change).length === 0) return
    this.#reads.set(change, this.#readsOf(page, change))
  }

  /** A page that is killed before a change is stored takes the change along, but shows it until then. */
  #takeUnstored({ values }: Page, writes: Written | undefined): void {
    if (!writes) return
    const { registers } = this.#registers.row(writes)
    for (const [field, value] of writes.fields) {
      const register = registers.get(field)
      if (register) values.takeUnstored(register, value)
    }
    for (const register of this.#registers.completedAlong(writes)) values.takeUnstored(register, 1)
  }

  /** The pages of a device share its queued undos, too. */
  #expectUndone({ device }: Page, change: Change): void {
    const set = this.#registers.of(change).map((register) => ({ register, value: register.valueIn(change) }))
    const along = [...this.#registers.completedAlong(change)].map((register) => ({ register, value: 1 }))
    const undos = [...set, ...along].map((each) => ({ ...each, isOver: false }))
    this.#undos.set(device, [...(this.#undos.get(device) ?? []), ...undos])
    for (const page of this.#pages.values())
      if (page.device === device) for (const undo of undos) page.undos.take(undo)
  }

  /** What others must know who show a change: the values that its page showed, as far as the server surely had them. */
  #readsOf(page: Page, { collection, row }: Change): [Register, Writers][] {
    return [...page.values.of(collection)].flatMap((register) => {
      const writers = this.#writersOf(page, register)
      if (!writers || writers.length === 0 || !this.#stays(register, writers)) return []
      // In the same row, changes arrive in their order.
      return register.row === row || !isOwn(writers, page) ? [[register, writers]] : []
    })
  }

  #raiseOwn(page: Page, change: Change, reason: 'made' | 'stored'): void {
    const writers = [change]
    for (const register of this.#registers.of(change))
      if (this.#stays(register, writers)) page.own.raise(register, { writers, reason })
  }

  /**
   * 'Undo' of a deletion shows the row and its subtasks as they were then, until they are read again: one value that is shown
   * afterwards may be any. That need not be the first: the row may be there until a read finds that it was deleted elsewhere,
   * while the restoration still waits.
   */
  #expectRestored(page: Page, { collection, row }: Change): void {
    for (const each of [row, ...(this.#registers.children.get(row) ?? [])]) {
      const { registers } = this.#registers.row({ collection, row: each })
      for (const register of registers.values()) page.restored.set(register, undefined)
    }
  }

  /** Whether a value can't just vanish, as the completion of a parent does from a to-do that had left it by then. */
  #stays({ row }: Register, writers: Writers): boolean {
    return writers.every((each) => each.row === row && !this.#told.has(each.number))
  }

  /** Who may have put a value where a page shows it, if the page has not gone back. */
  #writersOf(page: Page, register: Register): Writers | undefined {
    const writers = page.values.writersOf(register)
    if (!writers || this.#isAsRestored(page, register) || page.undos.isShown(register)) return writers
    const possible = page.seen.notBelow(register, page.own.notBelow(register, writers))
    return possible.length > 0 ? possible : writers
  }

  #show(page: Page, shown: ShownRow): void {
    const row = this.#registers.row(shown)
    const newly = page.values.show(row, shown.values)
    this.#moment ??= { page, newly: new Set() }
    for (const register of newly) {
      this.#moment.newly.add(register)
      if (!this.#isAsRestored(page, register)) page.restored.delete(register)
      this.#checkOwnAndSeen(page, register)
    }
    if (newly.length > 0) this.#checkOrderOfWrites(page, [...row.registers.values()], new Set(newly))
  }

  /** Read your writes, and monotonic reads. */
  #checkOwnAndSeen(page: Page, register: Register): void {
    const mayBeUndone = page.undos.show(register, page.values.shownIn(register))
    const shown = page.values.writersOf(register)
    if (!shown) return
    const own = page.own.above(register, shown)
    const notOwn = own ? shown : page.own.notBelow(register, shown)
    const seen = page.seen.above(register, notOwn)
    const isWrong = (own || seen) && !mayBeUndone && !this.#mayBeAsRestored(page, register)
    if (isWrong && own) {
      const did = own.reason === 'made' ? 'it made' : 'its device had stored'
      this.#tell('read your writes', page, register, `after ${did} ${named(own.writers)}`)
    }
    if (isWrong && seen)
      this.#tell('monotonic reads', page, register, `after it showed ${named(seen.writers)}`)
    const writers = this.#writersOf(page, register) ?? []
    if (writers.length === 0 || !this.#stays(register, writers)) return
    page.seen.raise(register, { writers, reason: 'shown' })
  }

  /** Takes an older value for the one that a restored row came back with, if it may be. */
  #mayBeAsRestored(page: Page, register: Register): boolean {
    if (!this.#isAsRestored(page, register)) return false
    page.restored.set(register, { value: page.values.shownIn(register) })
    return true
  }

  #isAsRestored({ restored, values }: Page, register: Register): boolean {
    if (!restored.has(register)) return false
    const cameBack = restored.get(register)
    return cameBack === undefined || cameBack.value === values.shownIn(register)
  }

  /** Monotonic writes: who shows a change shows what its device wrote into the row before. */
  #checkOrderOfWrites(page: Page, ofRow: readonly Register[], newly: ReadonlySet<Register>): void {
    for (const written of ofRow) {
      const second = this.#changeOfOther(page, written)
      if (!second) continue
      for (const register of ofRow) {
        if (register === written || !(newly.has(register) || newly.has(written))) continue
        const shown = this.#writersOf(page, register)
        if (!shown || isOwn(shown, page)) continue
        const first = register.changes.findLast(
          (change) =>
            change.device === second.device &&
            change.number < second.number &&
            this.#stays(register, [change]) &&
            isOlderValue(shown, [change]),
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
        // What the page has seen itself, it must not fall behind anyway.
        if (page.seen.covers(register, writers) || page.followed.covers(register, writers)) continue
        page.followed.raise(register, { writers, reason: { change, written } })
        unchecked.add(register)
      }
    }
    for (const register of unchecked) {
      const shown = this.#writersOf(page, register)
      if (!shown || isOwn(shown, page)) continue
      const bound = page.followed.above(register, shown)
      if (!bound || this.#mayBeAsRestored(page, register)) continue
      const { change, written } = bound.reason
      const why = `with ${named([change])} in ${written}, made on a page that showed ${named(bound.writers)}`
      this.#tell('writes follow reads', page, register, why)
    }
  }

  /** The change of another device that a page shows, so that it came from the server, if only one can be shown. */
  #changeOfOther(page: Page, register: Register): Change | undefined {
    const [change, ...others] = this.#writersOf(page, register) ?? []
    if (!change || others.length > 0 || !this.#stays(register, [change])) return undefined
    return change.device === undefined || change.device === page.device ? undefined : change
  }

  #tell(guarantee: string, page: Page, register: Register, why: string): void {
    const shown = `${String(page.values.shownIn(register))} by ${named(page.values.writersOf(register) ?? [])}`
    const where = `page ${page.number} of device ${page.device} shows ${shown} in ${register}`
    this.#found.push(`${guarantee}: ${where}, ${why} (event ${this.#place})`)
  }
}

/**
 * Whether a value may be a change of the page's own device that waits to be sent. Such a change is shown on top of whatever the
 * server has, even if that is newer, and so says nothing about the server.
 */
function isOwn(writers: Writers, page: Page): boolean {
  return writers.some(({ device }) => device === page.device)
}

function named(writers: Writers): string {
  if (writers.length === 0) return 'nothing'
  return writers
    .map(({ number, device, at, earliest }) => {
      const instants = [...new Set([earliest, at])].map((each) => new Date(each).toISOString())
      return `#${number} (${device === undefined ? 'the beginning' : `device ${device}`}, ${instants.join(' to ')})`
    })
    .join(' or ')
}
