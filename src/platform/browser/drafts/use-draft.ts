import { useEffect, useEffectEvent, useState } from 'react'

/** One field of an open editor. */
export interface Draft<Value> {
  /** What the person entered. While the field is untouched, this is its current value, even if that was changed elsewhere. */
  value: Value
  /**
   * The value when the person first touched the field, or the current value while it is untouched. If `value` equals it, there
   * is nothing to save.
   */
  from: Value
  change(value: Value): void
  /** Makes the field count as untouched again. */
  reset(): void
}

/** Keeps the unsaved text of one field, so that the next page can restore it if this one ends first. */
export interface DraftKeeper {
  find(): { text: string; from: string } | undefined
  keep(text: string, from: string): void
  /** Forgets the kept text. With `text`, only if that text is kept, since another tab may have the same field open. */
  forget(text?: string): void
  /** Forgets text that was just saved, once the device has stored the save. */
  forgetSaved(text: string): void
  /** Calls `onGone` when the kept text was saved or discarded elsewhere. Returns an unsubscribe function. */
  watchGone(onGone: () => void): () => void
}

/**
 * Keeps what a person enters apart from the field's current value. An untouched editor shows changes made elsewhere and
 * saves nothing, so it cannot undo them. Use one draft per field, since each field is saved separately.
 */
export function useDraft<Value>(current: Value): Draft<Value> {
  return useTouched(current, () => undefined)
}

interface KeptDraft extends Draft<string> {
  /** Whether the text comes from an earlier page and has not been edited here yet. */
  isFound: boolean
  /** `from`: the value that was saved after the person first touched the field, if any was. */
  change(text: string, from?: string): void
}

/** A draft whose text goes to the keeper with every key. The caller tells the keeper when the text is saved or discarded. */
export function useKeptDraft(current: string, keeper: DraftKeeper | undefined): KeptDraft {
  const [found, setFound] = useState(() => {
    const kept = keeper?.find()
    if (kept?.text !== current) return kept
    // The kept text had been saved after all.
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
  // A field stays touched even when it is back at its first value: the person may be in the middle of typing.
  const [touched, setTouched] = useState(before)
  return {
    ...(touched ?? { value: current, from: current }),
    change: (value) => setTouched((before) => ({ value, from: before ? before.from : current })),
    reset: () => setTouched(undefined),
  }
}
