import { useCallback, useLayoutEffect, useRef } from 'react'
import { useBeforeLeaving } from './use-before-leaving.ts'
import { type DraftKeeper, useKeptDraft } from './use-draft.ts'

/** Milliseconds after the last key until typed text is saved. */
const pause = 500

interface SavedDraft extends Pick<ReturnType<typeof useKeptDraft>, 'value' | 'change' | 'isFound'> {
  /**
   * Call when the person leaves the field: saves the typed text and shows the current value again. A text that `mayBe` refuses
   * stays in the field.
   */
  leave(): void
}

/**
 * A field without a Save button: typed text is saved a moment after the last key, and when the field or the page is left. While
 * the person types, changes made elsewhere do not show. `save` is never called with a text that `mayBe` refuses. With a `keeper`,
 * unsaved text of a page that was killed is restored, and saved as well. If the value changed meanwhile, the restored text is
 * saved only after the person has been in the field.
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
  /** Typed text that is not saved yet. */
  const typed = useRef<string>(undefined)
  /** The text saved last, or the value when the field was first touched; undefined while the field is untouched. */
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
    // Compare trimmed texts: saving may have removed spaces around the text.
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
        // The refused text stays in the field, with its error.
        if (draft.value.trim() !== '') return
        keeper?.forget()
      }
      known.current = undefined
      draft.reset()
    },
  }
}
