import { Clock, X } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { numberOrder } from '#platform/browser/device/number-order.ts'
import { usePhone } from '#platform/browser/device/phone.ts'
import type { Day } from '#platform/calendar/day.ts'
import { longDate } from '#platform/format/format-day.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { shortDay } from '#platform/format/short-day.ts'
import { english } from '#platform/language/english.ts'
import { typedDate } from '#platform/language/typed-date.ts'
import { cn } from '../class-names.ts'
import { Button } from '../controls/button.tsx'
import { BottomSheet, BottomSheetContent } from '../overlays/bottom-sheet.tsx'
import { Popover, PopoverContent } from '../overlays/popover.tsx'
import { MonthCalendar } from './month-calendar.tsx'
import { quickDays } from './quick-days.ts'
import { nineInTheMorning, TimeField } from './time-field.tsx'

/** A day in the person's own calendar, and minutes after midnight by their clock; null without a time. */
export interface PickedDate {
  day: Day
  time: number | null
}

interface DatePickerProps {
  open: boolean
  /** Called before `onChange`, and when the person leaves without a choice. */
  onClose(): void
  /** The name of the picker, such as 'Due date'. */
  label: string
  /** What the date is for; read out with the name. */
  about?: string
  /** The button that opened the picker. The picker appears beside it and returns the focus to it. */
  anchor: HTMLElement
  /** Moves the focus after closing, instead of to the `anchor`. */
  returnFocus?(chosen: boolean): void
  value: PickedDate | null
  /** Called once, with the choice; null for no date. */
  onChange(value: PickedDate | null): void
  /**
   * 'none': the person chooses a day only. 'optional': a time may be added. 'required': after a day the time is asked for,
   * nine in the morning by default.
   */
  time: 'none' | 'optional' | 'required'
  /** The label of the button that removes the date, such as 'No date'. Without it, a day has to be chosen. */
  noneLabel?: string
  /** A remark about the choice so far, such as that its time has passed. */
  note?(choice: PickedDate): ReactNode
  /** Shown instead of the time field. */
  inPlaceOfTime?: ReactNode
  /** Shown below the picker. */
  after?: ReactNode
}

/**
 * Lets a person choose a day, and optionally a time: typed ('fri', '3 dec 18:00'), by name, or in a calendar. A popover
 * beside its button; on a phone a sheet. Load it with `lazyPart`. For a time alone, use `TimeField`.
 */
export function DatePicker({
  open,
  onClose,
  label,
  about,
  anchor,
  returnFocus,
  onChange,
  ...asked
}: DatePickerProps) {
  const onPhone = usePhone()
  const chose = useRef(false)
  const aboutId = useId()
  const frame = {
    label,
    'aria-describedby': about === undefined ? undefined : aboutId,
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (returnFocus) returnFocus(chose.current)
      else anchor.focus()
      chose.current = false
    },
  }
  const root = { open, onOpenChange: (stays: boolean) => stays || onClose() }
  const choices = (
    <>
      <p id={aboutId} dir="auto" className="sr-only">
        {about}
      </p>
      <Choices
        // Text typed for one date must not carry over to another.
        key={label}
        {...asked}
        onClose={onClose}
        onChange={(value) => {
          chose.current = true
          onClose()
          onChange(value)
        }}
      />
    </>
  )
  return onPhone ? (
    <BottomSheet {...root}>
      <BottomSheetContent {...frame}>{choices}</BottomSheetContent>
    </BottomSheet>
  ) : (
    <Popover {...root}>
      <PopoverContent {...frame} anchor={anchor} className="w-[17.75rem]">
        {choices}
      </PopoverContent>
    </Popover>
  )
}

type ChoicesProps = Omit<DatePickerProps, 'open' | 'label' | 'about' | 'anchor' | 'returnFocus'>

function Choices({
  value,
  onChange,
  onClose,
  time: asksForTime,
  noneLabel,
  note,
  inPlaceOfTime,
  after,
}: ChoicesProps) {
  const { weekStart } = useUserCalendar()
  const today = useToday()
  const [typed, setTyped] = useState<string>()
  // Choices not yet reported by `onChange`. A part (day or time) that the person has not touched follows `value`, even when
  // `value` changes.
  const [pickedDay, setPickedDay] = useState<Day>()
  const [pickedTime, setPickedTime] = useState<{ time: number | null }>()
  const [timeIsWrong, setTimeIsWrong] = useState(false)
  const [monthAt, setMonthAt] = useState<Day>()
  const dateField = useRef<HTMLInputElement>(null)
  const timeField = useRef<HTMLInputElement>(null)
  const hintId = useId()

  useEffect(() => {
    dateField.current?.focus()
    dateField.current?.select()
  }, [])

  const understood = typed === undefined ? undefined : readTyped(typed)
  const chosenDay = understood?.day ?? pickedDay ?? value?.day
  const chosenTime =
    understood?.time ?? (pickedTime ?? value)?.time ?? (asksForTime === 'required' ? nineInTheMorning : null)
  const choice = { day: chosenDay ?? today, time: chosenTime }
  const isWrong = typed !== undefined && typed.trim() !== '' && understood === undefined

  const said = chosenDay !== undefined && note?.(choice)

  function readTyped(text: string) {
    const read = typedDate(text, { today, weekStart, numberOrder: numberOrder(), language: english })
    return asksForTime === 'none' && read?.time !== undefined ? undefined : read
  }
  const chooseDay = (day: Day) => {
    if (asksForTime !== 'required') return onChange({ day, time: chosenTime })
    setPickedDay(day)
    setPickedTime({ time: chosenTime })
    setTyped(undefined)
    setMonthAt(undefined)
    timeField.current?.focus()
  }
  const takeTyped = () => {
    if (typed === undefined) return asksForTime === 'required' && chosenDay ? onChange(choice) : onClose()
    if (typed.trim() === '') return noneLabel === undefined ? onClose() : onChange(null)
    if (understood?.time !== undefined) return onChange(choice)
    if (understood?.day !== undefined) chooseDay(understood.day)
  }
  const takeTime = () => {
    if (!timeIsWrong) onChange(choice)
  }

  return (
    <div className="px-4 pt-4 max-md:pt-6">
      <form onSubmit={submits(takeTyped)} className={typedLook}>
        <input
          ref={dateField}
          aria-label="Type a date"
          aria-describedby={hintId}
          aria-invalid={isWrong || undefined}
          placeholder="Type a date"
          autoComplete="off"
          enterKeyHint="done"
          // On a phone the keyboard would hide the calendar, so the keyboard opens only when the field is touched.
          inputMode={byTouch.matches ? 'none' : undefined}
          onPointerDown={({ currentTarget }) => {
            currentTarget.inputMode = 'text'
          }}
          value={typed ?? (chosenDay === undefined ? '' : shortDay(chosenDay, today))}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setMonthAt(undefined)
          }}
          className="min-w-[7em] flex-1 bg-transparent py-[7px] text-body text-ink outline-none placeholder:text-ink-3"
        />
        <span id={hintId} className="text-ink-3 text-small tabular-nums">
          {typed === undefined || typed.trim() === ''
            ? 'or “in 3 days”'
            : understood
              ? inWords(choice, shortDay(choice.day, today))
              : 'Not a date'}
        </span>
        <span role="status" className="sr-only">
          {understood && inWords(choice, longDate(choice.day))}
          {isWrong && 'Not a date'}
        </span>
      </form>
      <div className="-mx-2 mt-2">
        {quickDays(today, weekStart).map(({ label, day }) => (
          <button key={label} type="button" onClick={() => chooseDay(day)} className={rowLook}>
            {label}
            <span className="text-ink-3 text-small tabular-nums">{shortDay(day, today)}</span>
          </button>
        ))}
      </div>
      <hr className="my-1.5 border-line" />
      <MonthCalendar
        at={monthAt ?? chosenDay ?? today}
        onMove={setMonthAt}
        chosen={chosenDay}
        onChoose={chooseDay}
        today={today}
        weekStart={weekStart}
      />
      {asksForTime === 'none' && noneLabel === undefined ? (
        <div className="h-4" />
      ) : (
        <>
          <hr className="mt-2 border-line" />
          <div className="flex min-h-[45px] flex-wrap items-center gap-x-2 py-1">
            {inPlaceOfTime}
            {asksForTime !== 'none' && !inPlaceOfTime && (
              <form
                onSubmit={submits(takeTime)}
                // On leaving, the field drops an invalid text, so the time is no longer wrong.
                onBlur={() => setTimeIsWrong(false)}
                className="flex min-w-0 flex-1 items-center gap-1"
              >
                <Clock size={16} className="shrink-0 text-ink-3" />
                <TimeField
                  ref={timeField}
                  aria-label="Time"
                  placeholder="Add a time"
                  value={chosenTime}
                  onChange={(time) => {
                    setTimeIsWrong(time === undefined)
                    if (time === undefined) return
                    // A day typed in the date field stays chosen; a time typed there gives way to this one.
                    setPickedDay(chosenDay)
                    setTyped(undefined)
                    setPickedTime({ time })
                  }}
                  className={cn(
                    'min-h-9 border-transparent bg-transparent px-1 py-1 text-control hover:border-line',
                    chosenTime === null ? 'w-[7rem]' : 'w-[4.5rem]',
                  )}
                />
                {asksForTime === 'optional' && chosenTime !== null && value !== null && (
                  <Button
                    variant="icon"
                    aria-label="No time"
                    onClick={() => onChange({ ...choice, time: null })}
                  >
                    <X />
                  </Button>
                )}
              </form>
            )}
            {noneLabel !== undefined && (asksForTime !== 'required' || value !== null) && (
              <Button
                variant="quiet"
                onClick={() => onChange(null)}
                className="-mr-2 ml-auto min-h-9 px-2 font-normal"
              >
                {noneLabel}
              </Button>
            )}
          </div>
        </>
      )}
      {asksForTime === 'required' && (
        <Button
          variant="secondary"
          disabled={chosenDay === undefined}
          onClick={takeTime}
          className="mb-4 w-full"
        >
          Done
        </Button>
      )}
      {after}
      {said && <div className="pt-1 pb-4">{said}</div>}
    </div>
  )
}

/** The date field: as tall as the other fields, with the understood date at the end of the line, or below it with large text. */
const typedLook =
  'flex min-h-10 flex-wrap items-center gap-x-2 rounded-control border border-edge px-[11px] has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-1 pointer-coarse:min-h-11'

const rowLook =
  'flex min-h-9 w-full flex-wrap items-center justify-between gap-x-3 rounded-control px-2 py-1 text-left text-control text-ink transition-colors hover:bg-hover pointer-coarse:min-h-11'

function inWords({ time }: PickedDate, day: string): string {
  return time === null ? day : `${day} ${timeOfDay(time)}`
}

/** Handles the submit of a form that React sees inside another form of the page; the outer form must not be submitted. */
function submits(take: () => void) {
  return (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    take()
  }
}

const byTouch = window.matchMedia('(pointer: coarse)')
