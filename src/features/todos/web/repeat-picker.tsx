import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { usePhone } from '#platform/browser/phone.ts'
import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { dayAndMonth, longWeekday, shortMonth, shortWeekday } from '#platform/format/format-day.ts'
import { shortDay } from '#platform/format/short-day.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import { Radio } from '#platform/ui/controls/radio.tsx'
import { Segments } from '#platform/ui/controls/segments.tsx'
import { DatePicker } from '#platform/ui/dates/date-picker.tsx'
import { BottomSheet, BottomSheetContent } from '#platform/ui/overlays/bottom-sheet.tsx'
import { Dialog, DialogContent, DialogTitle, useFocusReturn } from '#platform/ui/overlays/dialog.tsx'
import { draftOf, monthChoices, type RepeatDraft, ruleOfDraft } from '../repeat-draft.ts'
import type { Frequency, RepeatRule } from '../repeat-rule.ts'
import { interval, nextDays, repeatSentence, weekdayName } from '../repeat-words.ts'

interface RepeatPickerProps {
  open: boolean
  /** The task's title. */
  about: string
  /** The rule that is changed; undefined if it does not repeat, or by one that this version cannot read. */
  former: RepeatRule | undefined
  /** The day on which it is due next, or today if it has none. */
  base: Day
  today: Day
  /** Null: it does not repeat. */
  onSave(rule: RepeatRule | null): void
  onClose(): void
}

/** Asks by what rule a task comes back; it reads as one sentence from top to bottom. */
export function RepeatPicker({ open, onClose, ...asked }: RepeatPickerProps) {
  const onPhone = usePhone()
  const focusReturn = useFocusReturn()
  const stays = (isOpen: boolean) => isOpen || onClose()
  const form = <RepeatForm {...asked} onClose={onClose} />
  if (onPhone) {
    return (
      <BottomSheet open={open} onOpenChange={stays}>
        <BottomSheetContent label={`Repeat ${asked.about}`} {...focusReturn}>
          <div className="px-4 pt-8 pb-5">
            <div className="mb-4 flex items-center justify-between">
              <p className="text-heading text-ink" aria-hidden="true">
                Repeat
              </p>
              <Button variant="icon" aria-label="Cancel" onClick={onClose} className="-mr-2">
                <X />
              </Button>
            </div>
            {form}
          </div>
        </BottomSheetContent>
      </BottomSheet>
    )
  }
  return (
    <Dialog open={open} onOpenChange={stays}>
      <DialogContent {...focusReturn} className="max-w-[480px]">
        <DialogTitle>
          Repeat<span className="sr-only"> {asked.about}</span>
        </DialogTitle>
        <div className="mt-4">{form}</div>
      </DialogContent>
    </Dialog>
  )
}

const mostShown = 5

function RepeatForm({ former, base, today, onSave, onClose }: Omit<RepeatPickerProps, 'open' | 'about'>) {
  const { weekStart } = useUserCalendar()
  const around = { former, base, weekStart }
  const [draft, setDraft] = useState(() => draftOf(around))
  const [pressed, setPressed] = useState(false)
  const made = ruleOfDraft(draft, around)
  const rule = 'rule' in made ? made.rule : undefined
  const problem = (field: string) =>
    pressed && 'field' in made && made.field === field ? made.problem : undefined
  const [everyField, timesField, untilButton] = [
    useRef<HTMLInputElement>(null),
    useRef<HTMLInputElement>(null),
    useRef<HTMLButtonElement>(null),
  ]
  const change = (to: Partial<RepeatDraft>) => setDraft({ ...draft, ...to })
  const save = (event: FormEvent) => {
    event.preventDefault()
    setPressed(true)
    if (rule) {
      onClose()
      return onSave(rule)
    }
    const fields = { every: everyField, times: timesField, until: untilButton }
    if ('field' in made) fields[made.field].current?.focus()
  }
  const isDone = draft.counted === 'done'

  return (
    <form onSubmit={save} noValidate className="grid gap-4">
      <Part label="Every" labelled>
        {(id) => (
          <div className="flex flex-wrap gap-2">
            <CountField
              aria-label="How many"
              field={everyField}
              value={draft.every}
              onChange={(every) => change({ every })}
              isWrong={problem('every') !== undefined}
            />
            <Segments
              aria-labelledby={id}
              className="min-w-52 flex-1"
              value={draft.freq}
              onChange={(freq) => change({ freq })}
              options={units.map((value) => ({ value, label: draft.every === '1' ? value : `${value}s` }))}
            />
            <Problem text={problem('every')} />
          </div>
        )}
      </Part>
      {!isDone && draft.freq === 'week' && (
        <Part label="On">
          {() => (
            <Weekdays
              chosen={draft.weekdays}
              weekStart={weekStart}
              onChange={(weekdays) => change({ weekdays })}
            />
          )}
        </Part>
      )}
      {!isDone && <DaysOfMonth draft={draft} around={around} onChange={(on) => change({ on })} />}
      <Part label="Counted" labelled>
        {(id) => (
          <div role="radiogroup" aria-labelledby={id}>
            <Choice
              name={id}
              checked={!isDone}
              onChoose={() => change({ counted: 'due' })}
              hint={staysWords(draft, base, today)}
            >
              from the due date
            </Choice>
            <Choice
              name={id}
              checked={isDone}
              onChoose={() => change({ counted: 'done' })}
              hint={`${interval({ every: Number(draft.every) || 1, freq: draft.freq }, 'capital')} after you tick it`}
            >
              from the day I did it
            </Choice>
          </div>
        )}
      </Part>
      <Part label="Ends" labelled>
        {(id) => (
          <div className="flex flex-wrap items-center gap-2">
            <Segments
              aria-labelledby={id}
              value={draft.ends}
              onChange={(ends) => change({ ends })}
              options={[
                { value: 'never', label: 'Never' },
                { value: 'on a day', label: 'On a day' },
                { value: 'after', label: 'After' },
              ]}
            />
            {draft.ends === 'on a day' && (
              <UntilButton
                button={untilButton}
                until={draft.until}
                today={today}
                onChange={(until) => change({ until })}
              />
            )}
            {draft.ends === 'after' && (
              <span className="flex items-center gap-2 text-control text-ink-2">
                <CountField
                  aria-label="How many times"
                  field={timesField}
                  value={draft.times}
                  onChange={(times) => change({ times })}
                  isWrong={problem('times') !== undefined}
                />
                {draft.times === '1' ? 'time' : 'times'}
              </span>
            )}
            <Problem text={problem('times') ?? problem('until')} />
          </div>
        )}
      </Part>
      {rule && <NextDays days={nextDays(rule, base, mostShown)} today={today} />}
      <p aria-live="polite" className="min-h-5 text-control text-ink-2">
        {rule && repeatSentence(rule)}
      </p>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Button
          variant="quiet"
          className="mr-auto -ml-3"
          onClick={() => {
            onClose()
            onSave(null)
          }}
        >
          Does not repeat
        </Button>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit">Save</Button>
      </div>
    </form>
  )
}

const units: readonly Frequency[] = ['day', 'week', 'month', 'year']

interface PartProps {
  label: string
  /** What is inside is named by the label, by its id; otherwise it is a group of its own. */
  labelled?: boolean
  children(labelId: string): ReactNode
}

function Part({ label, labelled = false, children }: PartProps) {
  const id = useId()
  return (
    <div
      {...(!labelled && { role: 'group', 'aria-labelledby': id })}
      className="grid gap-x-4 gap-y-2 md:grid-cols-[72px_minmax(0,1fr)]"
    >
      <span id={id} className="font-medium text-control text-ink md:pt-2.5">
        {label}
      </span>
      <div className="min-w-0">{children(id)}</div>
    </div>
  )
}

interface CountFieldProps {
  'aria-label': string
  field: React.RefObject<HTMLInputElement | null>
  value: string
  onChange(value: string): void
  isWrong: boolean
}

function CountField({ field, onChange, isWrong, ...rest }: CountFieldProps) {
  return (
    <Input
      ref={field}
      inputMode="numeric"
      autoComplete="off"
      maxLength={3}
      aria-invalid={isWrong || undefined}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
      className="w-14 shrink-0 tabular-nums"
      {...rest}
    />
  )
}

function Problem({ text }: { text: string | undefined }) {
  return (
    <p role="alert" className="basis-full text-control text-danger empty:hidden">
      {text}
    </p>
  )
}

const allWeekdays: readonly WeekStart[] = [1, 2, 3, 4, 5, 6, 7]

interface WeekdaysProps {
  chosen: readonly WeekStart[]
  weekStart: WeekStart
  onChange(chosen: readonly WeekStart[]): void
}

function Weekdays({ chosen, weekStart, onChange }: WeekdaysProps) {
  const inOrder = allWeekdays.map((_, place) => allWeekdays[(weekStart - 1 + place) % 7] ?? 1)
  const toggle = (weekday: WeekStart) => {
    const rest = chosen.filter((other) => other !== weekday)
    const now = rest.length < chosen.length ? rest : [...rest, weekday].sort((one, other) => one - other)
    // The last one stays: on no weekday it would never come back.
    if (now.length > 0) onChange(now)
  }
  return (
    <div className="flex flex-wrap gap-2 max-md:grid max-md:grid-cols-[repeat(auto-fit,minmax(2.25rem,1fr))] max-md:gap-1">
      {inOrder.map((weekday) => (
        <button
          key={weekday}
          type="button"
          aria-label={weekdayName(weekday, 'long')}
          aria-pressed={chosen.includes(weekday)}
          onClick={() => toggle(weekday)}
          className={cn(
            'min-h-9 min-w-9 rounded-control text-control text-ink-2 ring ring-edge transition-colors ring-inset hover:bg-hover pointer-coarse:min-h-11',
            'aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:ring-2 aria-pressed:ring-ink',
          )}
        >
          {weekdayName(weekday, 'short').slice(0, 1)}
        </button>
      ))}
    </div>
  )
}

interface DaysOfMonthProps {
  draft: RepeatDraft
  around: { former: RepeatRule | undefined; base: Day }
  onChange(on: string): void
}

function DaysOfMonth({ draft, around, onChange }: DaysOfMonthProps) {
  const choices = monthChoices(draft.freq, around)
  const [only] = choices
  const ofYear = draft.freq === 'year' ? ` of ${dayAndMonth(around.base, around.base).split(' ')[1]}` : ''
  if (!only) return
  const chosen = choices.some(({ key }) => key === draft.on) ? draft.on : only.key
  return (
    <Part label="On" labelled={choices.length > 1}>
      {(id) =>
        choices.length === 1 ? (
          <p className="pt-2.5 text-control text-ink">{dayAndMonth(around.base, around.base)}</p>
        ) : (
          <div role="radiogroup" aria-labelledby={id}>
            {choices.map(({ key, words }) => (
              <Choice key={key} name={id} checked={key === chosen} onChoose={() => onChange(key)}>
                {key === 'day' && ofYear !== '' ? dayAndMonth(around.base, around.base) : `${words}${ofYear}`}
              </Choice>
            ))}
          </div>
        )
      }
    </Part>
  )
}

interface ChoiceProps {
  name: string
  checked: boolean
  onChoose(): void
  hint?: string
  children: ReactNode
}

function Choice({ name, checked, onChoose, hint, children }: ChoiceProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <label
      htmlFor={id}
      className="flex min-h-9 cursor-pointer items-start gap-3 py-2 text-control text-ink pointer-coarse:min-h-11 pointer-coarse:py-3"
    >
      <Radio
        id={id}
        name={name}
        checked={checked}
        onChange={onChoose}
        aria-describedby={hint === undefined ? undefined : hintId}
      />
      <span className="min-w-0">
        {children}
        {hint !== undefined && (
          <span id={hintId} aria-hidden="true" className="block text-ink-3 text-small">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}

/** What happens if it is done late. */
function staysWords({ freq, weekdays, on }: RepeatDraft, base: Day, today: Day): string {
  if (freq === 'day') return 'Done late, the days stay the same'
  if (freq === 'week') {
    const names = weekdays.map((weekday) => weekdayName(weekday, weekdays.length > 2 ? 'short' : 'long'))
    const last = names.at(-1) ?? longWeekday(base)
    return `Done late, the days stay ${names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last}`
  }
  if (freq === 'year')
    return `Done late, it still comes back on ${dayAndMonth(base, today).replace(/ \d{4}$/, '')}`
  const choice = monthChoices(freq, { former: undefined, base }).find(({ key }) => key === on)
  if (!choice) return 'Done late, the days stay the same'
  return `Done late, it still comes back on ${choice.words.replace(/,.*| of the month$/, '')}`
}

interface UntilButtonProps {
  button: React.RefObject<HTMLButtonElement | null>
  until: Day
  today: Day
  onChange(until: Day): void
}

function UntilButton({ button, until, today, onChange }: UntilButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        ref={button}
        variant="secondary"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <span className="sr-only">Last day: </span>
        {shortDay(until, today)}
      </Button>
      {button.current && (
        <DatePicker
          open={open}
          onClose={() => setOpen(false)}
          label="Last day"
          anchor={button.current}
          value={{ day: until, time: null }}
          onChange={(chosen) => chosen && onChange(chosen.day)}
          time="none"
          noneLabel="Cancel"
        />
      )}
    </>
  )
}

function NextDays({ days, today }: { days: readonly Day[]; today: Day }) {
  const label = useId()
  const year = today.slice(0, 4)
  return (
    <div className="rounded-large bg-sunken p-4 pt-3">
      <p id={label} className="text-ink-3 text-small">
        {days.length < mostShown
          ? days.length === 1
            ? 'The only one'
            : `The next ${days.length}`
          : 'The next five'}
      </p>
      <ol
        aria-labelledby={label}
        className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))] gap-x-2 gap-y-3 [list-style-type:''] max-md:grid-cols-[repeat(auto-fill,minmax(3.25rem,1fr))] max-md:gap-x-1"
      >
        {days.map((day) => (
          <li key={day} className="font-medium text-control text-ink tabular-nums">
            {Number(day.slice(8))} {shortMonth(day)}
            {day.slice(0, 4) > String(Number(year) + 1) && ` ${day.slice(0, 4)}`}
            <span className="block font-normal text-ink-3 text-small">{shortWeekday(day)}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}
