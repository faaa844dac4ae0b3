import { Button } from '#platform/ui/controls/button.tsx'

interface ImportProgressProps {
  label: string
  /** The progress so far; undefined while the amount of work is unknown. */
  done: { count: number; of: number } | undefined
  /** The text below the bar. */
  text: string
  onCancel(): void
}

/** The progress of reading or writing a file, with a button to stop it. */
export function ImportProgress({ label, done, text, onCancel }: ImportProgressProps) {
  const known = done && { 'aria-valuemin': 0, 'aria-valuemax': done.of, 'aria-valuenow': done.count }
  return (
    <div className="mt-5">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuetext={text}
        {...known}
        className="h-1 overflow-hidden rounded-cell bg-heat-0 forced-colors:border"
      >
        <div
          className="h-full bg-accent forced-colors:bg-[Highlight]"
          style={{ width: `${done ? (100 * done.count) / done.of : 0}%` }}
        />
      </div>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <p className="text-control text-ink-2 tabular-nums">{text}</p>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
