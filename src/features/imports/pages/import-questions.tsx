import { type ReactNode, useId } from 'react'
import { Button } from '#platform/ui/controls/button.tsx'
import { Select } from '#platform/ui/controls/select.tsx'
import type { ReadQuestion } from '../reading/reading.ts'

/** Draws the choice of a time zone. The app passes this component in, because the choice belongs to the preferences feature. */
export type ZoneChoice = (props: {
  labelledBy: string
  zone: string
  onChoose: (zone: string) => void
}) => ReactNode

interface ImportQuestionsProps {
  questions: readonly ReadQuestion[]
  answers: Readonly<Record<string, string>>
  /** The zone that is selected at first. */
  defaultZone: string
  /** Whether the file is being read again with an answer. */
  busy: boolean
  /** Why the file cannot be read with the present answers. */
  problem: string | undefined
  zoneChoice: ZoneChoice
  onAnswer(id: string, answer: string): void
  onContinue(): void
  onCancel(): void
}

/** Asks what the file alone does not tell. The examples show at once what an answer means. */
export function ImportQuestions({
  questions,
  busy,
  problem,
  onContinue,
  onCancel,
  ...each
}: ImportQuestionsProps) {
  return (
    <form
      className="mt-4 grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onContinue()
      }}
    >
      {questions.map((question) => (
        <Question key={question.id} question={question} {...each} />
      ))}
      {problem !== undefined && (
        <p role="alert" className="text-control text-danger">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={busy} disabled={problem !== undefined}>
          Continue
        </Button>
      </div>
    </form>
  )
}

type QuestionProps = Pick<ImportQuestionsProps, 'answers' | 'defaultZone' | 'zoneChoice' | 'onAnswer'> & {
  question: ReadQuestion
}

function Question({ question, answers, defaultZone, zoneChoice: Zone, onAnswer }: QuestionProps) {
  const { id, ask, kind, options = [], assumed, examples } = question
  const label = useId()
  return (
    <div className="grid gap-x-6 gap-y-2 @[36rem]:grid-cols-2">
      <p id={label} className="font-medium text-control @[36rem]:pt-2.5">
        {ask}
      </p>
      {kind === 'zone' ? (
        <>
          <Zone
            labelledBy={label}
            zone={answers[id] ?? assumed ?? defaultZone}
            onChoose={(zone) => onAnswer(id, zone)}
          />
          <ul
            aria-label="Examples"
            className="grid gap-1 rounded-control bg-sunken px-4 py-3 text-ink-2 text-small [list-style-type:''] @[36rem]:col-span-2"
          >
            {examples.map((example, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they stay where they are, and two may look alike
              <li key={place} className="wrap-anywhere">
                <bdi>{example}</bdi>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <div className="min-w-0">
          <Select
            aria-labelledby={label}
            aria-describedby={examples.length > 0 ? `${label}-examples` : undefined}
            value={answers[id] ?? assumed ?? ''}
            onChange={({ currentTarget }) => onAnswer(id, currentTarget.value)}
          >
            <option value="">None</option>
            {options.map((option) => (
              <option key={option} value={option}>
                {option}
              </option>
            ))}
          </Select>
          {examples.length > 0 && (
            <p id={`${label}-examples`} className="mt-1 truncate text-ink-3 text-small">
              {examples.join(' · ')}
            </p>
          )}
        </div>
      )}
    </div>
  )
}
