import { useRef, useState } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import { longDay } from '#platform/format/format-day.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { DatePicker } from './date-picker.tsx'

interface DayFieldProps {
  label: string
  value: Day | null
  today: Day
  /** The text while no day is chosen, and the label of the button that removes the day. If left out, a day has to be chosen. */
  none?: string
  onChange(day: Day | null): void
}

/** A field for a day: a button that shows the day and opens a calendar. */
export function DayField({ label, value, today, none, onChange }: DayFieldProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const words = value === null ? (none ?? '') : longDay(value, today)
  return (
    <div>
      <p aria-hidden="true" className="mb-2 text-control font-medium text-ink">
        {label}
      </p>
      <Button
        ref={button}
        variant="secondary"
        aria-label={`${label}: ${words}`}
        onClick={() => setOpen(true)}
        className="w-full justify-start px-[11px] text-body font-normal"
      >
        {words}
      </Button>
      {button.current && (
        <DatePicker
          open={open}
          onClose={() => setOpen(false)}
          label={label}
          anchor={button.current}
          value={value === null ? null : { day: value, time: null }}
          onChange={(chosen) => onChange(chosen?.day ?? null)}
          time="none"
          {...(none !== undefined && { noneLabel: none })}
        />
      )}
    </div>
  )
}
