import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'
import { type DraftKeeper, useKeptDraft } from '#platform/browser/drafts/use-draft.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { titleSchema } from '../todo-row.ts'
import { cancelEdit, saveTask } from './todo-shortcuts.ts'

// 'resumed': the field was open again after a reload, and the person has now entered it. 'confirming': Tab moved from the field
// to the edit buttons. The title is saved already, and pressing the confirm button must not open the field again.
type Phase = 'shown' | 'editing' | 'resumed' | 'confirming'

/**
 * Edits one title in place. Enter, the confirm button or leaving the field saves the text; Escape discards it. If nothing was
 * typed, nothing is saved, and a rename from elsewhere is shown. Text that was neither saved nor discarded before a reload opens
 * the field again, without taking the focus.
 */
export function useTitleEditor(
  title: string,
  { onBegin, save, keeper }: { onBegin: () => void; save: (title: string) => void; keeper?: DraftKeeper },
) {
  const [phase, setPhase] = useState<Phase>('shown')
  const draft = useKeptDraft(title, keeper)
  const button = useRef<HTMLButtonElement>(null)
  const buttons = useRef<HTMLSpanElement>(null)
  // Closing removes the field while it has the focus: the blur that follows does not come from the person.
  const closed = useRef(false)

  const editing = draft.isFound || phase === 'editing' || phase === 'resumed'
  const text = draft.value.trim()
  const problem = editing && text !== '' ? titleProblem(text) : undefined

  const saveDraft = () => {
    if (text === '' || text === draft.from) return keeper?.forget()
    save(text)
    keeper?.forgetSaved(draft.value)
  }

  const show = (next: Phase = 'shown') => {
    draft.reset()
    setPhase(next)
  }

  const close = () => {
    closed.current = true
    // The row's buttons may not have been fetched yet: then its checkbox takes the focus.
    const row = document.activeElement?.closest('[data-row]')
    const next = button.current ?? row?.querySelector<HTMLElement>('[type=checkbox]')
    next?.focus()
    show()
  }

  const confirm = () => {
    if (text === '' || problem !== undefined) return
    saveDraft()
    close()
  }

  const begin = () => {
    closed.current = false
    show('editing')
    onBegin()
  }

  const isButton = (target: EventTarget | null) =>
    target instanceof Node && (buttons.current?.contains(target) ?? false)

  return {
    editing,
    confirmable: editing || phase === 'confirming',
    /** Whether the person opened the field, and wants to type next. */
    takesFocus: phase === 'editing',
    problem,
    begin,
    /** Stops a later blur from saving: the to-do is being deleted. */
    abandon() {
      closed.current = true
      keeper?.forget()
    },
    /** Saves and closes because the person moves on to something else in the to-do. A title that cannot be saved stays open. */
    leave() {
      if (!editing || problem !== undefined) return
      saveDraft()
      closed.current = true
      show()
    },
    field: {
      value: draft.value,
      onChange: (event: { currentTarget: HTMLInputElement }) => draft.change(event.currentTarget.value),
      onKeyDown(event: KeyboardEvent) {
        // During IME composition, Enter and Escape belong to the input method.
        if (event.nativeEvent.isComposing) return
        if (!isPressed(saveTask, event) && !isPressed(cancelEdit, event)) return
        // The focus moves to the button before the key is released: without this, Enter would also press the button.
        event.preventDefault()
        if (isPressed(saveTask, event)) return confirm()
        keeper?.forget()
        close()
      },
      onFocus() {
        if (phase !== 'shown') return
        setPhase('resumed')
        onBegin()
      },
      onBlur(event: FocusEvent<HTMLInputElement>) {
        // Do not save if the editor was closed, if the window lost the focus and the field will get it back, or if the text
        // cannot be saved yet.
        if (closed.current || document.activeElement === event.currentTarget || problem !== undefined) return
        saveDraft()
        show(isButton(event.relatedTarget) ? 'confirming' : 'shown')
      },
    },
    button: {
      ref: button,
      onClick() {
        if (editing) return confirm()
        if (phase === 'confirming') return setPhase('shown')
        begin()
      },
    },
    /** Props for the element around the edit buttons. */
    buttons: {
      ref: buttons,
      onBlur(event: FocusEvent) {
        if (phase === 'confirming' && !isButton(event.relatedTarget)) setPhase('shown')
      },
    },
  }
}

/** Why a title that is not empty cannot be saved; undefined if it can. */
export function titleProblem(text: string): string | undefined {
  return titleSchema.safeParse(text).error?.issues[0]?.message
}
