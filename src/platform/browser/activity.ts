// Whether something is under way that will still change the page: a request, a part being fetched, a change being stored. The page
// says so on its root, from its first byte on (index.html), as `data-activity`. Programs that drive the page for people, and our
// tests, wait until it is gone, where they would have to guess how long something takes.

const root = globalThis.document?.documentElement
let underWay = 0

/** Counts `work` as under way until it has ended, either way. */
export function duringActivity<Result>(work: Promise<Result>): Promise<Result> {
  count(1)
  return work.finally(() => count(-1))
}

function count(more: number): void {
  underWay += more
  const show = () => root?.toggleAttribute('data-activity', underWay > 0)
  const { port1, port2 } = new MessageChannel()
  // What has ended is drawn a turn later, and may begin something else then. A message comes also while a test stops the clock.
  port1.onmessage = show
  if (more > 0) show()
  port2.postMessage(more)
}
