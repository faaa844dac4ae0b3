import { useId, useState } from 'react'
import type { Reminder } from '#features/reminders/reminder/reminder.ts'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { useScreenServices } from '#platform/browser/screen-services.ts'
import { shortWeekdayName, weekdayName } from '#platform/format/words.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'
import { TimeField } from '#platform/ui/dates/time-field.tsx'

const everyDay: Reminder['weekdays'] = [1, 2, 3, 4, 5, 6, 7]
const nineInTheMorning = 540

interface ReminderFieldProps {
  reminder: Reminder | null
  onChange(reminder: Reminder | null): void
}

/** Chooses whether and when to be reminded of a habit: at a time on the person's own clock, on some weekdays or all. */
export function ReminderField({ reminder, onChange }: ReminderFieldProps) {
  const { weekStart } = useUserCalendar()
  // Keeps the last choice, which comes back when the box is ticked again.
  const [last, setLast] = useState<Reminder>({ time: nineInTheMorning, weekdays: everyDay })
  const shown = reminder ?? last
  const id = useId()
  const { pushPermissionNote } = useScreenServices()

  const tick = (on: boolean) => {
    if (reminder) setLast(reminder)
    onChange(on ? shown : null)
  }
  const toggle = (weekday: Reminder['weekdays'][number]) => {
    const rest = shown.weekdays.filter((other) => other !== weekday)
    const chosen = rest.length < shown.weekdays.length ? rest : [...rest, weekday].sort((a, b) => a - b)
    // The last weekday stays selected: to have no reminder, the person unticks the box.
    if (chosen.length > 0) onChange({ ...shown, weekdays: chosen })
  }

  return (
    <fieldset>
      <legend className="mb-2 font-medium text-control text-ink">
        Reminder<span className="font-normal text-ink-3"> (optional)</span>
      </legend>
      <label
        htmlFor={id}
        className="flex min-h-6 items-center gap-3 text-control text-ink pointer-coarse:min-h-11"
      >
        <Checkbox
          id={id}
          checked={reminder !== null}
          onChange={(event) => tick(event.currentTarget.checked)}
        />
        Remind me if it isn't done yet
      </label>
      {reminder && (
        <div className="mt-3 grid gap-3">
          <TimeField
            aria-label="Time"
            required
            value={shown.time}
            // While the field is empty or incomplete, the last valid time stays.
            onChange={(time) => time != null && onChange({ ...shown, time })}
            className="w-24 justify-self-start"
          />
          <fieldset
            aria-label="Days"
            // A week fits on one line down to a width of 320 px; with larger text, the days wrap and stay in columns.
            className="grid min-w-0 grid-cols-[repeat(auto-fit,minmax(1.9rem,1fr))] gap-[3px] md:gap-1"
          >
            {everyDay
              .map((_, place) => everyDay[(weekStart - 1 + place) % 7] ?? 1)
              .map((weekday) => (
                <button
                  key={weekday}
                  type="button"
                  aria-pressed={shown.weekdays.includes(weekday)}
                  onClick={() => toggle(weekday)}
                  className={cn(
                    'min-h-9 rounded-control text-control text-ink-2 ring ring-line transition-colors ring-inset hover:bg-hover pointer-coarse:min-h-11',
                    'aria-pressed:bg-hover aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:ring-accent',
                  )}
                >
                  <span aria-hidden="true">{shortWeekdayName(weekday)}</span>
                  <span className="sr-only">{weekdayName(weekday)}</span>
                </button>
              ))}
          </fieldset>
          {pushPermissionNote}
        </div>
      )}
    </fieldset>
  )
}
