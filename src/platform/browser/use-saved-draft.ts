import { useCallback, useLayoutEffect, useRef } from 'react'
import { useBeforeLeaving } from './use-before-leaving.ts'
import { type Draft, useDraft } from './use-draft.ts'

/** Milliseconds after the last key until what was typed is saved. */
const pause = 500

interface SavedDraft extends Pick<Draft<string>, 'value' | 'change'> {
  /** The person leaves the field: what was typed is saved, and it shows what stands. One that can't be saved stays. */
  leave(): void
}

/**
 * A field without a Save button: what is typed in it is saved a moment after the last key, and when the field or the page is left.
 * While it is being typed in, changes made elsewhere do not show. `save` is not called with a text that `mayBe` refuses.
 */
export function useSavedDraft(
  current: string,
  { mayBe, save }: { mayBe(text: string): boolean; save(text: string): void },
): SavedDraft {
  const draft = useDraft(current)
  /** What is not saved yet. */
  const typed = useRef<string>(undefined)
  /** What was saved last, or else the value when the field was first touched; undefined while it is untouched. */
  const known = useRef<string>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ mayBe, save })
  useLayoutEffect(() => {
    latest.current = { mayBe, save }
  })
  const saveTyped = useCallback(() => {
    clearTimeout(timer.current)
    const text = typed.current
    typed.current = undefined
    if (text === undefined || text === known.current || !latest.current.mayBe(text)) return
    known.current = text
    latest.current.save(text)
  }, [])
  useBeforeLeaving(saveTyped)

  return {
    value: draft.value,
    change(text) {
      known.current ??= current
      draft.change(text)
      typed.current = text
      clearTimeout(timer.current)
      timer.current = setTimeout(saveTyped, pause)
    },
    leave() {
      saveTyped()
      // A text that can't be saved stays, with its problem.
      if (draft.value.trim() !== '' && !mayBe(draft.value)) return
      known.current = undefined
      draft.reset()
    },
  }
}
