import { memo } from 'react'

const size = 332
const stroke = 11
const radius = (size - stroke) / 2
const minutes = Array.from({ length: 25 }, (_, minute) => minute)
const slot = (2 * Math.PI) / minutes.length
// A rounded end adds half a stroke at either end of a segment.
const cap = stroke / 2 / radius
const gap = 10.5 / radius
const from = gap / 2 + cap
const span = slot - gap - 2 * cap

/** 25 segments for 25 minutes; the elapsed part is filled, to the second. Screen readers get the time as text. */
export const Ring = memo(function Ring({ seconds, running }: { seconds: number; running: boolean }) {
  return (
    <svg viewBox={`0 0 ${size} ${size}`} fill="none" aria-hidden="true" className="size-full">
      <g strokeWidth={stroke} strokeLinecap="round">
        {minutes.map((minute) => {
          const filled = Math.min(1, Math.max(0, seconds / 60 - minute))
          const start = minute * slot + from
          return (
            <g key={minute}>
              {filled < 1 && <path d={arc(start, start + span)} className="stroke-heat-0" />}
              {filled > 0 && (
                <path
                  d={arc(start, start + span * filled)}
                  className={running ? 'stroke-amber' : 'stroke-accent'}
                />
              )}
            </g>
          )
        })}
      </g>
    </svg>
  )
})

/** Clockwise, in radians from the top. */
function arc(start: number, end: number): string {
  return `M${point(start)}A${radius} ${radius} 0 0 1 ${point(end)}`
}

function point(angle: number): string {
  const x = size / 2 + radius * Math.sin(angle)
  const y = size / 2 - radius * Math.cos(angle)
  return `${x.toFixed(2)} ${y.toFixed(2)}`
}
