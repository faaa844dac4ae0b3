/** One segment of the ring: `start` and `span` are in radians, clockwise from the top. */
export interface Segment {
  /** The seconds from the start of the phase at which the segment begins. */
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

/** The width of the square in which the ring is drawn, in SVG units. */
export const size = 332

/** Minutes. Up to this length every minute has a segment; in longer phases there would be no room for gaps. */
const longestByMinute = 60

/** The minutes per segment in a phase of this length. */
export function minutesPerSegment(minutes: number): number {
  return minutes > longestByMinute ? 5 : 1
}

/** Divides the ring for a phase of this many minutes. If the segments do not divide it evenly, the last one is shorter. */
export function segmentsOf(minutes: number): Segments {
  const { stroke, gap } = measures(minutes)
  const radius = (size - stroke) / 2
  const each = minutesPerSegment(minutes)
  const turn = (2 * Math.PI) / minutes
  // A rounded cap adds half a stroke at each end of a segment.
  const around = (gap + stroke) / radius
  const segments = Array.from({ length: Math.ceil(minutes / each) }, (_, place) => {
    const minute = place * each
    const length = Math.min(each, minutes - minute)
    return {
      second: minute * 60,
      seconds: length * 60,
      start: minute * turn + around / 2,
      // A segment without enough room is drawn as a dot.
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

/** The segments of one hour of counting up. */
export const hourSegments = segmentsOf(60)
