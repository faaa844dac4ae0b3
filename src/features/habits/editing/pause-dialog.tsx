import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import { shortDay } from '#platform/format/short-day.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { DayField } from '#platform/ui/dates/day-field.tsx'
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogTitle,
  useFocusReturn,
} from '#platform/ui/overlays/dialog.tsx'
import type { HabitFacts } from '../habit/habit-facts.ts'
import type { PauseRow } from '../pauses/pause.ts'
import type { HabitActions } from './use-habit-actions.ts'

interface PauseDialogProps {
  open: boolean
  onClose(): void
  /** The habit to pause; null for all habits. */
  habit: HabitFacts | null
  /** All of the person's pauses. */
  pauses: readonly PauseRow[]
  today: Day
  actions: HabitActions
}

/** Asks for the days on which one habit, or all habits, should not be due. Load it lazily, with `lazyPart`. */
export function PauseDialog({ open, onClose, ...rest }: PauseDialogProps) {
  const focusReturn = useFocusReturn()
  const { habit } = rest
  return (
    <Dialog open={open} onOpenChange={(stays) => stays || onClose()}>
      <DialogContent {...focusReturn}>
        <DialogTitle>{habit ? `Pause ${habit.name}` : 'Pause all habits'}</DialogTitle>
        <DialogDescription>
          Paused days count neither for nor against: streaks, rates and strength stay as they are.
        </DialogDescription>
        <PauseForm onDone={onClose} {...rest} />
      </DialogContent>
    </Dialog>
  )
}

function PauseForm({
  habit,
  pauses,
  today,
  actions,
  onDone,
}: Omit<PauseDialogProps, 'open' | 'onClose'> & { onDone(): void }) {
  const [from, setFrom] = useState(today)
  const [to, setTo] = useState<Day | null>(null)
  const problem = to !== null && to < from ? 'The last day is before the first' : undefined
  const planned = pauses
    .filter(
      ({ habit_id, to_day }) => habit_id === (habit?.id ?? null) && (to_day === null || to_day >= today),
    )
    .toSorted((one, other) => (one.from_day < other.from_day ? -1 : 1))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (problem) return
    actions.pause(habit, { from_day: from, to_day: to })
    onDone()
  }
  return (
    <form onSubmit={submit} className="mt-5 grid gap-4">
      <DayField label="First day" value={from} today={today} onChange={(day) => setFrom(day ?? today)} />
      <DayField label="Last day" value={to} today={today} none="Until I resume" onChange={setTo} />
      {problem && (
        <p role="alert" className="text-control text-danger">
          {problem}
        </p>
      )}
      {planned.length > 0 && (
        <ul aria-label="Pauses" className="grid gap-1 text-control text-ink-2 [list-style-type:'']">
          {planned.map((pause) => (
            <li key={pause.id} className="flex items-center justify-between gap-2">
              {rangeWords(pause, today)}
              <Button
                variant="icon"
                aria-label={`Delete the pause ${rangeWords(pause, today)}`}
                onClick={() => actions.deletePause(pause, habit?.name ?? 'All habits')}
              >
                <Trash2 />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <DialogFooter className="mt-1">
        <DialogClose asChild>
          <Button variant="secondary">Cancel</Button>
        </DialogClose>
        <Button type="submit">Pause</Button>
      </DialogFooter>
    </form>
  )
}

function rangeWords({ from_day, to_day }: PauseRow, today: Day): string {
  const from = shortDay(from_day, today)
  return to_day === null ? `from ${from}, until resumed` : `from ${from} to ${shortDay(to_day, today)}`
}
