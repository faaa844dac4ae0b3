import { type ReactNode, useId } from 'react'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { weekdayName } from '#platform/format/words.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Field } from '#platform/ui/controls/field.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import { Segments } from '#platform/ui/controls/segments.tsx'
import { Select } from '#platform/ui/controls/select.tsx'
import { minutesUnit } from '../amounts/minutes.ts'
import { inWeek } from '../rhythm/web/rhythm-words.ts'
import {
  type RhythmDraft,
  type RhythmKind,
  rhythmKinds,
  rhythmProblem,
  targetProblem,
} from './rhythm-draft.ts'

interface RhythmFieldsProps {
  draft: RhythmDraft
  change(changes: Partial<RhythmDraft>): void
}

const everyWeekday = [1, 2, 3, 4, 5, 6, 7]

/** Chooses how often a habit is to be done. */
export function FrequencyField({ draft, change }: RhythmFieldsProps) {
  const { weekStart } = useUserCalendar()
  const problem = rhythmProblem(draft)
  const { kind } = draft
  const number = (field: 'times' | 'days', label: string) => (
    <Input
      aria-label={label}
      aria-invalid={problem !== undefined || undefined}
      inputMode="numeric"
      autoComplete="off"
      maxLength={3}
      value={draft[field]}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
      className="w-16 tabular-nums"
    />
  )
  return (
    <div>
      <Field label="Frequency">
        {(control) => (
          <Select
            {...control}
            value={kind}
            onChange={({ currentTarget: { value } }) => {
              const chosen = rhythmKinds.find((each) => each.kind === value)
              if (chosen) change({ kind: chosen.kind, ...chosen.first })
            }}
          >
            {rhythmKinds.map(({ kind, label, example }) => (
              <option key={kind} value={kind}>
                {example === undefined || kind === draft.kind ? label : `${label}: ${example}`}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {kind === 'weekdays' && (
        <fieldset aria-label="Weekdays" className="mt-2 grid grid-cols-7 gap-2 max-md:gap-1">
          {inWeek(everyWeekday, weekStart).map((weekday) => {
            const name = weekdayName(weekday)
            const isChosen = draft.weekdays.includes(weekday)
            return (
              <button
                key={weekday}
                type="button"
                aria-label={name}
                aria-pressed={isChosen}
                onClick={() =>
                  change({
                    weekdays: isChosen
                      ? draft.weekdays.filter((other) => other !== weekday)
                      : [...draft.weekdays, weekday].sort(),
                  })
                }
                className={cn(
                  'min-h-9 min-w-0 rounded-control text-control text-ink-2 ring ring-edge ring-inset transition-colors hover:bg-hover pointer-coarse:min-h-11',
                  'aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:ring-2 aria-pressed:ring-ink',
                )}
              >
                {name.slice(0, 1)}
              </button>
            )
          })}
        </fieldset>
      )}
      {sentences[kind]?.(number)}
      {problem && <p className="mt-2 text-control text-danger">{problem}</p>}
    </div>
  )
}

type NumberField = (field: 'times' | 'days', label: string) => ReactNode

const line = 'mt-2 flex flex-wrap items-center gap-2 text-control text-ink-2'

const sentences: Partial<Record<RhythmKind, (number: NumberField) => ReactNode>> = {
  week: (number) => <div className={line}>{number('times', 'Times a week')} times a week</div>,
  month: (number) => <div className={line}>{number('times', 'Times a month')} times a month</div>,
  every: (number) => <div className={line}>every {number('days', 'Every how many days')} days</div>,
  block: (number) => (
    <div className={line}>
      {number('times', 'Times')} times in {number('days', 'In how many days')} days
    </div>
  ),
}

/** Chooses what makes a habit done: a tick or an amount. */
export function GoalField({ draft, change }: RhythmFieldsProps) {
  const label = useId()
  const problem = targetProblem(draft)
  return (
    <div>
      <p id={label} className="mb-2 text-control font-medium text-ink">
        Goal
      </p>
      <Segments
        aria-labelledby={label}
        value={draft.goal}
        onChange={(goal) => change({ goal })}
        options={[
          { value: 'tick', label: 'Tick it' },
          { value: 'count', label: 'Count it' },
          { value: 'time', label: 'Time it' },
        ]}
      />
      {draft.goal !== 'tick' && (
        <div className="mt-2 flex flex-wrap gap-2">
          <Select
            aria-label="At least or at most"
            value={draft.at}
            onChange={({ currentTarget: { value } }) => change({ at: value === 'most' ? 'most' : 'least' })}
            className="w-32"
          >
            <option value="least">At least</option>
            <option value="most">At most</option>
          </Select>
          <Input
            aria-label="Amount"
            aria-invalid={problem?.field === 'amount' || undefined}
            inputMode="decimal"
            autoComplete="off"
            value={draft.amount}
            onChange={(event) => change({ amount: event.currentTarget.value })}
            className="w-16 tabular-nums"
          />
          {draft.goal === 'count' ? (
            <Input
              aria-label="Unit"
              aria-invalid={problem?.field === 'unit' || undefined}
              placeholder="glasses"
              dir="auto"
              autoComplete="off"
              maxLength={60}
              value={draft.unit}
              onChange={(event) => change({ unit: event.currentTarget.value })}
              className="w-28 min-w-0 flex-1"
            />
          ) : (
            <span className="flex-1 self-center text-control text-ink-2">{minutesUnit}</span>
          )}
          <span id={`${label}-per`} className="sr-only">
            Per day, week or month
          </span>
          <Segments
            aria-labelledby={`${label}-per`}
            value={draft.per}
            onChange={(per) => change({ per })}
            options={[
              { value: 'day', label: 'a day' },
              { value: 'week', label: 'a week' },
              { value: 'month', label: 'a month' },
            ]}
            className="w-full"
          />
          {draft.goal === 'time' && (
            <p className="w-full text-control text-ink-3">
              Focus sessions on this habit count automatically.
            </p>
          )}
        </div>
      )}
      {problem?.isShown && <p className="mt-2 text-control text-danger">{problem.message}</p>}
    </div>
  )
}
