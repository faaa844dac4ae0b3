import { wordFor } from '#platform/format/words.ts'

/** Receives the progress of a database update as text. */
export type ReportProgress = (text: string) => void

// Milliseconds after which a step that is still running is reported again.
const repeatEvery = 3_000

/** Reports each step of an update as it begins, and again every few seconds while it runs. */
export interface UpdateProgress {
  begin(doing: () => string): void
  /** For steps that usually end at once: reports the step only if it takes long. */
  wait(doing: string): void
  report: ReportProgress
  done(steps: number): void
  stop(): void
}

export function updateProgress(report: ReportProgress): UpdateProgress {
  const begun = performance.now()
  let since = begun
  let describe = () => ''
  const secondsFrom = (instant: number) => `${Math.round((performance.now() - instant) / 1_000)} s`
  const timer = setInterval(() => {
    report(`Updating the database: ${describe()}, ${secondsFrom(since)} so far`)
  }, repeatEvery)
  const switchTo = (doing: () => string) => {
    describe = doing
    since = performance.now()
    timer.refresh()
  }
  return {
    begin(doing) {
      switchTo(doing)
      report(`Updating the database: ${doing()}`)
    },
    wait: (doing) => switchTo(() => doing),
    report,
    done(steps) {
      report(`The database is updated: ${steps} ${wordFor(steps, 'step')} in ${secondsFrom(begun)}`)
    },
    stop: () => clearInterval(timer),
  }
}
