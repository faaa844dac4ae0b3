import { useCallback, useLayoutEffect, useRef } from 'react'
import { useBeforeLeaving } from './use-before-leaving.ts'
import { type DraftKeeper, useKeptDraft } from './use-draft.ts'

/** Milliseconds after the last key until what was typed is saved. */
const pause = 500

interface SavedDraft extends Pick<ReturnType<typeof useKeptDraft>, 'value' | 'change' | 'isFound'> {
  /** The person leaves the field: what was typed is saved, and it shows what stands. One that can't be saved stays. */
  leave(): void
}

/**
 * A field without a Save button: what is typed in it is saved a moment after the last key, and when the field or the page is left.
 * While it is being typed in, changes made elsewhere do not show. `save` is not called with a text that `mayBe` refuses.
 * With a `keeper`, what a page that was killed had not saved yet is there again. It is saved as well, but where the value was
 * changed meanwhile only by somebody who has been in the field.
 */
export function useSavedDraft(
  current: string,
  {
    mayBe,
    save,
    keeper,
  }: { mayBe(text: string): boolean; save(text: string): void; keeper?: DraftKeeper | undefined },
): SavedDraft {
  const draft = useKeptDraft(current, keeper)
  /** What is not saved yet. */
  const typed = useRef<string>(undefined)
  /** What was saved last, or else the value when the field was first touched; undefined while it is untouched. */
  const known = useRef<string>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ mayBe, save, keeper })
  useLayoutEffect(() => {
    latest.current = { mayBe, save, keeper }
  })
  const saveTyped = useCallback(() => {
    clearTimeout(timer.current)
    const text = typed.current
    const { mayBe, save, keeper } = latest.current
    typed.current = undefined
    if (text === undefined) return
    if (text === known.current) return keeper?.forgetSaved(text)
    if (!mayBe(text)) return
    known.current = text
    save(text)
    keeper?.forgetSaved(text)
  }, [])
  const takeFound = () => {
    known.current ??= draft.from
    typed.current = draft.value
  }
  useBeforeLeaving(() => {
    // What is saved may lack the spaces around what was typed.
    if (draft.isFound && draft.from.trim() === current.trim()) takeFound()
    saveTyped()
  })

  return {
    value: draft.value,
    isFound: draft.isFound,
    change(text) {
      known.current ??= draft.from
      draft.change(text, known.current)
      typed.current = text
      clearTimeout(timer.current)
      timer.current = setTimeout(saveTyped, pause)
    },
    leave() {
      if (draft.isFound) takeFound()
      saveTyped()
      if (!mayBe(draft.value)) {
        // It stays, with its problem.
        if (draft.value.trim() !== '') return
        keeper?.forget()
      }
      known.current = undefined
      draft.reset()
    },
  }
}
