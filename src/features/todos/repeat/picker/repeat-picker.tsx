import { type ReactNode, useId, useRef, useState } from 'react'
import { TitleProblem } from '#features/todos/todo/web/title-problem.tsx'
import { usePhone } from '#platform/browser/device/phone.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { longDay, shortWeekday } from '#platform/format/format-day.ts'
import { weekdayName } from '#platform/format/words.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import { Segments } from '#platform/ui/controls/segments.tsx'
import { DatePicker } from '#platform/ui/dates/date-picker.tsx'
import { BottomSheet, BottomSheetContent } from '#platform/ui/overlays/bottom-sheet.tsx'
import {
  Dialog,
  DialogContent,
  DialogFooter,
  DialogTitle,
  useFocusReturn,
} from '#platform/ui/overlays/dialog.tsx'
import type { RepeatRule } from '../rule/repeat-rule.ts'
import { nearDay, repeatSentence } from '../rule/repeat-sentence.ts'
import { inWeek } from '../rule/repeat-words.ts'
import {
  afterTickWords,
  chosenOn,
  type DraftProblem,
  daysLeft,
  doneLateWords,
  draftOf,
  isSame,
  onChoices,
  onWords,
  type RepeatDraft,
  type RepeatedTodo,
  ruleOfDraft,
  untilOf,
  yearFrom,
} from './repeat-draft.ts'

interface RepeatPickerProps extends RepeatedTodo {
  open: boolean
  today: Day
  /** Called before `onClose`, and only if something was changed. null stops the repeat. */
  onSave(rule: RepeatRule | null): void
  onClose(): void
  /** The element to focus after closing, if the element that had the focus before is gone. */
  otherwise(): Element | null
}

/** Lets the person choose a repeat rule: in a dialog, or on a phone in a sheet. Load it late, with `lazyPart`. */
export function RepeatPicker({ open, otherwise, ...choices }: RepeatPickerProps) {
  const onPhone = usePhone()
  const focusReturn = useFocusReturn(otherwise)
  const sheet = useRef<HTMLDivElement>(null)
  const root = { open, onOpenChange: (stays: boolean) => stays || choices.onClose() }
  if (!onPhone) {
    return (
      <Dialog {...root}>
        <DialogContent {...focusReturn} className="max-w-[480px]">
          <DialogTitle>Repeat</DialogTitle>
          <Choices {...choices} />
        </DialogContent>
      </Dialog>
    )
  }
  return (
    <BottomSheet {...root}>
      <BottomSheetContent
        {...focusReturn}
        ref={sheet}
        label="Repeat"
        headed
        onOpenAutoFocus={(event) => {
          focusReturn.onOpenAutoFocus?.(event)
          // Focusing a field would open the keyboard, which hides half of the sheet.
          event.preventDefault()
          sheet.current?.focus()
        }}
      >
        <div className="px-4 pb-6">
          <Choices {...choices} />
        </div>
      </BottomSheetContent>
    </BottomSheet>
  )
}

type ChoicesProps = Omit<RepeatPickerProps, 'open' | 'otherwise'>

function Choices({ today, onSave, onClose, ...current }: ChoicesProps) {
  // Keep the to-do as it was when the dialog opened: completing it on another device must not change the choices.
  const [todo] = useState<RepeatedTodo>(current)
  const [draft, setDraft] = useState(() => draftOf(todo))
  const change = (changes: Partial<RepeatDraft>) => setDraft((before) => ({ ...before, ...changes }))
  const form = useRef<HTMLFormElement>(null)
  const ids = useId()
  const { rule, weekStart } = todo
  const { freq, mode } = draft
  const made = ruleOfDraft(draft, todo)
  const [problem, valid] = 'field' in made ? [made, undefined] : [undefined, made]
  const fieldWith = (field: DraftProblem['field']) =>
    problem?.field === field && {
      'aria-invalid': true,
      'aria-describedby': `${ids}-${field}-problem`,
    }
  const problemText = (field: DraftProblem['field']) =>
    problem?.field === field && <TitleProblem id={`${ids}-${field}-problem`}>{problem.problem}</TitleProblem>

  const save = () => {
    if (!valid) {
      form.current
        ?.querySelector<HTMLElement>('[aria-invalid=true], [data-invalid] input, [data-wrong=true]')
        ?.focus()
      return
    }
    if (!rule || !isSame(rule, valid)) onSave(valid)
    onClose()
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        // React events rise through the React tree, in which this form may be inside another form.
        event.stopPropagation()
        save()
      }}
      className="mt-5 grid gap-4 max-md:gap-3"
    >
      <Part label="Every" labelFor={`${ids}-every`}>
        <div className="flex flex-wrap gap-2">
          <Input
            id={`${ids}-every`}
            inputMode="numeric"
            autoComplete="off"
            enterKeyHint="done"
            maxLength={3}
            value={draft.every}
            onChange={(event) => change({ every: event.currentTarget.value })}
            {...fieldWith('every')}
            className="w-14 tabular-nums"
          />
          <span id={`${ids}-unit`} className="sr-only">
            Unit
          </span>
          <Segments
            aria-labelledby={`${ids}-unit`}
            value={freq}
            onChange={(chosen) => change({ freq: chosen })}
            options={(['day', 'week', 'month', 'year'] as const).map((value) => ({
              value,
              label: draft.every.trim() === '1' ? value : `${value}s`,
            }))}
            className="min-w-fit flex-1"
          />
        </div>
        {problemText('every')}
      </Part>

      {mode === 'due' && freq === 'week' && (
        <Part label="On" group invalid={problem?.field === 'weekdays'}>
          <div className="flex flex-wrap gap-2 pointer-coarse:grid pointer-coarse:max-w-[344px] pointer-coarse:grid-cols-[repeat(auto-fit,minmax(2.25rem,1fr))] pointer-coarse:gap-1">
            {inWeek(everyWeekday, weekStart).map((weekday) => (
              <WeekdayBox
                key={weekday}
                name={weekdayName(weekday)}
                checked={draft.weekdays.includes(weekday)}
                onChange={(isChosen) =>
                  change({
                    weekdays: isChosen
                      ? [...draft.weekdays, weekday]
                      : draft.weekdays.filter((each) => each !== weekday),
                  })
                }
              />
            ))}
          </div>
          {problemText('weekdays')}
        </Part>
      )}
      {mode === 'due' && (freq === 'month' || freq === 'year') && (
        <OnMonthPart draft={draft} freq={freq} todo={todo} onChange={(on) => change({ on })} />
      )}

      <Part label="Counted" group>
        {(
          [
            ['due', 'from the due date', doneLateWords(draft, todo)],
            ['done', 'from the day I did it', afterTickWords(draft)],
          ] as const
        ).map(([value, label, hint]) => (
          <RadioRow
            key={value}
            name={`${ids}-counted`}
            checked={mode === value}
            onChoose={() => change({ mode: value })}
            label={label}
            hint={hint}
          />
        ))}
      </Part>

      <Part label="Ends" labelId={`${ids}-ends`}>
        <div className="flex flex-wrap items-center gap-2">
          <Segments
            aria-labelledby={`${ids}-ends`}
            value={draft.ends}
            onChange={(ends) => change({ ends })}
            options={endings}
            className="min-w-fit [&>label]:px-3"
          />
          {draft.ends === 'day' && (
            <UntilButton
              until={untilOf(draft, todo)}
              today={today}
              onChange={(until) => change({ until })}
              {...fieldWith('until')}
            />
          )}
          {draft.ends === 'times' && (
            <span className="flex items-center gap-2 text-control text-ink-2">
              <Input
                aria-label="How many times"
                inputMode="numeric"
                autoComplete="off"
                enterKeyHint="done"
                maxLength={3}
                value={draft.times}
                onChange={(event) => change({ times: event.currentTarget.value })}
                {...fieldWith('times')}
                className="w-14 tabular-nums"
              />
              {draft.times.trim() === '1' ? 'time' : 'times'}
            </span>
          )}
        </div>
        {problemText('until')}
        {problemText('times')}
      </Part>

      <Preview rule={valid} todo={todo} today={today} />

      <DialogFooter className="mt-2 items-center">
        <Button
          variant="quiet"
          onClick={() => {
            if (rule) onSave(null)
            onClose()
          }}
          className="mr-auto -ml-2 px-2"
        >
          Does not repeat
        </Button>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit">Save</Button>
      </DialogFooter>
    </form>
  )
}

const everyWeekday: readonly WeekStart[] = [1, 2, 3, 4, 5, 6, 7]

const endings = [
  { value: 'never', label: 'Never' },
  { value: 'day', label: 'On a day' },
  { value: 'times', label: 'After' },
] as const

interface PartProps {
  label: string
  /** The id of the field that this label names. */
  labelFor?: string
  /** An id for the label, for content that uses `aria-labelledby` itself. */
  labelId?: string
  /** Whether the content is a group of fields. */
  group?: boolean
  invalid?: boolean
  children: ReactNode
}

/** One row of the picker: content beside its label, or on a phone below it. */
function Part({ label, labelFor, labelId, group, invalid, children }: PartProps) {
  const id = useId()
  const look = cn('text-control font-medium text-ink', group ? 'md:pt-2' : 'md:pt-2.5')
  return (
    <div className="grid gap-x-0 gap-y-1 md:grid-cols-[5.5rem_minmax(0,1fr)]">
      {labelFor === undefined ? (
        <span id={labelId ?? id} className={look}>
          {label}
        </span>
      ) : (
        <label htmlFor={labelFor} className={look}>
          {label}
        </label>
      )}
      {group ? (
        <fieldset aria-labelledby={id} data-invalid={invalid || undefined} className="min-w-0">
          {children}
        </fieldset>
      ) : (
        <div>{children}</div>
      )}
    </div>
  )
}

interface OnMonthPartProps {
  draft: RepeatDraft
  freq: 'month' | 'year'
  todo: RepeatedTodo
  onChange(on: RepeatDraft['on']): void
}

function OnMonthPart({ draft, freq, todo, onChange }: OnMonthPartProps) {
  const name = useId()
  const chosen = chosenOn(draft, todo)
  const choices = onChoices(freq, todo)
  const wordsOf = (on: (typeof choices)[number]) =>
    onWords(on, freq, freq === 'year' ? yearFrom(on, todo) : todo.from)
  const [only] = choices
  if (only && choices.length === 1) {
    return (
      <Part label="On" group>
        <p className="py-2 text-control text-ink">{wordsOf(only)}</p>
      </Part>
    )
  }
  return (
    <Part label="On" group>
      {choices.map((on) => (
        <RadioRow
          key={wordsOf(on)}
          name={name}
          checked={isSame(on, chosen)}
          onChoose={() => onChange(on)}
          label={wordsOf(on)}
        />
      ))}
    </Part>
  )
}

interface RadioRowProps {
  /** The name of the radio group. */
  name: string
  label: string
  hint?: string
  checked: boolean
  onChoose(): void
}

function RadioRow({ name, label, hint, checked, onChoose }: RadioRowProps) {
  const ids = useId()
  return (
    <label
      className={cn(
        'flex cursor-pointer gap-3 py-2',
        hint === undefined ? 'min-h-9 pointer-coarse:min-h-11 pointer-coarse:py-3' : 'min-h-14',
      )}
    >
      <input
        type="radio"
        name={name}
        checked={checked}
        onChange={onChoose}
        aria-labelledby={`${ids}-label`}
        aria-describedby={hint === undefined ? undefined : `${ids}-hint`}
        className={cn(
          'm-0 size-5 shrink-0 cursor-pointer appearance-none rounded-full bg-raised transition-[background-color,box-shadow] duration-[120ms] forced-colors:appearance-auto',
          'shadow-[inset_0_0_0_1.5px_var(--edge)] not-checked:hover:shadow-[inset_0_0_0_1.5px_var(--accent)] checked:shadow-[inset_0_0_0_6px_var(--accent)]',
          'focus-visible:outline-offset-2',
        )}
      />
      <span className="min-w-0">
        <span id={`${ids}-label`} className="block text-control text-ink">
          {label}
        </span>
        {hint !== undefined && (
          <span id={`${ids}-hint`} className="mt-[3px] block text-ink-3 text-small">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}

interface WeekdayBoxProps {
  name: string
  checked: boolean
  onChange(isChosen: boolean): void
}

function WeekdayBox({ name, checked, onChange }: WeekdayBoxProps) {
  return (
    <label
      title={name}
      className={cn(
        'relative grid min-h-9 min-w-9 cursor-pointer place-items-center rounded-control text-control transition-colors pointer-coarse:min-h-11',
        'has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
        'forced-colors:has-checked:bg-[Highlight] forced-colors:has-checked:text-[HighlightText]',
        checked
          ? 'font-semibold text-ink inset-ring-2 inset-ring-ink'
          : 'text-ink-2 inset-ring inset-ring-edge hover:bg-hover hover:text-ink',
      )}
    >
      <input
        type="checkbox"
        aria-label={name}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className="absolute inset-0 m-0 cursor-pointer appearance-none outline-none"
      />
      <span aria-hidden="true">{name.charAt(0)}</span>
    </label>
  )
}

interface UntilButtonProps {
  until: Day
  today: Day
  onChange(until: Day): void
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

function UntilButton({ until, today, onChange, ...problem }: UntilButtonProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { 'aria-invalid': isWrong, 'aria-describedby': describedBy } = problem
  return (
    <>
      <Button
        ref={button}
        variant="secondary"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={`Last day: ${longDay(until, today)}`}
        aria-describedby={describedBy}
        data-wrong={isWrong}
        onClick={() => setOpen(true)}
        className="px-3 font-normal tabular-nums data-wrong:border-danger"
      >
        {nearDay(until, today)}
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
        />
      )}
    </>
  )
}

interface PreviewProps {
  rule: RepeatRule | undefined
  todo: RepeatedTodo
  today: Day
}

/** Shows the next days that the current choices would give. */
function Preview({ rule, todo, today }: PreviewProps) {
  const heading = useId()
  const days = rule ? daysLeft(rule, todo) : []
  return (
    <div className="grid gap-3 pt-1">
      <div className="min-h-[84px] rounded-large bg-sunken px-4 py-3">
        <p id={heading} className="text-ink-3 text-small">
          {days.length === 5 || days.length === 0 ? 'The next five' : `The last ${numbers[days.length]}`}
          {rule?.mode === 'done' && ', if each is done on its day'}
        </p>
        <ul
          aria-labelledby={heading}
          className="mt-1.5 grid grid-cols-[repeat(auto-fill,minmax(max(3.2rem,20%),1fr))] gap-y-2 tabular-nums [list-style-type:'']"
        >
          {days.map((day) => (
            <li key={day}>
              <span className="block font-medium text-control text-ink">{nearDay(day, day)}</span>
              <span className="block text-ink-3 text-small">
                {shortWeekday(day)}
                {nearDay(day, today) !== nearDay(day, day) && ` ${day.slice(0, 4)}`}
              </span>
            </li>
          ))}
        </ul>
      </div>
      <p role="status" className="min-h-5 text-control text-ink-2">
        {rule && repeatSentence(rule, today)}
      </p>
    </div>
  )
}

const numbers = ['', 'one', 'two', 'three', 'four']
