import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'

// Only this log goes to standard output, one JSON object per line; messages for a person go to standard error.

/** Bytes to buffer while the log cannot be written, such as on a full disk. Lines beyond that are lost. */
const maxBuffered = 256 * 1024
/** Milliseconds until writing the log is tried again. */
const retryDelay = 1_000

/**
 * Logs to a file that is already open. Lines of one turn of the event loop are written together and synchronously, so that
 * a busy server does not wake the reader for every line. A failed write stops nothing.
 */
export function openLog(file = 1): Logger {
  const destination = bufferedWriter(file, (lines) => {
    log.warn({ lines }, 'The log could not be written; lines are missing here')
  })
  const log = pino({ base: undefined, timestamp: timeWriter() }, destination)
  return log
}

/** Keeps the program running when standard error cannot be written. */
export function surviveFullStandardError(): void {
  process.stderr.on('error', () => {})
}

function bufferedWriter(file: number, onLost: (lines: number) => void) {
  let lines = ''
  let buffered: Buffer = Buffer.alloc(0)
  let lostLines = 0
  let retry: NodeJS.Timeout | undefined

  function flush(): void {
    try {
      while (buffered.length > 0) buffered = buffered.subarray(writeSync(file, buffered))
    } catch {
      // Nothing reads the log, or there is no room. A line that was cut off continues at the next try.
      return
    }
    if (lostLines === 0) return
    const count = lostLines
    lostLines = 0
    onLost(count)
  }

  function writeBatch(): void {
    const batch = lines
    lines = ''
    if (buffered.length > 0 && buffered.length + Buffer.byteLength(batch) > maxBuffered)
      lostLines += batch.split('\n').length - 1
    else buffered = buffered.length > 0 ? Buffer.concat([buffered, Buffer.from(batch)]) : Buffer.from(batch)
    if (retry !== undefined) return
    flush()
    if (buffered.length > 0) retryLater()
  }

  function retryLater(): void {
    retry = setTimeout(() => {
      retry = undefined
      flush()
      if (buffered.length > 0) retryLater()
    }, retryDelay).unref()
  }

  process.once('exit', () => {
    writeBatch()
    flush()
  })
  return {
    write(line: string) {
      if (lines === '') setImmediate(writeBatch)
      lines += line
    },
  }
}

/** Returns the time as a JSON field in ISO 8601, formatted once for all lines of one millisecond. */
function timeWriter(): () => string {
  let at = 0
  let field = ''
  return () => {
    const now = Date.now()
    if (now !== at) field = `,"time":"${new Date(now).toISOString()}"`
    at = now
    return field
  }
}
