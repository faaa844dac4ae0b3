import { useState } from 'react'

/** One field of an open editor. */
export interface Draft<Value> {
  /** What the person entered; until they touch the field, its current value, wherever that was changed. */
  value: Value
  /** The value when they first touched the field, or else its current value. If `value` equals it, there is nothing to save. */
  from: Value
  change(value: Value): void
  /** Makes the field count as untouched again. */
  reset(): void
}

/**
 * Keeps what a person enters into a field apart from its current value: an untouched editor shows what was changed
 * elsewhere and saves nothing, so it cannot undo that. Use one per field, since each field is saved separately.
 */
export function useDraft<Value>(current: Value): Draft<Value> {
  // It stays touched even if it is back at its first value: the person may be in the middle of typing.
  const [touched, setTouched] = useState<Pick<Draft<Value>, 'value' | 'from'>>()
  return {
    ...(touched ?? { value: current, from: current }),
    change: (value) => setTouched((before) => ({ value, from: before ? before.from : current })),
    reset: () => setTouched(undefined),
  }
}
