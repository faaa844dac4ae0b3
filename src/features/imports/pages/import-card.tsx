import { CircleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { integerFormat } from '#platform/format/format-number.ts'
import { counted } from '#platform/format/words.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { Card } from '#platform/ui/layout/card.tsx'
import type { Unreadable } from '../opening/read-file.ts'
import { FateLines } from '../preview/web/fate-lines.tsx'
import { formatLines } from '../preview/web/format-fates.ts'
import { countToImport, type PreviewLine } from '../preview/web/preview-lines.ts'
import type { FileFacts } from '../writing/web/import-asks.ts'
import type { ImportRun, ImportState } from '../writing/web/import-run.ts'
import { howToExport } from './how-to-export.ts'
import { type DrawExample, ImportPreview } from './import-preview.tsx'
import { ImportProgress } from './import-progress.tsx'
import { ImportQuestions, type ZoneChoice } from './import-questions.tsx'
import { Sources } from './sources.tsx'

interface ImportCardProps {
  run: ImportRun
  state: Exclude<ImportState, { step: 'none' }>
  /** Whether the person has just chosen the file here, rather than returned from another page. */
  justChosen: boolean
  /** Whether the file's preferences are imported by default. */
  takePreferences: boolean
  drawExample: DrawExample
  zoneChoice: ZoneChoice
  onChooseAnother(): void
}

type Written = Extract<ImportState, { step: 'written' }>

/** Shows the import of a file, from reading it to the result. */
export function ImportCard({ justChosen, ...shown }: ImportCardProps) {
  const { state, onChooseAnother } = shown
  const card = useRef<HTMLElement>(null)
  const first = useRef(true)
  const follow = useEffectEvent(() => {
    // The focused element may have gone with the previous step; then the card takes the focus. A focus elsewhere on the page
    // stays.
    if (first.current ? justChosen : document.activeElement === document.body) card.current?.focus()
    first.current = false
    const sentence = announcementOf(state)
    if (sentence !== undefined) announce(sentence)
  })
  const { step } = state
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each step
  useEffect(() => follow(), [step])

  return (
    <Card
      ref={card}
      title={titleOf(state)}
      subtitle={subtitleOf(state)}
      busy={step === 'reading' || step === 'comparing'}
      action={
        (step === 'preview' || step === 'asking') && (
          <Button variant="quiet" className="-mx-4" onClick={onChooseAnother}>
            Choose another file
          </Button>
        )
      }
    >
      <Step {...shown} />
    </Card>
  )
}

function Step({
  run,
  state,
  takePreferences,
  drawExample,
  zoneChoice,
  onChooseAnother,
}: Omit<ImportCardProps, 'justChosen'>): ReactNode {
  const { timeZone } = useUserCalendar()
  switch (state.step) {
    case 'reading': {
      const done = state.fraction === undefined ? undefined : percentOf(state.fraction)
      return (
        <ImportProgress
          label="Reading"
          done={done}
          text={done ? `${done.count}% read` : 'Reading the file...'}
          onCancel={() => run.cancel()}
        />
      )
    }
    case 'comparing':
      return (
        <ImportProgress
          label="Comparing"
          done={state.done}
          text="Comparing with what is in your account..."
          onCancel={() => run.cancel()}
        />
      )
    case 'refused':
      return (
        <Refused
          unreadable={state.unreadable}
          onChooseAnother={onChooseAnother}
          onClose={() => run.close()}
        />
      )
    case 'failed':
      return (
        <>
          <Problem>{state.problem}</Problem>
          <div className="mt-4 flex flex-wrap justify-end gap-2">
            <Button variant="secondary" onClick={() => run.close()}>
              Close
            </Button>
            <Button onClick={() => void run.tryAgain()}>Try again</Button>
          </div>
        </>
      )
    case 'asking':
      return (
        <ImportQuestions
          questions={state.questions}
          answers={state.answers}
          defaultZone={timeZone}
          busy={state.busy}
          problem={state.problem}
          zoneChoice={zoneChoice}
          onAnswer={(id, answer) => void run.answer(id, answer)}
          onContinue={() => void run.proceed()}
          onCancel={() => run.cancel()}
        />
      )
    case 'preview':
      return (
        <ImportPreview
          read={state.read}
          preview={state.preview}
          rowsOf={run.rowsOf}
          drawExample={drawExample}
          takePreferences={takePreferences}
          onImport={(preferencesToo) => void run.write(preferencesToo)}
          onCancel={() => run.cancel()}
        />
      )
    case 'writing': {
      const done = percentOf(state.done.count / state.done.of)
      return (
        <ImportProgress
          label="Importing"
          done={done}
          text={`${done.count}% imported. You can go on to another page.`}
          onCancel={() => run.cancel()}
        />
      )
    }
    case 'written':
      if (state.problem !== undefined)
        return <Stopped {...state} problem={state.problem} onClose={() => run.close()} />
      return (
        <>
          {state.preferencesProblem !== undefined && (
            <Problem>{`The preferences weren't imported: ${state.preferencesProblem}`}</Problem>
          )}
          <FateLines lines={state.lines ?? []} told="after" rowsOf={run.rowsOf} />
          {preferencesCame(state) && (
            <p className="mt-1 text-control text-ink-2">Your preferences were imported too.</p>
          )}
          <div className="mt-3 flex flex-wrap items-center justify-end gap-x-4 gap-y-3">
            <p className="min-w-0 flex-1 basis-64 text-ink-3 text-small">
              It can be undone for 30 days, under Past imports.
            </p>
            <Button variant="secondary" onClick={() => run.close()}>
              Done
            </Button>
          </div>
        </>
      )
  }
}

function percentOf(fraction: number): { count: number; of: number } {
  return { count: Math.floor(fraction * 100), of: 100 }
}

function Problem({ children }: { children: string }) {
  return (
    <p role="alert" className="mt-4 flex gap-1.5 text-control text-danger">
      <CircleAlert size={14} className="mt-[3px] shrink-0" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}

interface RefusedProps {
  unreadable: Unreadable
  onChooseAnother(): void
  onClose(): void
}

/** Says why a file cannot be imported, and which file to export instead. */
function Refused({ unreadable: { problem, source }, onChooseAnother, onClose }: RefusedProps) {
  const known = howToExport.find((each) => each.source === source)
  return (
    <>
      <Problem>{problem}</Problem>
      {known ? (
        <p className="mt-3 text-control text-ink-2">
          <span className="font-medium text-ink">How to export from {known.name}: </span>
          {known.how}
        </p>
      ) : (
        <section aria-labelledby="import-sources" className="mt-5">
          <h3 id="import-sources" className="mb-2 font-medium text-control">
            What can be imported, and how to export it
          </h3>
          <Sources />
        </section>
      )}
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onClose}>
          Close
        </Button>
        <Button onClick={onChooseAnother}>Choose another file</Button>
      </div>
    </>
  )
}

interface StoppedProps {
  problem: string
  lines: readonly PreviewLine[] | undefined
  planned: number
  onClose(): void
}

function Stopped({ problem, lines, planned, onClose }: StoppedProps) {
  return (
    <>
      <Problem>{problem}</Problem>
      <p className="mt-3 text-control text-ink-2">{formatImportedSoFar(lines, planned)}</p>
      <div className="mt-4 flex justify-end">
        <Button variant="secondary" onClick={onClose}>
          Close
        </Button>
      </div>
    </>
  )
}

function formatImportedSoFar(lines: StoppedProps['lines'], planned: number): string {
  const goOn = 'Import the same file again to continue, or undo it under Past imports.'
  if (!lines) return goOn
  const count = countToImport(lines)
  if (count === 0) return 'Nothing was imported.'
  return `Imported so far: ${integerFormat.format(count)} of ${integerFormat.format(planned)} items. ${goOn}`
}

function preferencesCame({ preferencesToo, problem, preferencesProblem }: Written): boolean {
  return preferencesToo && problem === undefined && preferencesProblem === undefined
}

function titleOf(state: ImportCardProps['state']): string {
  switch (state.step) {
    case 'reading':
      return 'Reading a file'
    case 'refused':
      return "This file can't be imported"
    case 'writing':
      return `Importing from ${originOf(state.read)}`
    case 'written':
      return state.problem === undefined ? `Imported from ${originOf(state.read)}` : 'Import stopped'
    default:
      return `Import from ${originOf(state.read)}`
  }
}

function originOf({ own, sourceName }: FileFacts): string {
  return own ? 'a Daymark file' : sourceName
}

function subtitleOf(state: ImportCardProps['state']): string {
  if (!('read' in state)) return state.file
  return `${state.file}, ${counted(state.read.rowCount, 'row')}`
}

/** What screen readers announce when the card shows another step. An error is an alert, which they read anyway. */
function announcementOf(state: ImportCardProps['state']): string | undefined {
  switch (state.step) {
    case 'reading':
      return `Reading ${state.file}`
    case 'asking':
      return `A question about ${state.file}`
    case 'preview':
      return `Ready to import: ${formatLines(state.preview.lines, 'before')}`
    case 'writing':
      return 'Importing'
    case 'written':
      return state.problem === undefined
        ? `Import finished: ${formatLines(state.lines ?? [], 'after')}`
        : undefined
    case 'refused':
    case 'failed':
    case 'comparing':
      return undefined
  }
}
