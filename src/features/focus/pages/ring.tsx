import { memo } from 'react'
import { hourSegments, type Segment, segmentsOf, size } from '../timer/ring-segments.ts'

const strokes = { running: 'stroke-amber', held: 'stroke-accent', break: 'stroke-ink-3' }

interface RingProps {
  /** The length of the phase in minutes; null while the timer counts up. */
  minutes: number | null
  seconds: number
  look: keyof typeof strokes
}

/** One segment per minute, filled to the second with the time that has passed. Screen readers get the time as text. */
export const Ring = memo(function Ring({ minutes, seconds, look }: RingProps) {
  return (
    <svg viewBox={`0 0 ${size} ${size}`} fill="none" aria-hidden="true" className="size-full">
      {minutes === null ? (
        <CountingUp seconds={seconds} look={look} />
      ) : (
        <Turn {...segmentsOf(minutes)} seconds={seconds} look={look} track />
      )}
    </svg>
  )
})

/** One turn per hour. Completed hours are the full outer ring; the current hour fills an inner ring. */
function CountingUp({ seconds, look }: Pick<RingProps, 'seconds' | 'look'>) {
  const isFirstHour = seconds < 3_600
  return (
    <>
      <Turn {...hourSegments} seconds={isFirstHour ? seconds : 3_600} look={look} />
      {!isFirstHour && <Turn {...hourSegments} seconds={seconds % 3_600} look={look} inset={18} />}
    </>
  )
}

interface TurnProps extends Pick<RingProps, 'seconds' | 'look'> {
  segments: readonly Segment[]
  stroke: number
  radius: number
  /** Distance from the outer ring, inwards. */
  inset?: number
  /** Whether to also draw the part that has not passed yet. */
  track?: boolean
}

function Turn({ segments, stroke, radius, inset = 0, track = false, seconds, look }: TurnProps) {
  return (
    <g strokeWidth={stroke} strokeLinecap="round">
      {segments.map(({ second, seconds: length, start, span }) => {
        const filled = Math.min(1, Math.max(0, (seconds - second) / length))
        return (
          <g key={second}>
            {track && filled < 1 && (
              <path d={arc(radius - inset, start, start + span)} className="stroke-heat-0" />
            )}
            {filled > 0 && (
              <path d={arc(radius - inset, start, start + span * filled)} className={strokes[look]} />
            )}
          </g>
        )
      })}
    </g>
  )
}

/** The SVG path of an arc. Angles are in radians, clockwise from the top. */
function arc(radius: number, start: number, end: number): string {
  const large = end - start > Math.PI ? 1 : 0
  return `M${point(radius, start)}A${radius} ${radius} 0 ${large} 1 ${point(radius, end)}`
}

function point(radius: number, angle: number): string {
  const x = size / 2 + radius * Math.sin(angle)
  const y = size / 2 - radius * Math.cos(angle)
  return `${x.toFixed(2)} ${y.toFixed(2)}`
}
