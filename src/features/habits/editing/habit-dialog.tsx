import { type FormEvent, useState } from 'react'
import { isSameReminder } from '#features/reminders/reminder/reminder.ts'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { usePhone } from '#platform/browser/device/phone.ts'
import { useDraft } from '#platform/browser/drafts/use-draft.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Field } from '#platform/ui/controls/field.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import { Textarea } from '#platform/ui/controls/textarea.tsx'
import { BottomSheet, BottomSheetContent } from '#platform/ui/overlays/bottom-sheet.tsx'
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogFooter,
  DialogTitle,
  useFocusReturn,
} from '#platform/ui/overlays/dialog.tsx'
import { descriptionSchema, habitNameSchema } from '../habit/habit-row.ts'
import { ReminderField } from '../reminder/web/reminder-field.tsx'
import { sameRhythm, sameTarget } from '../rhythm/rhythm.ts'
import { rhythmSentence } from '../rhythm/web/rhythm-words.ts'
import { FrequencyField, GoalField } from './frequency-field.tsx'
import { draftOf, type RhythmDraft, rhythmOfDraft, targetOfDraft } from './rhythm-draft.ts'
import type { HabitFields } from './use-habit-actions.ts'

interface HabitDialogProps {
  open: boolean
  onClose(): void
  /** The habit to edit, in its current state; undefined to add a new one. */
  habit?: HabitFields
  /**
   * `changes` holds only the fields that the person changed. Resolves with false if saving failed: the dialog then stays open
   * with its input.
   */
  save(fields: HabitFields, changes: Partial<HabitFields>): Promise<boolean>
}

/** Adds or edits a habit. Closing discards unsaved input. Load it lazily, with `lazyPart`. */
export function HabitDialog({ open, onClose, habit, save }: HabitDialogProps) {
  const focusReturn = useFocusReturn(pageButton)
  const phone = usePhone()
  const [asSheet, setAsSheet] = useState(phone)
  // Turning a phone must not lose what was typed, so the dialog keeps its form while it is open.
  if (!open && asSheet !== phone) setAsSheet(phone)
  const title = habit ? 'Edit Habit' : 'Add New Habit'
  const root = { open, onOpenChange: (stays: boolean) => stays || onClose() }
  const form = <HabitForm habit={habit} save={save} onSaved={onClose} />
  if (asSheet) {
    return (
      <BottomSheet {...root}>
        <BottomSheetContent {...focusReturn} label={title} headed>
          <div className="px-4 pb-6">{form}</div>
        </BottomSheetContent>
      </BottomSheet>
    )
  }
  return (
    <Dialog {...root}>
      <DialogContent {...focusReturn}>
        <DialogTitle>{title}</DialogTitle>
        {form}
      </DialogContent>
    </Dialog>
  )
}

const blank: HabitFields = { name: '', description: '', rhythm: { every: 1 }, target: 'yes', reminder: null }

function HabitForm({
  habit = blank,
  save,
  onSaved,
}: Pick<HabitDialogProps, 'habit' | 'save'> & { onSaved(): void }) {
  const name = useDraft(habit.name)
  const description = useDraft(habit.description)
  const rhythm = useDraft(draftOf(habit.rhythm, habit.target))
  const { weekStart } = useUserCalendar()
  const reminder = useDraft(habit.reminder)
  const [pending, setPending] = useState(false)
  const made = { rhythm: rhythmOfDraft(rhythm.value), target: targetOfDraft(rhythm.value) }
  const fields: HabitFields = {
    name: name.value.trim(),
    description: description.value.trim(),
    rhythm: made.rhythm ?? habit.rhythm,
    target: made.target ?? habit.target,
    reminder: reminder.value,
  }
  const isRhythmTouched = rhythm.value !== rhythm.from
  const changes: Partial<HabitFields> = {
    ...(fields.name === name.from ? {} : { name: fields.name }),
    ...(fields.description === description.from ? {} : { description: fields.description }),
    ...(isRhythmTouched && !sameRhythm(fields.rhythm, habit.rhythm) && { rhythm: fields.rhythm }),
    ...(isRhythmTouched && !sameTarget(fields.target, habit.target) && { target: fields.target }),
    ...(isSameReminder(fields.reminder, reminder.from) ? {} : { reminder: fields.reminder }),
  }
  // The API calls this field a name, the dialog a title.
  const nameProblem =
    fields.name === ''
      ? undefined
      : problemOf(habitNameSchema.safeParse(fields.name))?.replace(/^Name/, 'Habit title')
  const descriptionProblem = problemOf(descriptionSchema.safeParse(fields.description))

  const isRhythmMade = made.rhythm !== undefined && made.target !== undefined
  const changeRhythm = (changes: Partial<RhythmDraft>) => rhythm.change({ ...rhythm.value, ...changes })

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (fields.name === '' || nameProblem || descriptionProblem || !isRhythmMade || pending) return
    setPending(true)
    const saved = await save(fields, changes)
    setPending(false)
    if (saved) onSaved()
  }

  return (
    <form onSubmit={submit} className="mt-6 grid gap-5">
      <Field label="Habit Title" required error={nameProblem}>
        {(control) => (
          <Input
            {...control}
            value={name.value}
            onChange={(event) => name.change(event.currentTarget.value)}
            dir="auto"
            autoComplete="off"
          />
        )}
      </Field>
      <Field label="Description" optional error={descriptionProblem}>
        {(control) => (
          <Textarea
            {...control}
            value={description.value}
            onChange={(event) => description.change(event.currentTarget.value)}
            dir="auto"
            autoComplete="off"
          />
        )}
      </Field>
      <FrequencyField draft={rhythm.value} change={changeRhythm} />
      <GoalField draft={rhythm.value} change={changeRhythm} />
      <ReminderField reminder={reminder.value} onChange={reminder.change} />
      {made.rhythm && made.target && (
        <p className="text-control text-ink-2">
          {rhythmSentence(made.rhythm, made.target, weekStart)}
          {habit !== blank &&
            (changes.rhythm || changes.target) &&
            ' Counts from today; past days keep theirs.'}
        </p>
      )}
      <DialogFooter className="mt-1">
        <DialogClose asChild>
          <Button variant="secondary">Cancel</Button>
        </DialogClose>
        <Button type="submit" disabled={fields.name === '' || !isRhythmMade || pending}>
          {habit === blank ? 'Add Habit' : 'Save Changes'}
        </Button>
      </DialogFooter>
    </form>
  )
}

function problemOf({ error }: { error?: { issues: { message: string }[] } | undefined }): string | undefined {
  return error?.issues[0]?.message
}

/**
 * The button that gets the focus after the dialog closes, if a key opened the dialog or its own button disappeared with the empty
 * list.
 */
function pageButton() {
  return document.querySelector('main header button')
}
