import { Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, useId } from 'react'
import { useSavedDraft } from '#platform/browser/drafts/use-saved-draft.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { planStep } from './plan-shortcuts.ts'

interface StepperProps {
  label: string
  value: number
  /** The largest value; the smallest is 1. */
  most: number
  /** A press on a button moves the value to the next multiple of `step`. */
  step: number
  unit: string
  onChange(value: number): void
}

/** A field for a whole number, with buttons and keys that step it. */
export function Stepper({ label, value, most, step, unit, onChange }: StepperProps) {
  const field = useId()
  const draft = useSavedDraft(String(value), {
    mayBe: (text) => numberIn(text, most) !== undefined,
    save: (text) => onChange(numberIn(text, most) ?? value),
  })
  const isWrong = numberIn(draft.value, most) === undefined
  const stepBy = (direction: 1 | -1) => {
    draft.leave()
    const next = stepped(numberIn(draft.value, most) ?? value, { direction, step, most })
    if (next !== value) onChange(next)
  }
  const press = (event: KeyboardEvent) => {
    if (!isPressed(planStep, event)) return
    event.preventDefault()
    stepBy(event.key === 'ArrowUp' ? 1 : -1)
  }
  return (
    <div className="flex min-h-10 items-center text-control pointer-coarse:min-h-11">
      <label htmlFor={field} className="min-w-0 grow wrap-anywhere">
        {label}
      </label>
      <Button
        variant="icon"
        aria-label={`Less: ${label}`}
        disabled={value <= 1}
        onClick={() => stepBy(-1)}
        className="text-ink-2"
      >
        <Minus />
      </Button>
      <input
        id={field}
        role="spinbutton"
        inputMode="numeric"
        autoComplete="off"
        maxLength={3}
        aria-valuemin={1}
        aria-valuemax={most}
        aria-valuenow={value}
        aria-valuetext={`${value} ${unit === 'min' ? 'minutes' : unit}`}
        aria-invalid={isWrong || undefined}
        value={draft.value}
        onChange={(event) => draft.change(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={press}
        onBlur={draft.leave}
        className="h-8 w-9 rounded-box bg-transparent text-center font-medium tabular-nums outline-offset-0 hover:bg-hover aria-invalid:text-danger pointer-coarse:h-11 pointer-coarse:text-body"
      />
      <Button
        variant="icon"
        aria-label={`More: ${label}`}
        disabled={value >= most}
        onClick={() => stepBy(1)}
        className="text-ink-2"
      >
        <Plus />
      </Button>
      <span className="w-14 shrink-0 pl-1 text-ink-3">{unit}</span>
    </div>
  )
}

function numberIn(text: string, most: number): number | undefined {
  const typed = text.trim()
  if (!/^\d{1,3}$/.test(typed)) return undefined
  const value = Number(typed)
  return value >= 1 && value <= most ? value : undefined
}

/** The next multiple of `step` in the direction, kept between 1 and `most`. */
function stepped(
  value: number,
  { direction, step, most }: { direction: 1 | -1; step: number; most: number },
): number {
  const steps = direction === 1 ? Math.floor(value / step) : Math.ceil(value / step)
  return Math.min(most, Math.max(1, (steps + direction) * step))
}
