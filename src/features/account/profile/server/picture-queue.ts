// Converting a picture takes a thread and memory that everybody shares, so pictures are converted one at a time. Each person has
// one place in the queue: however many pictures somebody sends, others wait for at most one of them.

interface QueuedPicture<Made> {
  make(): Promise<Made>
  resolve(made: Promise<Made> | NotMade): void
}

/**
 * Why a picture was not converted. 'replaced': the person sent another one before it was its turn. 'busy': too many people are
 * waiting.
 */
export type NotMade = 'replaced' | 'busy'

export type Enqueue<Made> = (user: string, make: () => Promise<Made>) => Promise<Made | NotMade>

/** Runs one `make` at a time, and lets users take turns. `maxWaiting` limits how many users may wait at once. */
export function createPictureQueue<Made>(maxWaiting: number): Enqueue<Made> {
  /** Pictures by user, the next one first. */
  const queue = new Map<string, QueuedPicture<Made>>()
  let running = false

  async function runAll(): Promise<void> {
    running = true
    for (let next = dequeue(); next; next = dequeue()) {
      const made = next.make()
      next.resolve(made)
      await made.catch(() => {})
      moveToEnd(next.user)
    }
    running = false
  }

  function dequeue(): (QueuedPicture<Made> & { user: string }) | undefined {
    const [first] = queue
    if (!first) return undefined
    const [user, next] = first
    queue.delete(user)
    return { user, ...next }
  }

  /** Moves a user who has just had a turn behind those who are still waiting. */
  function moveToEnd(user: string): void {
    const queued = queue.get(user)
    if (!queued) return
    queue.delete(user)
    queue.set(user, queued)
  }

  return (user, make) =>
    new Promise((resolve) => {
      const earlier = queue.get(user)
      if (!earlier && queue.size >= maxWaiting) return resolve('busy')
      earlier?.resolve('replaced')
      queue.set(user, { make, resolve })
      if (!running) void runAll()
    })
}
