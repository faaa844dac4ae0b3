import type { Priority } from '../todo-row.ts'

/** Three bars, filled up to the priority. Does not rely on colour. */
export function PrioritySign({ priority }: { priority: Priority }) {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className="size-3 shrink-0 fill-ink-2">
      {[1, 2, 3].map((step) => (
        <rect
          key={step}
          x={step * 4.5 - 4.5}
          y={12 - step * 4}
          width="3"
          height={step * 4}
          rx="0.75"
          className={step > priority ? 'fill-heat-0 forced-colors:hidden' : undefined}
        />
      ))}
    </svg>
  )
}

export const priorityNames = ['None', 'Low', 'Medium', 'High'] as const satisfies Record<Priority, string>
