// Whether something is under way that will still change the page: a request, a part being fetched, a change being stored.

let underWay = 0
const listeners = new Set<() => void>()

/** Counts `work` as under way until it has ended, either way. */
export function duringActivity<Result>(work: Promise<Result>): Promise<Result> {
  underWay += 1
  if (underWay === 1) notify()
  return work.finally(() => {
    underWay -= 1
    if (underWay === 0) notify()
  })
}

const isActive = () => underWay > 0

/**
 * Shows it on the root of the page from now on, as `data-activity`: 'some' or 'none'. Programs that drive the page for
 * people, and our tests, wait for 'none', where they would have to guess how long something takes.
 */
export function showActivity(root: HTMLElement): void {
  const { port1, port2 } = new MessageChannel()
  let turns = 0
  // What has ended is drawn a turn later, and may begin something else then.
  port1.onmessage = () => {
    if (isActive()) return
    turns += 1
    if (turns < 3) port2.postMessage(undefined)
    else root.dataset.activity = 'none'
  }
  const show = () => {
    turns = 0
    if (isActive()) root.dataset.activity = 'some'
    else port2.postMessage(undefined)
  }
  listeners.add(show)
  show()
}

function notify(): void {
  for (const listener of listeners) listener()
}
