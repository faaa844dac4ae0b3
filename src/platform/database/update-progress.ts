/** Hears in words how an update of the database gets on. */
export type Tell = (words: string) => void

// Milliseconds after which what still goes on is told again.
const patience = 3_000

/** What an update is doing: told as it begins, and again every few seconds for as long as it goes on. */
export interface UpdateProgress {
  begin(doing: () => string): void
  /** For what is mostly over at once: told only when it is not. */
  wait(doing: string): void
  tell: Tell
  done(steps: number): void
  stop(): void
}

export function updateProgress(tell: Tell): UpdateProgress {
  const begun = performance.now()
  let since = begun
  let words = () => ''
  const secondsFrom = (instant: number) => `${Math.round((performance.now() - instant) / 1_000)} s`
  const telling = setInterval(() => {
    tell(`Updating the database: ${words()}, ${secondsFrom(since)} so far`)
  }, patience)
  const turnTo = (doing: () => string) => {
    words = doing
    since = performance.now()
    telling.refresh()
  }
  return {
    begin(doing) {
      turnTo(doing)
      tell(`Updating the database: ${doing()}`)
    },
    wait: (doing) => turnTo(() => doing),
    tell,
    done(steps) {
      tell(`The database is updated: ${steps} ${steps === 1 ? 'step' : 'steps'} in ${secondsFrom(begun)}`)
    },
    stop: () => clearInterval(telling),
  }
}
