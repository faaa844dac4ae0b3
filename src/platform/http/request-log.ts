import type { Logger } from 'pino'
import type { OnAnswered } from './answered.ts'

/** One line a request. Questions about health come every few seconds, and would bury the others. */
export function requestLog(log: Logger): OnAnswered {
  return (answered) => {
    if (answered.route !== '/api/health') log.info(answered)
  }
}

// What their messages quote is a name in our own program, never a value.
const saysNothingOfPeople = new Set(['ReferenceError'])

/**
 * What may be written of an error: its kind, its code and where it was thrown. A message can quote what a person typed,
 * in a database's words or the program's.
 */
export function loggable(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error ? error.code : undefined
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    ...(saysNothingOfPeople.has(error.name) && { message: error.message }),
    stack: framesOf(error),
    ...(error.cause !== undefined && { cause: loggable(error.cause) }),
  }
}

function framesOf(error: Error): string[] {
  const stack = error.stack ?? ''
  // A message may have lines that look like frames, so it is cut off as a whole; what remains begins with 'at'.
  const rest = stack.includes(error.message)
    ? stack.slice(stack.indexOf(error.message) + error.message.length)
    : ''
  return rest
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim())
}

export function withoutAddresses(text: string): string {
  return text.replace(/[^\s"'<>()=]+@[^\s"'<>()=]+/g, '(address)')
}
