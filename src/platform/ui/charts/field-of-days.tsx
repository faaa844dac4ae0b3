import { cn } from '../class-names.ts'

/** The logo's mark, drawn large. The foot of its post is as wide as the day it stands on. */
export function Beacon({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className={cn('flex flex-col items-center base:text-accent', className)}>
      <svg viewBox="0 0 184 184" fill="none" aria-hidden="true" className="relative block w-full">
        <path d="M92 14 170 92 92 170 14 92Z" stroke="currentColor" strokeWidth="28" strokeLinejoin="round" />
        <path
          d="M92 62 122 92 92 122 62 92Z"
          fill="currentColor"
          stroke="currentColor"
          strokeWidth="6"
          strokeLinejoin="round"
        />
      </svg>
      <div className="-mt-2 w-4 bg-current pb-[57.7%] [clip-path:polygon(12%_0,88%_0,100%_100%,0_100%)]" />
    </div>
  )
}

const pitch = 20
const pastColumns = 130
const futureWidth = 2600

const looks = {
  page: ['text-heat-0', 'text-heat-1', 'text-heat-2', 'text-heat-3', 'text-heat-4'],
  panel: ['opacity-10', 'opacity-20', 'opacity-35', 'opacity-55', 'opacity-85'],
}

interface FieldOfDaysProps {
  rows: number
  tone?: keyof typeof looks
  /** Positions the middle of today, the topmost day of its column. */
  className?: string
}

/** A decorative year of days: denser towards today, empty after it, and the same for everyone at every time. */
export function FieldOfDays({ rows, tone = 'page', className }: FieldOfDaysProps) {
  const height = rows * pitch
  const days = pastDays(rows)
  return (
    <svg
      width="16"
      height={height}
      aria-hidden="true"
      className={cn('-translate-x-1/2 overflow-visible fill-current stroke-current', className)}
      strokeWidth="10"
      strokeLinejoin="round"
    >
      <defs>
        <pattern id={`days-to-come-${tone}`} width={pitch} height={pitch} patternUnits="userSpaceOnUse">
          <path d={day(0, 0)} className={looks[tone][0]} />
        </pattern>
      </defs>
      {days.map((path, level) => (
        <path key={looks[tone][level]} d={path} className={looks[tone][level]} />
      ))}
      <g className="opacity-75" stroke="none">
        <rect x={pitch} width={futureWidth} height={height} fill={`url(#days-to-come-${tone})`} />
        <rect y={pitch} width={pitch} height={height - pitch} fill={`url(#days-to-come-${tone})`} />
      </g>
    </svg>
  )
}

/** Returns one path for each of the five levels. A thick round line around a small square draws a rounded day. */
function pastDays(rows: number): string[] {
  const random = seeded(20_261_120)
  const paths = ['', '', '', '', day(0, 0)]
  for (let column = -1; column >= -pastColumns; column--) {
    const kept = 0.35 + 0.63 * Math.exp(-((column / 28) ** 2))
    for (let row = 0; row < rows; row++) {
      const level = random() < kept ? 1 + Math.floor(4 * random() ** 0.8) : 0
      paths[level] += day(column, row)
    }
  }
  return paths
}

function day(column: number, row: number): string {
  return `M${column * pitch + 5} ${row * pitch + 5}h6v6h-6z`
}

/** Mulberry32: pseudorandom numbers between 0 and 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
