import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'

// Standard output is this log alone, one JSON object a line; what is said to a person goes to standard error.

/** Bytes that are kept for a log that cannot be written, such as on a full disk. What comes after them is lost. */
const mostKept = 256 * 1024
/** Milliseconds after which it is tried again. */
const tryAgain = 1_000

/**
 * The log on a file that is open already. Its lines of one turn of the event loop are written together, and waited for, so
 * that a busy server does not wake its reader for each. Whether it can be written stops nothing.
 */
export function openLog(file = 1): Logger {
  const destination = keptUntilWritten(file, (lines) => {
    log.warn({ lines }, 'The log could not be written; lines are missing here')
  })
  const log = pino({ base: undefined, timestamp: timeWriter() }, destination)
  return log
}

/** A standard error that cannot be written would end the program otherwise. */
export function surviveFullStandardError(): void {
  process.stderr.on('error', () => {})
}

function keptUntilWritten(file: number, missing: (lines: number) => void) {
  let lines = ''
  let kept: Buffer = Buffer.alloc(0)
  let lost = 0
  let waiting: NodeJS.Timeout | undefined

  function writeKept(): void {
    try {
      while (kept.length > 0) kept = kept.subarray(writeSync(file, kept))
    } catch {
      // Nobody reads it, or there is no room. Where a line was cut off it goes on there.
      return
    }
    if (lost === 0) return
    const count = lost
    lost = 0
    missing(count)
  }

  function writeTurn(): void {
    const said = lines
    lines = ''
    if (kept.length > 0 && kept.length + Buffer.byteLength(said) > mostKept)
      lost += said.split('\n').length - 1
    else kept = kept.length > 0 ? Buffer.concat([kept, Buffer.from(said)]) : Buffer.from(said)
    if (waiting !== undefined) return
    writeKept()
    if (kept.length > 0) tryLater()
  }

  function tryLater(): void {
    waiting = setTimeout(() => {
      waiting = undefined
      writeKept()
      if (kept.length > 0) tryLater()
    }, tryAgain).unref()
  }

  process.once('exit', () => {
    writeTurn()
    writeKept()
  })
  return {
    write(line: string) {
      if (lines === '') setImmediate(writeTurn)
      lines += line
    },
  }
}

/** In ISO 8601, put into words once for all lines of a millisecond. */
function timeWriter(): () => string {
  let at = 0
  let words = ''
  return () => {
    const now = Date.now()
    if (now !== at) words = `,"time":"${new Date(now).toISOString()}"`
    at = now
    return words
  }
}
