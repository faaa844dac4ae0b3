import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { type Day, type Instant, instantFromWire } from '#platform/calendar/day.ts'
import { comesBack, dayIn, daysOfRule, dueBy, type Settled } from './computed-days.ts'
import type { Calendar, Deed } from './deed.ts'
import type { Change, ReportedChange } from './rule.ts'

// The rules by which occurrences merge, implemented differently from the product: from all changes at once, whatever order they
// arrived in. A change that names its occurrence has one effect. A client that knows only `completed` and `due_day` names none.
// Its change then settles (completes, skips or reopens) or moves the occurrence that was open when it was made, as far as the
// server knew then. A change without an occurrence has several possible effects, one for each state in which it may have found
// the to-do.

export interface StoredDay {
  todo_id: string
  day: Day
  state: 'done' | 'skipped' | 'open'
  done_on: Day | null
  changed_at: Instant
  moved_to: Day | null
  moved_at: Instant
}

/** The final state: the occurrences as stored, and the to-dos as shown at an instant. */
export interface End {
  days: readonly StoredDay[]
  todos: readonly Todo[]
  calendar: Calendar
  now: Instant
}

type Deeded = Change & { deed: Deed }

interface Effect extends Pick<Change, 'number' | 'device' | 'at' | 'earliest'> {
  todo: string
  day: Day
  /** Whether the effect is certain, or only possible. */
  sure: boolean
  settles?: { state: StoredDay['state']; done_on: Day | null }
  moves?: { moved_to: Day | null }
}

/** A change that does not name its occurrence, and the days that it may have affected. It affected at least one of them. */
interface Guessed {
  change: Deeded
  days: ReadonlySet<Day>
}

/** Lists how the final state violates the rules. */
export function occurrenceViolations(
  changes: readonly Change[],
  reported: readonly ReportedChange[],
  calendars: readonly Calendar[],
  end: End,
): string[] {
  const history = new History(changes, reported, calendars)
  const found = changes.flatMap(({ number, deed }) => {
    const today = deed && dayIn(deed.on.now, deed.on)
    return today === undefined || today === deed?.on.today ? [] : [`#${number} was made on ${today}`]
  })
  const { effects, guessed } = history
  const stored = new Map(end.days.map((row) => [keyOf(row.todo_id, row.day), row]))
  const affected = new Map(
    [...effects, ...end.days].map((each) => {
      const todo = 'todo' in each ? each.todo : each.todo_id
      return [keyOf(todo, each.day), { todo, day: each.day }]
    }),
  )
  const tell = (what: string, todo: string) => `${what}, by ${history.tell(todo)}`
  for (const [key, { todo, day }] of affected) {
    const row = stored.get(key)
    const own = effects.filter((each) => each.todo === todo && each.day === day)
    if (!mayBeSettledSo(row, own)) {
      found.push(tell(`${day} of ${todo} is ${row?.state} on ${row?.done_on} at ${row?.changed_at}`, todo))
    }
    if (!mayBeMovedSo(row, own)) {
      found.push(tell(`${day} of ${todo} is moved to ${row?.moved_to} at ${row?.moved_at}`, todo))
    }
  }
  for (const { change, days } of guessed) {
    const isThere = [...days].some((day) => {
      const row = stored.get(keyOf(change.row, day))
      const at = change.deed.does === 'move' ? row?.moved_at : row?.changed_at
      return at !== undefined && at >= change.earliest
    })
    if (!isThere) found.push(tell(`#${change.number} is lost, of ${[...days].join()}`, change.row))
  }
  return [...found, ...wronglyShown(end, history), ...history.wronglyRefused()]
}

/** The numbers of refused moves, and of the changes that were dropped together with one. */
export function refusedMoves(
  changes: readonly Change[],
  reported: readonly ReportedChange[],
): ReadonlySet<number> {
  const refused = new Set(reported.filter(({ failed }) => !failed).map(({ change }) => change))
  const moves = changes.filter(({ number, deed }) => refused.has(number) && deed?.does === 'move')
  const dropped = changes.filter(
    (change) =>
      refused.has(change.number) &&
      moves.some(
        ({ row, device, number }) =>
          row === change.row && device === change.device && number <= change.number,
      ),
  )
  return new Set(dropped.map(({ number }) => number))
}

class History {
  effects: Effect[] = []
  guessed: Guessed[] = []
  #deeds: Deeded[]
  #isUncertain = false
  #parents: ReadonlyMap<string, string>
  #unsaved: ReadonlySet<number>
  #refused: ReadonlySet<number>
  #calendars: readonly Calendar[]

  constructor(
    changes: readonly Change[],
    reported: readonly ReportedChange[],
    calendars: readonly Calendar[],
  ) {
    this.#deeds = changes.flatMap((change) => (change.deed ? [{ ...change, deed: change.deed }] : []))
    this.#parents = new Map(
      changes.flatMap(({ row, fields }) => {
        const parent = fields.get('parent_id')
        return typeof parent === 'string' ? [[row, parent]] : []
      }),
    )
    this.#unsaved = new Set(reported.map(({ change }) => change))
    this.#refused = refusedMoves(changes, reported)
    this.#calendars = calendars
    // The open occurrence that a change found depends on what other changes had settled. If that becomes circular, nothing is
    // certain.
    for (let [round, before] = [0, '']; ; round++) {
      this.#isUncertain = round > 8
      this.guessed = []
      this.effects = this.#deeds.flatMap((change) => this.#effectsOf(change))
      const is = this.effects.map(({ number, day, sure }) => `${number} ${day} ${sure}`).join()
      if (is === before || round > 20) break
      before = is
    }
  }

  tell(todo: string): string {
    const lines = this.#deeds
      .filter(({ row }) => row === todo || row === this.#parents.get(todo))
      .toSorted((one, other) => one.at - other.at)
      .map(({ number, row, at, device, deed: { on, ...deed } }) => {
        const unsaved = this.#unsaved.has(number) ? ', reported' : ''
        return `  #${number} ${new Date(at).toISOString()} (${at}) ${row === todo ? '' : 'parent '}${JSON.stringify(deed)} on ${on.today} (${on.time_zone}) on device ${device}${unsaved}`
      })
    return ['', ...lines].join('\n')
  }

  rulesOf(todo: string): (Deeded & { deed: { does: 'rule'; rule: RepeatRule | null } })[] {
    return this.#deeds.flatMap((change) =>
      change.row === todo && change.deed.does === 'rule' ? [{ ...change, deed: change.deed }] : [],
    )
  }

  /**
   * When the to-do's repeat was first taken away, after every change that certainly gave it one; undefined if it may never
   * have had one.
   */
  takenAwayAt(todo: string): Instant | undefined {
    const rules = this.rulesOf(todo)
    const given = rules.filter(({ deed, number }) => deed.rule && !this.#unsaved.has(number))
    const last = Math.max(...given.map(({ earliest }) => earliest))
    const taken = rules.filter(({ deed, at }) => deed.rule === null && at >= last)
    return given.length > 0 && taken.length > 0
      ? Math.min(...taken.map(({ earliest }) => earliest))
      : undefined
  }

  completionsOf(todo: string): Deeded[] {
    return this.#deeds.filter(({ row, deed }) => row === todo && deed.does === 'complete')
  }

  /**
   * Lists wrong refusals. A move may be refused only if the next occurrence may be on the new day or earlier, or if an earlier
   * move of the device was refused.
   */
  wronglyRefused(): string[] {
    const moves = this.#deeds.filter(({ number, deed }) => this.#refused.has(number) && deed.does === 'move')
    const isDropped = ({ row, device, number }: Deeded) =>
      moves.some((earlier) => earlier.row === row && earlier.device === device && earlier.number < number)
    return moves
      .filter((change) => !isDropped(change) && !this.#mayBeRefused(change))
      .map(({ number, row }) => `#${number} was refused, by ${this.tell(row)}`)
  }

  #effectsOf(change: Deeded): Effect[] {
    const { deed, row: todo } = change
    const isSaved = !this.#unsaved.has(change.number)
    const effect = (day: Day, does: Pick<Effect, 'settles' | 'moves'>, sure: boolean): Effect => {
      const { number, device, at, earliest } = change
      return { number, device, at, earliest, todo, day, sure: sure && isSaved, ...does }
    }
    if (deed.does === 'settle') {
      const { day, state, done_on } = deed
      return [effect(day, { settles: { state, done_on } }, true)]
    }
    if (deed.does === 'rule' || this.#refused.has(change.number)) return []
    if (deed.does === 'move' && deed.day !== undefined) {
      const { day, due_day } = deed
      return [effect(day, { moves: { moved_to: due_day === day ? null : due_day } }, true)]
    }
    const { days, ...found } = this.#found(change)
    const isCertain = found.isCertain && !this.#isUncertain
    if (isCertain && isSaved && days.size > 0) this.guessed.push({ change, days })
    const sure = isCertain && days.size === 1
    if (deed.does === 'move') {
      const { due_day } = deed
      return [...days].map((day) =>
        effect(day, { moves: { moved_to: due_day === day ? null : due_day } }, sure),
      )
    }
    if (!deed.completed) {
      return [...days].map((day) => effect(day, { settles: { state: 'open', done_on: null } }, sure))
    }
    // If the to-do was completed twice before it repeats, the first completion decides the day.
    const doneOn = sure ? [doneOnBy(deed)] : this.completionsOf(todo).map((each) => doneOnBy(each.deed))
    return [...days].flatMap((day) =>
      [...new Set(doneOn)].map((done_on) => effect(day, { settles: { state: 'done', done_on } }, sure)),
    )
  }

  /** Whether the to-do was created with a rule and always kept one, so that no client could miss that it repeats. */
  #alwaysRepeats(todo: string): boolean {
    const rules = this.rulesOf(todo)
    return rules.some(({ kind }) => kind === 'add') && rules.every(({ deed }) => deed.rule !== null)
  }

  /** The days on which a change without an occurrence may have had its effect, and whether it certainly had one. */
  #found(change: Deeded): { days: ReadonlySet<Day>; isCertain: boolean } {
    const { deed, row } = change
    const parent = this.#parents.get(row)
    const repeating = parent ?? row
    const all = this.rulesOf(repeating)
    const always = this.#alwaysRepeats(repeating)
    if (deed.does === 'complete' && !deed.completed && parent === undefined)
      return this.#foundSettled(change, always)
    const rules = deed.does === 'move' ? all.filter(({ earliest }) => earliest <= change.at) : all
    const isCertain =
      always && (deed.does !== 'move' || all.every(({ at }) => at <= change.earliest)) && rules.length > 0
    const days = new Set<Day>()
    let mayBeNone = false
    for (const {
      deed: { rule },
    } of rules) {
      if (!rule) continue
      for (const today of this.#todaysOf(change)) {
        const open = this.#openOn(rule, change, repeating, today)
        for (const day of open.days) days.add(day)
        mayBeNone ||= open.mayBeNone
      }
    }
    return { days, isCertain: isCertain && !mayBeNone }
  }

  /** Like `#found`, for a change that reopens: the occurrence that was settled last on the same day. */
  #foundSettled(change: Deeded, always: boolean): { days: ReadonlySet<Day>; isCertain: boolean } {
    const { today } = change.deed.on
    const before = this.effects.filter(
      ({ todo, settles, earliest, number }) =>
        todo === change.row && settles && number !== change.number && earliest < change.at,
    )
    const settling = before.filter(({ settles }) => settles?.state !== 'open')
    // An occurrence reopened within the same second may have been reopened by the same press.
    const reopened = before.filter(
      ({ settles, at }) => settles?.state === 'open' && at > change.earliest - 1_000,
    )
    const onToday = settling.filter(({ settles }) => settles?.done_on === today)
    const days = new Set([...onToday, ...reopened].map(({ day }) => day))
    const last = before.find((one) => before.every((other) => other === one || other.at < one.earliest))
    const later = this.effects.filter(
      ({ todo, settles, at, number }) =>
        todo === change.row && settles && number !== change.number && at >= change.earliest,
    )
    const isCertain =
      always &&
      later.length === 0 &&
      last?.sure === true &&
      last.settles?.state !== 'open' &&
      last.settles?.done_on === today &&
      last.device === change.device &&
      last.at < change.earliest
    return { days: isCertain ? new Set([last.day]) : days, isCertain }
  }

  #todaysOf({ deed, row, at, earliest }: Deeded): Day[] {
    // A to-do that is completed again before it repeats stays completed on the day of the first completion.
    if (deed.does === 'complete') {
      const all = this.#alwaysRepeats(row) ? [] : this.completionsOf(row)
      return [...new Set([deed.on.today, ...all.map((each) => doneOnBy(each.deed))])]
    }
    const days = this.#calendars.flatMap((calendar) => [dayIn(at, calendar), dayIn(earliest, calendar)])
    return [...new Set(days)]
  }

  /** The occurrences that may have been open for a change, given what other changes may have settled before. */
  #openOn(
    rule: RepeatRule,
    change: Deeded,
    repeating: string,
    today: Day,
  ): { days: readonly Day[]; mayBeNone: boolean } {
    const settling = (day: Day) =>
      this.effects.filter(
        ({ todo, settles, earliest, number, ...each }) =>
          todo === repeating &&
          each.day === day &&
          settles &&
          settles.state !== 'open' &&
          number !== change.number &&
          earliest < change.at,
      )
    const isSurely = (day: Day) => this.#isSurelySettled(repeating, day, change)
    const days: Day[] = []
    if (rule.mode === 'due') {
      const series = daysOfRule(rule)
      const latest = series.findLastIndex((day) => day <= today)
      for (const day of series.slice(Math.max(0, latest))) {
        if (!isSurely(day)) days.push(day)
        if (settling(day).length === 0) return { days, mayBeNone: false }
      }
      return { days, mayBeNone: true }
    }
    let mayBeNone = rule.times !== undefined
    const reached = new Set<Day>([rule.from])
    for (const day of reached) {
      if (rule.until !== undefined && day > rule.until) {
        mayBeNone = true
        continue
      }
      if (!isSurely(day)) days.push(day)
      for (const { settles } of settling(day)) reached.add(comesBack(rule, day, settles?.done_on ?? day))
    }
    return { days, mayBeNone }
  }

  /** Whether the occurrence was certainly settled before the change: by the same device, with nothing changed since. */
  #isSurelySettled(todo: string, day: Day, change: Deeded): boolean {
    const own = this.effects.filter((each) => each.todo === todo && each.day === day && each.settles)
    const last = own.find((one) => own.every((other) => other === one || other.at < one.earliest))
    return (
      last?.sure === true &&
      last.settles?.state !== 'open' &&
      // Changes to different rows arrive in any order.
      todo === change.row &&
      last.device === change.device &&
      last.number < change.number &&
      // Two effects in the same second may come from the same press.
      last.at < change.earliest - 1_000
    )
  }

  #mayBeRefused(change: Deeded): boolean {
    const { deed, row } = change
    if (deed.does !== 'move' || deed.due_day === null) return false
    const { due_day } = deed
    return this.rulesOf(row).some(({ deed: { rule } }) => {
      if (rule?.mode !== 'due') return false
      return this.#todaysOf(change).some((today) => {
        const [first] = deed.day === undefined ? this.#openOn(rule, change, row, today).days : [deed.day]
        const next = first && daysOfRule(rule).find((day) => day > first)
        return next !== undefined && due_day >= next
      })
    })
  }
}

function doneOnBy(deed: Deed): Day {
  return (deed.does === 'complete' && deed.done_on) || deed.on.today
}

function mayBeSettledSo(row: StoredDay | undefined, effects: readonly Effect[]): boolean {
  const settling = effects.filter(({ settles }) => settles)
  const sure = settling.filter((each) => each.sure)
  if (!row || row.changed_at === 0) return sure.length === 0
  return settling.some(
    (one) =>
      one.settles?.state === row.state &&
      one.settles.done_on === row.done_on &&
      one.earliest <= row.changed_at &&
      row.changed_at <= one.at &&
      !sure.some((other) => beats(other, one)),
  )
}

function mayBeMovedSo(row: StoredDay | undefined, effects: readonly Effect[]): boolean {
  const moving = effects.filter(({ moves }) => moves)
  const sure = moving.filter((each) => each.sure)
  if (!row || row.moved_at === 0) return sure.length === 0
  return moving.some(
    (one) =>
      one.moves?.moved_to === row.moved_to &&
      one.earliest <= row.moved_at &&
      row.moved_at <= one.at &&
      !sure.some((other) => other.earliest > one.at),
  )
}

/**
 * Whether one effect certainly replaces another. At the same instant, done beats skipped beats open, and the later day of
 * completion wins.
 */
function beats(one: Effect, other: Effect): boolean {
  if (one.earliest > other.at) return true
  const isSameInstant = new Set([one.at, one.earliest, other.at, other.earliest]).size === 1
  return isSameInstant && strength(one) > strength(other)
}

function strength({ settles }: Effect): string {
  const did = { open: 0, skipped: 1, done: 2 }[settles?.state ?? 'open']
  return `${did} ${settles?.done_on ?? ''}`
}

/** Lists to-dos whose shown state does not follow from the stored occurrences, by the person's day. */
function wronglyShown({ days, todos, calendar, now }: End, history: History): string[] {
  const today = dayIn(now, calendar)
  const stored = (todo: string): Settled[] => days.filter(({ todo_id }) => todo_id === todo)
  const shown = new Map(todos.map((todo) => [todo.id, todo]))
  return todos.flatMap((todo) => {
    const rules = history.rulesOf(todo.parent_id ?? todo.id)
    const rule = rules.find(({ deed }) =>
      sameRule(deed.rule, (shown.get(todo.parent_id ?? '') ?? todo).repeat),
    )?.deed.rule
    if (!rule) return todo.parent_id === null ? wronglyCompleted(todo, history) : []
    const due = dueBy(rule, stored(todo.parent_id ?? todo.id), today)
    const is = { due: todo.due_day, missed: todo.missed, completed: todo.completed }
    const below = stored(todo.id).find(({ day }) => day === due.open)
    const expected =
      todo.parent_id === null
        ? { due: due.due ?? null, missed: due.missed, completed: due.open ? 0 : 1 }
        : { ...is, completed: due.open && below?.state !== 'done' ? 0 : 1 }
    if (JSON.stringify(is) === JSON.stringify(expected)) return []
    return [
      `${todo.id} shows ${JSON.stringify(is)} on ${today}, not ${JSON.stringify(expected)}, by ${history.tell(todo.id)}`,
    ]
  })
}

/**
 * Taking a to-do's repeat away opens it, so only a later completion completes it. Taking it away again, on a device that did
 * not know, does not open it again.
 */
function wronglyCompleted({ id, completed, completed_at }: Todo, history: History): string[] {
  const since = history.takenAwayAt(id)
  if (!completed || since === undefined) return []
  const mayBe = history
    .completionsOf(id)
    .some(({ deed, at }) => deed.does === 'complete' && deed.completed && at >= since)
  if (mayBe) return []
  const at = completed_at && instantFromWire(completed_at)
  return [`${id} is completed at ${at}, though its repeat was taken away at ${since}, by ${history.tell(id)}`]
}

function sameRule(one: object | null, other: object | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function keyOf(todo: string, day: Day): string {
  return `${todo} ${day}`
}
