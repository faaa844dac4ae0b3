import { cn } from '../class-names.ts'

/** The picture of an empty state: a beacon on rows of days, with today marked. Fills a box of 204 by 124 px. */
export function Beacon({ built }: { built: boolean }) {
  return (
    <svg width="204" height="124" viewBox="0 0 204 124" fill="none" aria-hidden="true" className="max-w-full">
      <path
        d="M102 1.5 132 31.5 102 61.5 72 31.5Z"
        className={built ? 'stroke-accent' : 'stroke-edge'}
        strokeWidth={built ? 3 : 2}
        strokeLinejoin="round"
        pathLength="16"
        strokeDasharray={built ? undefined : '0.62 0.38'}
        strokeDashoffset="0.31"
      />
      {built && <path d="M102 20.5 113 31.5 102 42.5 91 31.5Z" className="fill-accent" />}
      <path d="M102 62v15" className={built ? 'stroke-accent' : 'stroke-edge'} strokeWidth={built ? 3 : 2} />
      {rows.map(({ y, strength }) =>
        columns
          .filter((x) => x !== today.x || y !== today.y)
          .map((x) => (
            <rect
              key={`${x} ${y}`}
              x={x}
              y={y}
              width="12"
              height="12"
              rx="3"
              className="fill-heat-0"
              opacity={strength}
            />
          )),
      )}
      <rect
        x={today.x + 0.75}
        y={today.y + 0.75}
        width="10.5"
        height="10.5"
        rx="3"
        className={cn('stroke-accent', built ? 'fill-accent' : 'fill-raised')}
        strokeWidth="1.5"
      />
    </svg>
  )
}

const columns = Array.from({ length: 13 }, (_, column) => column * 16)
const rows = [
  { y: 79, strength: 1 },
  { y: 95, strength: 0.6 },
  { y: 111, strength: 0.3 },
]
const today = { x: 96, y: 79 }
