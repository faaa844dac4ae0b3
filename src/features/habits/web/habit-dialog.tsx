import { type FormEvent, useRef, useState } from 'react'
import { isSameReminder } from '#features/reminders/reminder.ts'
import { Button } from '#platform/ui/button.tsx'
import { Dialog, DialogClose, DialogContent, DialogFooter, DialogTitle } from '#platform/ui/dialog.tsx'
import { Field } from '#platform/ui/field.tsx'
import { Input } from '#platform/ui/input.tsx'
import { Select } from '#platform/ui/select.tsx'
import { Textarea } from '#platform/ui/textarea.tsx'
import { useDraft } from '#platform/ui/use-draft.ts'
import { descriptionSchema, habitNameSchema } from '../habit.ts'
import { ReminderField } from './reminder-field.tsx'
import type { HabitWords } from './use-habit-actions.ts'

interface HabitDialogProps {
  open: boolean
  onClose(): void
  /** To be changed, as it is by now; a new one where there is none. */
  habit?: HabitWords
  /** `changes`: what of it the person changed. False when it was not kept: what was typed stays. */
  save(words: HabitWords, changes: Partial<HabitWords>): Promise<boolean>
}

/** Adds a habit, or changes one. What was typed is gone when it closes. */
export function HabitDialog({ open, onClose, habit, save }: HabitDialogProps) {
  const opener = useRef<Element>(null)
  return (
    <Dialog open={open} onOpenChange={(stays) => stays || onClose()}>
      <DialogContent
        onOpenAutoFocus={() => {
          opener.current = document.activeElement
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          returnFocus(opener.current)
        }}
      >
        <DialogTitle>{habit ? 'Edit Habit' : 'Add New Habit'}</DialogTitle>
        <HabitForm habit={habit} save={save} onSaved={onClose} />
      </DialogContent>
    </Dialog>
  )
}

const blank: HabitWords = { name: '', description: '', frequency: 'daily', reminder: null }

function HabitForm({
  habit = blank,
  save,
  onSaved,
}: Pick<HabitDialogProps, 'habit' | 'save'> & { onSaved(): void }) {
  const name = useDraft(habit.name)
  const description = useDraft(habit.description)
  const frequency = useDraft(habit.frequency)
  const reminder = useDraft(habit.reminder)
  const [pending, setPending] = useState(false)
  const words: HabitWords = {
    name: name.value.trim(),
    description: description.value.trim(),
    frequency: frequency.value,
    reminder: reminder.value,
  }
  const changes: Partial<HabitWords> = {
    ...(words.name === name.from ? {} : { name: words.name }),
    ...(words.description === description.from ? {} : { description: words.description }),
    ...(words.frequency === frequency.from ? {} : { frequency: words.frequency }),
    ...(isSameReminder(words.reminder, reminder.from) ? {} : { reminder: words.reminder }),
  }
  // The wire calls it a name, this dialog a title.
  const nameProblem =
    words.name === ''
      ? undefined
      : problemOf(habitNameSchema.safeParse(words.name))?.replace(/^Name/, 'Habit title')
  const descriptionProblem = problemOf(descriptionSchema.safeParse(words.description))

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (words.name === '' || nameProblem || descriptionProblem || pending) return
    setPending(true)
    const kept = await save(words, changes)
    setPending(false)
    if (kept) onSaved()
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
            className="h-auto min-h-10 pointer-coarse:min-h-11"
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
      <Field label="Frequency">
        {(control) => (
          <Select
            {...control}
            value={frequency.value}
            onChange={({ currentTarget: { value } }) =>
              frequency.change(value === 'weekly' ? 'weekly' : 'daily')
            }
          >
            <option value="daily">Daily</option>
            <option value="weekly">Weekly</option>
          </Select>
        )}
      </Field>
      <ReminderField reminder={reminder.value} onChange={reminder.change} />
      <DialogFooter className="mt-1">
        <DialogClose asChild>
          <Button variant="secondary">Cancel</Button>
        </DialogClose>
        <Button type="submit" disabled={words.name === '' || pending}>
          {habit === blank ? 'Add Habit' : 'Save Changes'}
        </Button>
      </DialogFooter>
    </form>
  )
}

function problemOf({ error }: { error?: { issues: { message: string }[] } | undefined }): string | undefined {
  return error?.issues[0]?.message
}

/** To what opened the dialog; to the page's own button where that was a key, or went with the empty list. */
function returnFocus(opener: Element | null) {
  const stands = opener?.isConnected && opener !== document.body
  const target = stands ? opener : document.querySelector('main header button')
  if (target instanceof HTMLElement) target.focus()
}
