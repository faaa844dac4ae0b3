import { useId, useRef } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { shortDay } from '#platform/format/short-day.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'

interface MissedListProps {
  /** The missed days that can be settled here, oldest first. */
  missed: readonly Day[]
  /** How many occurrences were missed before the days in `missed`. */
  earlier: number
  today: Day
  onSettle(day: Day, state: 'done' | 'skipped'): void
}

/** The most days listed. Others are only counted. */
const mostListed = 10

/** The occurrences of a task that nobody has settled, the latest first. Each can still be completed or skipped. */
export function MissedList({ missed, earlier, today, onSettle }: MissedListProps) {
  const heading = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const listed = missed.toReversed().slice(0, mostListed)
  const more = missed.length - listed.length + earlier
  const settle = (day: Day, state: 'done' | 'skipped') => {
    const place = listed.indexOf(day)
    const boxes = [...(list.current?.querySelectorAll<HTMLElement>('input') ?? [])]
    // Move the focus before the row disappears: to the next row, or to the previous one.
    const next = boxes[place + 1] ?? boxes[place - 1] ?? title.current
    next?.focus()
    onSettle(day, state)
  }
  return (
    <section aria-labelledby={heading} className="mt-6">
      <h3 id={heading} ref={title} tabIndex={-1} className="font-medium text-control text-ink-2 outline-none">
        Missed <span className="font-normal text-ink-3">{integerFormat.format(missed.length + earlier)}</span>
      </h3>
      <ul ref={list} aria-labelledby={heading} className="mt-1 [list-style-type:''] empty:hidden">
        {listed.map((day) => (
          <li key={day} className="flex min-h-9 items-center gap-3 pointer-coarse:min-h-11">
            <Checkbox
              aria-label={`Complete ${shortDay(day, today)}`}
              checked={false}
              onChange={() => settle(day, 'done')}
            />
            <span className="min-w-0 grow text-control text-ink">{shortDay(day, today)}</span>
            <Button
              variant="quiet"
              aria-label={`Skip ${shortDay(day, today)}`}
              onClick={() => settle(day, 'skipped')}
              className="min-h-8 px-2.5 py-1"
            >
              Skip
            </Button>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className="mt-1 text-control text-ink-3">
          {integerFormat.format(more)} {listed.length > 0 ? 'more before that' : 'of long ago'}, in the
          history
        </p>
      )}
    </section>
  )
}
