import { editTodo, todoCollection } from '#features/todos/todo/web/todo-queries.ts'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import { moveAfter } from '#platform/order/move.ts'
import { byPosition, longestPosition, type Placed } from '#platform/order/position.ts'
import type { Application } from '../application.ts'

// Several devices of one person move the same to-dos while some of them are offline. The server, its database, and the rules of
// order are real.

type Ask = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>

/** The rules that devices follow. A test can plant a fault in one of them. */
export interface OrderRules {
  moveAfter: typeof moveAfter
  /** Sorts the rows as a device shows them; `shown` is the order in which it showed them last. */
  sort(rows: readonly Placed[], shown: readonly string[]): Placed[]
}

export const orderRules: OrderRules = { moveAfter, sort: (rows) => rows.toSorted(byPosition) }

interface PlayedMoves {
  /** The final order on each device and on the server. */
  orders: string[][]
  /** The number of rows that each move wrote, leaving out moves to the place where the row already was. */
  written: number[]
  /** The length of the longest position that a device made, and of the longest that the server has at the end. */
  longest: { made: number; stored: number }
  /** The number of moves after which the device showed the row somewhere else than where it was dropped. */
  misplaced: number
}

export interface Parts {
  daymark: Application
  cookie: string
  devices: number
  todos: number
  moves: number
  /** Advances the clock of the server and of the devices by milliseconds, and returns the time. */
  pass(milliseconds: number): Instant
  /** A random integer from 0 to below `limit`. */
  below(limit: number): number
  rules?: OrderRules
  /**
   * Whether every move goes right below the first row. The gap there keeps shrinking, as if hundreds of moves had gone into it
   * before.
   */
  intoOneGap?: boolean
}

/**
 * The positions on both sides of a gap that was used very often: any position between them is too long to be stored unchanged.
 */
const wornGap = ['a0', `a0${'0'.repeat(longestPosition - 3)}1`]

export async function playMoves({
  daymark,
  cookie,
  moves,
  pass,
  below,
  rules = orderRules,
  intoOneGap = false,
  ...sizes
}: Parts): Promise<PlayedMoves> {
  const ask: Ask = (method, path, body) => daymark.ask(method, path, { cookie, body })
  for (let number = 0; number < sizes.todos; number++) {
    // Some tasks are created in the same millisecond.
    pass(below(3))
    await ask('POST', '/api/todos', { title: `Task ${number}` })
  }
  const devices = Array.from({ length: sizes.devices }, () => new MovingDevice(ask, rules))
  for (const device of devices) await device.connect()
  if (intoOneGap) {
    for (const [place, position] of wornGap.entries()) await devices[0]?.put(place, position, pass(1))
    for (const device of devices) await device.connect()
  }

  const written: number[] = []
  let misplaced = 0
  const move = async (device: MovingDevice, id: string, above: string | undefined, now: Instant) => {
    const rows = await device.move(id, above, now)
    if (rows > 0) written.push(rows)
    const after = device.order
    if (after[after.indexOf(id) - 1] !== above) misplaced++
    if (device.online) await device.connect()
  }

  // Two offline devices each move a row to the same place. Do that twice, and then separate the first two rows.
  const [first = '', second = '', ...others] = devices[0]?.order ?? []
  for (const place of intoOneGap ? [] : [first, second]) {
    for (const device of devices.slice(0, 2)) {
      device.disconnect()
      await move(device, others.pop() ?? '', place, pass(1))
    }
    for (const device of devices) await device.connect()
  }
  const last = devices.at(-1)
  if (last && !intoOneGap)
    await move(last, others.pop() ?? '', last.order[last.order.indexOf(first) + 1], pass(1))

  for (let made = 0; made < moves; made++) {
    const now = pass(1 + below(60_000))
    const device = devices[below(devices.length)]
    if (!device) continue
    if (below(12) === 0) await (device.online ? device.disconnect() : device.connect())
    const order = device.order
    const id = order[below(order.length)] ?? ''
    const above = intoOneGap ? order[0] : [undefined, ...order][below(order.length + 1)]
    if (above !== id) await move(device, id, above, now)
  }

  // Twice, since the other devices see a device's unsent moves only after it has sent them.
  for (const device of devices) await device.connect()
  for (const device of devices) await device.connect()
  const server = new MovingDevice(ask, orderRules)
  await server.connect()
  return {
    orders: [...devices, server].map(({ order }) => order),
    written,
    longest: { made: Math.max(...devices.map(({ longest }) => longest)), stored: server.longest },
    misplaced,
  }
}

/** A browser with a person's to-dos, and with moves that it has not sent yet. */
class MovingDevice {
  online = true
  longest = 0
  /** The ids in the order shown, from the top. */
  order: string[] = []
  #rows: ReturnType<typeof todoCollection.rows> = []
  #unsent: { id: string; position: string; at: Instant }[] = []
  #ask: Ask
  #rules: OrderRules

  constructor(ask: Ask, rules: OrderRules) {
    this.#ask = ask
    this.#rules = rules
  }

  disconnect() {
    this.online = false
  }

  /** Sends the unsent moves, and reads the rows. */
  async connect() {
    this.online = true
    for (const { id, position, at } of this.#unsent.splice(0)) {
      const { path, method, body } = editTodo.request({
        id,
        changes: { position },
        title: '',
        at: instantToWire(at),
      })
      const { status } = await this.#ask(method, path, body)
      if (status !== 200) throw new Error(`The server answered ${status} to a move`)
    }
    this.#rows = todoCollection.rows(
      (await this.#ask('GET', todoCollection.readPath ?? todoCollection.path)).body,
    )
    this.#show()
  }

  /** Gives the row at a place another position, without moving it. */
  async put(place: number, position: string, at: Instant): Promise<void> {
    const id = this.order[place]
    if (id !== undefined) this.#unsent.push({ id, position, at })
    await this.connect()
  }

  /** Moves a row below another one. Resolves with the number of rows written. */
  async move(id: string, above: string | undefined, at: Instant): Promise<number> {
    const moves = this.#rules.moveAfter(this.#rows, id, above)
    for (const move of moves) {
      const vars = { id: move.id, changes: { position: move.position }, title: '', at: instantToWire(at) }
      this.#rows = editTodo.apply(this.#rows, vars)
      this.#unsent.push({ ...move, at })
    }
    this.#show()
    return moves.length
  }

  #show() {
    this.order = this.#rules.sort(this.#rows, this.order).map(({ id }) => id)
    this.longest = Math.max(this.longest, ...this.#rows.map(({ position }) => position.length))
  }
}
