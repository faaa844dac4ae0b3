// Which rows near the window are built: enough that scrolling finds them, and so few at a time that no frame is held up.

/** The rows from one index up to another, which is not among them. */
export interface Span {
  from: number
  to: number
}

/** The first and the last row in the window, of `count`. */
export interface RowsInView {
  startIndex: number
  endIndex: number
  count: number
}

/** So many rows are wanted beyond each edge of the window, so that scrolling and Tab find them. */
const beyond = 8

/** So many of these are built at once. */
const beyondAtOnce = 2

/**
 * The rows to build in this very frame, if those of `now` are built already. Rows that are left behind stay up to twice the distance
 * at which rows are wanted, so that turning back does not build them again.
 */
export function spanAtOnce(now: Span, inView: RowsInView): Span {
  const least = around(inView, beyondAtOnce)
  // After a jump, none of the rows so far are near any more.
  if (now.to < least.from || now.from > least.to) return least
  const most = around(inView, 2 * beyond)
  return { from: clamp(now.from, most.from, least.from), to: clamp(now.to, least.to, most.to) }
}

/** The rows to build in the next frame, a few closer to those wanted; undefined once exactly those are built. */
export function nearerSpan(now: Span, inView: RowsInView): Span | undefined {
  const { from, to } = spanAtOnce(now, inView)
  const wanted = around(inView, beyond)
  if (from === wanted.from && to === wanted.to) return undefined
  return { from: nearer(from, wanted.from), to: nearer(to, wanted.to) }
}

function around({ startIndex, endIndex, count }: RowsInView, rows: number): Span {
  return { from: Math.max(0, startIndex - rows), to: Math.min(count, endIndex + 1 + rows) }
}

/** A quarter of the way, which is two rows of eight: in a fast scroll, more have to come a frame than in a slow one. */
function nearer(now: number, wanted: number): number {
  const away = wanted - now
  return now + Math.sign(away) * Math.ceil(Math.abs(away) / 4)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
