// Whether something is under way that will still change the page: a request, a part being fetched, a change being stored. The page
// says so on its root, from its first byte on (index.html), as `data-activity`. Programs that drive the page for people, and our
// tests, wait until it is gone, where they would have to guess how long something takes.

const root = globalThis.document?.documentElement
let underWay = 0

/** Counts `work` as under way until it has ended, either way. */
export function duringActivity<Result>(work: Promise<Result>): Promise<Result> {
  count(1)
  return work.finally(() => {
    // What has ended is drawn in a later turn, which may begin something else. A message comes also while a test stops the clock.
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      // A port that is open is never collected.
      port1.close()
      count(-1)
    }
    port2.postMessage(0)
  })
}

function count(more: number): void {
  underWay += more
  root?.toggleAttribute('data-activity', underWay > 0)
}
