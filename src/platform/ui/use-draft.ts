import { useState } from 'react'

/** One field of an open editor. */
export interface Draft<Value> {
  /** What the person made of it; as long as they leave it alone, what it is by now, wherever it was changed. */
  value: Value
  /** What it was when they first touched it, or what it is by now. A `value` that says the same is nothing to save. */
  from: Value
  change(value: Value): void
  /** It counts as untouched again. */
  reset(): void
}

/**
 * Keeps what a person makes of a field apart from what it is: an editor that is left untouched shows what was changed
 * elsewhere and saves nothing, so it cannot take that back. One for each field, since each is saved by itself.
 */
export function useDraft<Value>(current: Value): Draft<Value> {
  // Touched, it stays so, even where it says again what it said: text may be on its way from one thing to another.
  const [touched, setTouched] = useState<Pick<Draft<Value>, 'value' | 'from'>>()
  return {
    ...(touched ?? { value: current, from: current }),
    change: (value) => setTouched((before) => ({ value, from: before ? before.from : current })),
    reset: () => setTouched(undefined),
  }
}
