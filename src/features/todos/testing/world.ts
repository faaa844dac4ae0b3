import { type Day, daySchema, type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { Collection } from '#platform/sync/collections/collection.ts'
import { createOverlay } from '#platform/sync/collections/overlay.ts'
import {
  type AnyWrite,
  describeWrite,
  type QueueWrite,
  type Write,
} from '#platform/sync/collections/write.ts'
import { deviceTimeOf, timestampsInOrder } from '#platform/sync/local-store/change-timestamp.ts'
import {
  type NewQueuedWrite,
  newQueuedWrite,
  type QueuedWrite,
} from '#platform/sync/local-store/queued-write.ts'
import { sentVars } from '#platform/sync/outbox/sent-writes.ts'
import { ChangeHistory, type Direction } from '#platform/sync/undo/change-history.ts'
import { learnInstants } from '#platform/sync/undo/own-instants.ts'
import { planUndo, type UndoPlan } from '#platform/sync/undo/plan-undo.ts'
import { tagWrites } from '../tags/web/tag-writes.ts'
import type { Todo } from '../todo/todo.ts'
import { todoCollection, todoWrites } from '../todo/web/todo-queries.ts'
import { undoableTodos } from '../todo/web/undo-todos.ts'
import { MergingTodos } from './merging-todos.ts'

export const today: Day = daySchema.parse('2026-11-25')
export const calendar = { timeZone: 'Europe/Berlin', dayStart: 0 }
const writes = new Map<string, AnyWrite>([...todoWrites, ...tagWrites].map((write) => [write.name, write]))

/** Simulates a device with its queue, and a server that merges changes. */
export class World {
  readonly account = 'ada'
  readonly writes = writes
  readonly changes = new ChangeHistory()
  /** The rows that the device last read from the server. */
  base: readonly Todo[]
  queue: readonly QueuedWrite[] = []
  now = Date.UTC(2026, 10, 25, 12)
  readonly #server: MergingTodos
  /** Changes that other devices made offline and have not sent yet. */
  #heldBack: { write: AnyWrite; vars: unknown; at: Instant }[] = []
  /** The last instant that was given to a write. */
  #last = 0
  #ids = 100

  constructor(rows: readonly Todo[]) {
    this.#server = new MergingTodos(rows)
    this.base = rows
  }

  get server(): readonly Todo[] {
    return this.#server.visible
  }

  get outbox() {
    return { stored: this.queue }
  }

  get shown(): readonly Todo[] {
    return createOverlay(todoCollection, writes)(this.base, this.queue)
  }

  rowsOf<Row>(collection: Collection<Row>): readonly Row[] {
    return createOverlay(collection, writes)(collection.rows({ todos: this.base }), this.queue)
  }

  newId = (): string => {
    this.#ids += 1
    return idOf(this.#ids)
  }

  at(): string {
    this.now += 1_000
    return instantToWire(this.now)
  }

  async act(doIt: (write: QueueWrite) => void): Promise<void> {
    doIt((write, vars) => {
      const made = newQueuedWrite(this.account, this.describe(write, vars))
      const recorded = { write, vars, base: this.base, queued: this.queue, made }
      const stored = this.queueMade(made)
      this.changes.record(recorded, stored)
      return stored
    })
    // Whatever follows is a separate change.
    await Promise.resolve()
    this.#learn()
  }

  describe<Row, Vars>(write: Write<Row, Vars>, vars: Vars) {
    return describeWrite(write, vars, {
      ahead: 0,
      guess: { ahead: 0, since: 0, page: '' },
      after: undefined,
    })
  }

  queueMade(made: NewQueuedWrite): Promise<boolean> {
    // Like the real store: no two writes get the same instant.
    const { writes } = timestampsInOrder(this.#last, [made])
    this.#last = Math.max(this.#last, ...writes.map(({ at = 0 }) => at))
    this.queue = [...this.queue, ...writes.map((write) => ({ ...write, seq: this.#last }))]
    return Promise.resolve(true)
  }

  async undoOrRedo(direction: Direction): Promise<UndoPlan | undefined> {
    const change = this.changes.next(direction)
    if (!change) return undefined
    this.now += 1_000
    const moment = { now: this.now, ...calendar }
    const plan = planUndo(this, [undoableTodos], { change, direction, moment })
    this.changes.turn(direction, change)
    await plan.run()
    this.#learn()
    return plan
  }

  /** Sends the queued writes, and reads the state of the server. */
  sync(): void {
    for (const each of this.queue) {
      this.#server.take(declared({ name: each.write }), sentVars(each), each.at ?? 0)
    }
    this.queue = []
    this.base = this.server
  }

  /** Another device changes something, and this device reads the change at once. */
  elsewhere: QueueWrite = (write, vars) => {
    this.#server.take(declared(write), vars, deviceTimeOf(vars) ?? 0)
    this.base = this.server
    return Promise.resolve(true)
  }

  /** Another offline device changes something, which nobody sees until `arrive` is called. */
  offlineElsewhere: QueueWrite = (write, vars) => {
    this.#heldBack.push({ write: declared(write), vars, at: deviceTimeOf(vars) ?? 0 })
    return Promise.resolve(true)
  }

  /** The changes that other devices made offline reach the server. */
  arrive(): void {
    for (const { write, vars, at } of this.#heldBack.splice(0)) this.#server.take(write, vars, at)
    this.base = this.server
  }

  #learn(): void {
    learnInstants(this.changes.own(), this.queue)
  }
}

function declared({ name }: { name: string }): AnyWrite {
  const write = writes.get(name)
  if (!write) throw new Error(`No ${name}`)
  return write
}

/** The id of a row, from a number that a test can name. */
export function idOf(number: number): string {
  return `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
}
