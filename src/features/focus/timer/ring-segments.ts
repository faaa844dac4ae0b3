/** One segment of the ring: `start` and `span` are in radians, clockwise from the top. */
export interface Segment {
  /** When in the phase it begins, and how long it is. */
  second: number
  seconds: number
  start: number
  span: number
}

interface Segments {
  segments: Segment[]
  stroke: number
  radius: number
}

/** The ring is drawn in a square of this width. */
const size = 332

/** Up to an hour each minute has its segment; beyond, there would be no room between them. */
const longestByMinute = 60

/** The minutes that one segment stands for in a phase of this length. */
export function minutesPerSegment(minutes: number): number {
  return minutes > longestByMinute ? 5 : 1
}

/** How a phase of so many minutes divides the ring. Of a length that 5 does not divide, the last segment is shorter. */
export function segmentsOf(minutes: number): Segments {
  const { stroke, gap } = measures(minutes)
  const radius = (size - stroke) / 2
  const each = minutesPerSegment(minutes)
  const turn = (2 * Math.PI) / minutes
  // A rounded end adds half a stroke at either end of a segment.
  const around = (gap + stroke) / radius
  const segments = Array.from({ length: Math.ceil(minutes / each) }, (_, place) => {
    const minute = place * each
    const length = Math.min(each, minutes - minute)
    return {
      second: minute * 60,
      seconds: length * 60,
      start: minute * turn + around / 2,
      // Where there is no room left it is a dot.
      span: Math.max(dot, length * turn - around),
    }
  })
  return { segments, stroke, radius }
}

const dot = 0.001

function measures(minutes: number): { stroke: number; gap: number } {
  if (minutes <= 30) return { stroke: 11, gap: 10.5 }
  return { stroke: 9, gap: minutes === longestByMinute ? 4 : 5 }
}

/** A turn of what counts up. */
export const hourSegments = segmentsOf(60)
