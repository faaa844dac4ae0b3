import { Hourglass } from 'lucide-react'
import { useId } from 'react'
import { useSavedDraft } from '#platform/browser/drafts/use-saved-draft.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { typedMinutes } from '#platform/calendar/typed-minutes.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { formatDuration } from '#platform/format/format-time.ts'
import { Input } from '#platform/ui/controls/input.tsx'
import type { Todo } from '../todo/todo.ts'
import { longestEstimate } from '../todo/todo-row.ts'
import { TitleProblem } from '../todo/web/title-problem.tsx'
import { cancelEdit, saveTask } from '../todo/web/todo-shortcuts.ts'
import { PropertyField, PropertyRow } from './property-row.tsx'
import { useFocusedSeconds } from './use-focused-seconds.ts'
import { useRowField } from './use-row-field.ts'

interface EstimateRowProps {
  todo: Todo
  save(estimate: number | null): void
}

const look = { icon: <Hourglass />, label: 'Estimate' }

/** A field for how long the task will take. Accepts durations as people write them, such as '45' or '1h 30'. */
export function EstimateRow({ todo, save }: EstimateRowProps) {
  const { estimate } = todo
  const focused = useFocusedSeconds(todo) ?? 0
  const shown = estimate === null ? undefined : formatDuration(estimate * 60)
  const draft = useSavedDraft(shown ?? '', {
    mayBe: (text) => typedMinutes(text, longestEstimate) !== undefined,
    save: (text) => save(typedMinutes(text, longestEstimate) ?? null),
  })
  const { editing, row, field, open, leave, close } = useRowField()
  const problemId = useId()
  if (!editing) {
    const value = estimate !== null && focused > 0 ? <Spent seconds={focused} estimate={estimate} /> : shown
    return <PropertyRow ref={row} {...look} value={value} none="No estimate" onClick={open} />
  }
  const isWrong = typedMinutes(draft.value, longestEstimate) === undefined
  return (
    <PropertyField {...look}>
      <Input
        ref={field}
        aria-label="Estimate"
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? problemId : undefined}
        autoComplete="off"
        enterKeyHint="done"
        placeholder="45, or 1h 30"
        value={draft.value}
        onChange={(event) => draft.change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (!isPressed(saveTask, event) && !isPressed(cancelEdit, event)) return
          event.preventDefault()
          if (isWrong && !isPressed(cancelEdit, event)) return
          draft.leave()
          close()
        }}
        onBlur={(event) => {
          draft.leave()
          if (document.activeElement !== event.currentTarget) leave()
        }}
        className="min-h-8 py-0.5 pointer-fine:text-control"
      />
      {isWrong && <TitleProblem id={problemId}>Type 45 for minutes, or 1h 30. At most 99 h 59.</TitleProblem>}
    </PropertyField>
  )
}

/** Focused and estimated minutes, such as '25 of 60 min'. */
function Spent({ seconds, estimate }: { seconds: number; estimate: number }) {
  return (
    <>
      {integerFormat.format(Math.floor(seconds / 60))} of {integerFormat.format(estimate)} min
      <span className="sr-only"> focused</span>
    </>
  )
}
