import { cn } from '#platform/ui/class-names.ts'
import { rowColumns } from './habit-list-row.tsx'

// The widths of a name and a description in px, and the opacity of the row, which fades further down.
const rows = [
  { name: 112, description: 216, strength: 'opacity-100' },
  { name: 136, description: 168, strength: 'opacity-85' },
  { name: 148, description: 184, strength: 'opacity-70' },
  { name: 80, description: 208, strength: 'opacity-55' },
  { name: 176, description: 152, strength: 'opacity-40' },
  { name: 140, description: 120, strength: 'opacity-25' },
]

/** Placeholders in the places where the rows will appear. */
export function HabitSkeleton() {
  return (
    <div className="@container text-body">
      <p role="status" className="sr-only">
        Loading...
      </p>
      {rows.map(({ name, description, strength }) => (
        <div
          key={name}
          aria-hidden="true"
          className={cn(
            'grid h-[calc(2.75rem+16px)] items-center',
            rowColumns,
            '@max-[40em]:h-[calc(2.75rem+68px)] @max-[40em]:grid-rows-[2.75rem_44px] @max-[40em]:gap-y-1 @max-[40em]:pt-3 @max-[40em]:pb-2',
            strength,
          )}
        >
          <span className="size-5 rounded-box bg-heat-0" />
          <span className="h-11 min-w-0 pr-3">
            <span className="flex h-6 items-center gap-2">
              <span className="h-3.5 shrink rounded-box bg-heat-0" style={{ width: name }} />
              <span className="h-5 w-11 shrink-0 rounded-box bg-heat-0" />
            </span>
            <span
              className="mt-[5px] block h-2.5 max-w-full rounded-box bg-heat-0"
              style={{ width: description }}
            />
          </span>
          <span className="col-start-4 flex justify-between px-1.5 @max-[40em]:col-start-1 @max-[40em]:order-last @max-[40em]:col-span-full @max-[40em]:px-0">
            {weekdays.map((day) => (
              <span key={day} className="size-5 rounded-box bg-heat-0 @max-[40em]:size-6" />
            ))}
          </span>
          <span className="h-3.5 w-14 justify-self-end rounded-box bg-heat-0" />
          <span className="h-3.5 w-9 justify-self-end rounded-box bg-heat-0 @max-[40em]:hidden" />
        </div>
      ))}
    </div>
  )
}

const weekdays = [1, 2, 3, 4, 5, 6, 7]
