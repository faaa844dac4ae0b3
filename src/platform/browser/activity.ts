// Whether something is under way that will still change the page: a request, a part being fetched, a change being stored. The page
// says so on its root, from its first byte on (index.html), as `data-activity`. Programs that drive the page for people, and our
// tests, wait until it is gone, where they would have to guess how long something takes.

const root = globalThis.document?.documentElement
let underWay = 0
/** What waits until nothing is under way. It counts as activity for others to see, but not among itself. */
const waiting = new Set<() => void>()
let looking = false

// A page that is hidden paints nothing more.
root?.ownerDocument.addEventListener('visibilitychange', () => {
  looking = false
  look()
})

/** Counts `work` as under way until it has ended, either way. */
export function duringActivity<Result>(work: Promise<Result>): Promise<Result> {
  count(1)
  return work.finally(() => inLaterTurn(() => count(-1)))
}

/**
 * Runs `work` once nothing is under way and the page is drawn: what it fetches would otherwise take the line and the processor
 * from what somebody waits for. `atMost`: in milliseconds, how long it waits for a server that does not answer.
 */
export function onceQuiet(work: () => void, atMost = 2_000): void {
  if (!root) {
    // Outside a page nothing is drawn.
    work()
    return
  }
  const run = () => {
    clearTimeout(limit)
    if (waiting.delete(run)) work()
    say()
  }
  const limit = setTimeout(run, atMost)
  waiting.add(run)
  say()
  look()
}

function count(more: number): void {
  underWay += more
  say()
  look()
}

function say(): void {
  root?.toggleAttribute('data-activity', underWay + waiting.size > 0)
}

/** What has just ended is painted first, and may begin something else. */
function look(): void {
  if (looking || underWay > 0 || waiting.size === 0) return
  looking = true
  whenDrawn(() => {
    looking = false
    if (underWay > 0) return
    for (const run of [...waiting]) run()
  })
}

function whenDrawn(work: () => void): void {
  if (document.visibilityState === 'hidden') {
    inLaterTurn(work)
    return
  }
  // Browsers report this as the last step of a frame. Timers and animation frames stand still while a test stops the clock.
  const painted = new IntersectionObserver(() => {
    painted.disconnect()
    inLaterTurn(work)
  })
  painted.observe(document.documentElement)
}

/** What has ended is drawn in a later turn, which may begin something else. A message comes also while a test stops the clock. */
function inLaterTurn(work: () => void): void {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    // A port that is open is never collected.
    port1.close()
    work()
  }
  port2.postMessage(0)
}
