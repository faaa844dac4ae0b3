import { useEffect, useEffectEvent, useState } from 'react'

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

/** Keeps what is typed in one field for the next page, should this one end before it is saved. */
export interface DraftKeeper {
  find(): { text: string; from: string } | undefined
  keep(text: string, from: string): void
  /** `text`: only if that is what is kept; another tab may have the same field open. */
  forget(text?: string): void
  /** The same for what was just saved, once the device has stored that. */
  forgetSaved(text: string): void
  /** Calls `onGone` when what is kept was saved or discarded elsewhere. Returns an unsubscribe function. */
  watchGone(onGone: () => void): () => void
}

/**
 * Keeps what a person enters into a field apart from its current value: an untouched editor shows what was changed
 * elsewhere and saves nothing, so it cannot undo that. Use one per field, since each field is saved separately.
 */
export function useDraft<Value>(current: Value): Draft<Value> {
  return useTouched(current, () => undefined)
}

interface KeptDraft extends Draft<string> {
  /** It is what an earlier page kept, and nobody has gone on with it here. */
  isFound: boolean
  /** `from`: what stands by now, if that was saved since the field was first touched. */
  change(text: string, from?: string): void
}

/** The same for a text that is kept with every key. Whoever saves or discards it tells the keeper. */
export function useKeptDraft(current: string, keeper: DraftKeeper | undefined): KeptDraft {
  const [found, setFound] = useState(() => {
    const kept = keeper?.find()
    if (kept?.text !== current) return kept
    // It was saved all the same.
    keeper?.forgetSaved(kept.text)
  })
  const draft = useTouched(current, () => found && { value: found.text, from: found.from })
  const isFound = found !== undefined
  const forgetFound = useEffectEvent(() => {
    setFound(undefined)
    draft.reset()
  })
  useEffect(() => {
    if (isFound) return keeper?.watchGone(() => forgetFound())
  }, [isFound, keeper])
  return {
    ...draft,
    isFound,
    change(text, from = draft.from) {
      setFound(undefined)
      draft.change(text)
      if (text === from) keeper?.forget()
      else keeper?.keep(text, from)
    },
    reset() {
      setFound(undefined)
      draft.reset()
    },
  }
}

type Touched<Value> = Pick<Draft<Value>, 'value' | 'from'>

function useTouched<Value>(current: Value, before: () => Touched<Value> | undefined): Draft<Value> {
  // It stays touched even if it is back at its first value: the person may be in the middle of typing.
  const [touched, setTouched] = useState(before)
  return {
    ...(touched ?? { value: current, from: current }),
    change: (value) => setTouched((before) => ({ value, from: before ? before.from : current })),
    reset: () => setTouched(undefined),
  }
}
