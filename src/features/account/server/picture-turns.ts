// A picture takes a thread and memory that everybody shares, so they are made one at a time. Each person has one place in
// line: however many pictures somebody sends, others wait for one of them at most.

interface Waiting<Made> {
  make(): Promise<Made>
  answer(made: Promise<Made> | NotMade): void
}

/** Why a picture was not made: its person sent another one before its turn, or too many people are waiting. */
export type NotMade = 'replaced' | 'busy'

export type InTurn<Made> = (user: string, make: () => Promise<Made>) => Promise<Made | NotMade>

/** Runs `make` of many people one after another, by turns. `mostWaiting`: people who may wait at the same time. */
export function createPictureTurns<Made>(mostWaiting: number): InTurn<Made> {
  /** The next one first. */
  const waiting = new Map<string, Waiting<Made>>()
  let running = false

  async function runAll(): Promise<void> {
    running = true
    for (let next = takeNext(); next; next = takeNext()) {
      const made = next.make()
      next.answer(made)
      await made.catch(() => {})
      moveToEnd(next.user)
    }
    running = false
  }

  function takeNext(): (Waiting<Made> & { user: string }) | undefined {
    const [first] = waiting
    if (!first) return undefined
    const [user, next] = first
    waiting.delete(user)
    return { user, ...next }
  }

  /** Whoever has just had a turn goes behind those who have not. */
  function moveToEnd(user: string): void {
    const another = waiting.get(user)
    if (!another) return
    waiting.delete(user)
    waiting.set(user, another)
  }

  return (user, make) =>
    new Promise((answer) => {
      const earlier = waiting.get(user)
      if (!earlier && waiting.size >= mostWaiting) return answer('busy')
      earlier?.answer('replaced')
      waiting.set(user, { make, answer })
      if (!running) void runAll()
    })
}
