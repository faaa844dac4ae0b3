import type { FormEvent } from 'react'
import { type CountedFor, countHabit } from '#features/habits/habit/counted-habit.ts'
import { dayNoteSchema } from '#features/habits/habit/habit.ts'
import type { HabitFacts } from '#features/habits/habit/habit-facts.ts'
import { habitCollection } from '#features/habits/habit/web/habit-queries.ts'
import { statesOf } from '#features/habits/rhythm/day-state.ts'
import { trackOf } from '#features/habits/rhythm/habit-track.ts'
import { mostAmount, rhythmOn } from '#features/habits/rhythm/rhythm.ts'
import { formatAmount, parseAmount } from '#features/habits/rhythm/web/target-words.ts'
import { usePhone } from '#platform/browser/device/phone.ts'
import { useDraft } from '#platform/browser/drafts/use-draft.ts'
import type { Day } from '#platform/calendar/day.ts'
import { longDay } from '#platform/format/format-day.ts'
import { useKeptWhileEdited } from '#platform/sync/react/use-kept-while-edited.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Field } from '#platform/ui/controls/field.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import { Textarea } from '#platform/ui/controls/textarea.tsx'
import { BottomSheet, BottomSheetContent } from '#platform/ui/overlays/bottom-sheet.tsx'
import { Popover, PopoverContent } from '#platform/ui/overlays/popover.tsx'
import { lookOf } from './day-looks.ts'
import type { DayActions } from './use-day-actions.ts'
import { useHabitDays } from './use-habit-days.ts'

export interface EditedDay {
  habit: HabitFacts
  day: Day
  /** The element beside which the editor opens. */
  anchor: HTMLElement
}

interface DayEditorProps {
  open: boolean
  edited: EditedDay
  counted: CountedFor
  actions: DayActions
  onClose(): void
}

/** Edits one day: its amount, whether it is skipped, and its note. Load it lazily, with `lazyPart`. */
export function DayEditor(props: DayEditorProps) {
  const { open, edited, counted, onClose } = props
  const onPhone = usePhone()
  const label = `${edited.habit.name}, ${longDay(edited.day, counted.today)}`
  const root = { open, onOpenChange: (stays: boolean) => stays || onClose() }
  if (onPhone) {
    return (
      <BottomSheet {...root}>
        <BottomSheetContent
          label={label}
          headed
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            edited.anchor.focus()
          }}
        >
          <div className="px-4 pt-4 pb-6">
            <Editor {...props} />
          </div>
        </BottomSheetContent>
      </BottomSheet>
    )
  }
  return (
    <Popover {...root}>
      <PopoverContent
        label={label}
        anchor={edited.anchor}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          edited.anchor.focus()
        }}
        className="w-80 p-4"
      >
        <p aria-hidden="true" className="mb-3 text-control font-medium">
          {longDay(edited.day, counted.today)}
        </p>
        <Editor {...props} />
      </PopoverContent>
    </Popover>
  )
}

function Editor({ edited: { habit, day }, counted, actions, onClose }: DayEditorProps) {
  const { days, notes, failed } = useHabitDays(habit, counted)
  const { today } = counted
  useKeptWhileEdited(habitCollection, habit, true)
  const { target } = rhythmOn(habit.rhythms, day)
  // The habit's row holds the newest days, so these are known even offline.
  const track = days ? trackOf(days) : countHabit(habit, counted).track
  const isKnown = days !== undefined || day >= habit.earlier.from
  const [state] = statesOf(track, { from: day, to: day }, today)
  const look = state && lookOf(track, state, today)
  const known = state?.amount ?? null
  const amount = useDraft(known === null ? '' : formatAmount(known).replaceAll(',', ''))
  const note = useDraft(notes.get(day) ?? '')
  const entered = parseAmount(amount.value)
  const isAmountChanged = target !== 'yes' && amount.value.trim() !== amount.from
  const amountProblem =
    isAmountChanged && (entered === undefined || entered > mostAmount)
      ? 'Enter a number from 0 to 1,000,000, such as 2 or 1.5'
      : undefined
  const noteProblem = dayNoteSchema.safeParse(note.value).error?.issues[0]?.message
  const isSkipped = look?.look === 'skipped'

  const save = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (amountProblem || noteProblem) return
    if (isAmountChanged && entered !== undefined) actions.setAmount(habit, day, entered, days)
    const text = note.value.trim()
    if (text !== note.from.trim()) actions.setNote(habit, day, text, note.from)
    onClose()
  }

  return (
    <form onSubmit={save} className="grid gap-4">
      {target !== 'yes' && (
        <Field
          label="Amount"
          error={amountProblem}
          hint={`${target.at === 'most' ? 'At most' : 'Goal:'} ${formatAmount(target.amount)} ${target.unit} a ${target.per}`}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              enterKeyHint="done"
              value={amount.value}
              disabled={!isKnown}
              onChange={(event) => amount.change(event.currentTarget.value)}
              onFocus={(event) => event.currentTarget.select()}
            />
          )}
        </Field>
      )}
      <Field label="Note" optional error={noteProblem}>
        {(control) => (
          <Textarea
            {...control}
            dir="auto"
            autoComplete="off"
            value={note.value}
            disabled={days === undefined}
            placeholder={failed ? "Shown when you're online" : undefined}
            onChange={(event) => note.change(event.currentTarget.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap justify-between gap-2">
        <Button
          variant="quiet"
          disabled={!isKnown}
          onClick={() => {
            actions.setDay(habit, day, isSkipped ? 'none' : 'skipped', days)
            onClose()
          }}
          className="px-3"
        >
          {isSkipped ? "Don't skip" : 'Skip this day'}
        </Button>
        <Button type="submit">Save</Button>
      </div>
    </form>
  )
}
