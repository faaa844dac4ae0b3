// Messages of these errors quote only names from our own program, never values.
const errorsWithSafeMessages = new Set(['ReferenceError'])

/**
 * What may be logged about an error: its type, its code and where it was thrown. The message is left out, since it can quote
 * text that a person typed.
 */
export function loggable(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error ? error.code : undefined
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    ...(errorsWithSafeMessages.has(error.name) && { message: error.message }),
    stack: framesOf(error),
    ...(error.cause !== undefined && { cause: loggable(error.cause) }),
  }
}

function framesOf(error: Error): string[] {
  const stack = error.stack ?? ''
  // A message may contain lines that look like frames, so it is cut off as a whole; the frames after it begin with 'at'.
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
