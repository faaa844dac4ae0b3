// Tracks whether anything is under way that will still change the page: a request, a part being fetched, a change being
// stored. The page shows this as `data-activity` on its root element, from its first byte on (index.html). Programs that
// drive the page for people, and our tests, wait until the attribute is gone instead of guessing how long things take.

const root = globalThis.document?.documentElement
let underWay = 0
/** Functions that wait until nothing is under way. They show as activity to the outside, but do not hold up each other. */
const waiting = new Set<() => void>()
let looking = false

// A hidden page no longer paints, so check again when the visibility changes.
root?.ownerDocument.addEventListener('visibilitychange', () => {
  looking = false
  look()
})

/** Counts `work` as under way until it settles. */
export function duringActivity<Result>(work: Promise<Result>): Promise<Result> {
  count(1)
  return work.finally(() => inLaterTurn(() => count(-1)))
}

/**
 * Runs `work` once nothing is under way and the page is drawn. Earlier, anything that `work` fetches would compete with what
 * somebody is waiting for. `atMost`: the most milliseconds to wait, in case a server does not respond.
 */
export function onceQuiet(work: () => void, atMost = 2_000): void {
  if (!root) {
    // Outside a page nothing is drawn, so there is nothing to wait for.
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

/** What `afterPaint` waits with, in order. */
let afterwards: (() => void)[] = []

// Always listening, since adding and removing the listeners would cost each letter somebody types. A page that is left gets
// 'pagehide' first, and becomes hidden only then.
for (const type of ['keydown', 'pointerdown', 'visibilitychange', 'pagehide']) {
  root && window.addEventListener(type, runAfterwards, true)
}

/**
 * Runs `work` once what the page shows now is painted, so that the answer to a press does not wait for it. A further press, or the
 * end of the page, runs it before anything else happens.
 */
export function afterPaint(work: () => void): void {
  if (!root) {
    work()
    return
  }
  afterwards.push(work)
  if (afterwards.length > 1) return
  count(1)
  whenDrawn(runAfterwards)
}

function runAfterwards(): void {
  if (afterwards.length === 0) return
  const works = afterwards
  afterwards = []
  // One after the other, still before the press that interrupts: if one of them fails, the others run.
  for (const work of works) queueMicrotask(work)
  inLaterTurn(() => count(-1))
}

function count(more: number): void {
  underWay += more
  say()
  look()
}

function say(): void {
  root?.toggleAttribute('data-activity', underWay + waiting.size > 0)
}

/** Checks for quiet after the next paint: the work that just ended is painted first, and may start more work. */
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
  // Browsers report an intersection as the last step of a frame. Timers and animation frames would stand still while a test
  // stops the clock.
  const painted = new IntersectionObserver(() => {
    painted.disconnect()
    inLaterTurn(work)
  })
  painted.observe(document.documentElement)
}

/**
 * Runs `work` in a later turn of the event loop, when the results of finished work are drawn and may have started more work. Uses
 * a message, because messages arrive even while a test stops the clock.
 */
function inLaterTurn(work: () => void): void {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    // An open port is never garbage-collected.
    port1.close()
    work()
  }
  port2.postMessage(0)
}
