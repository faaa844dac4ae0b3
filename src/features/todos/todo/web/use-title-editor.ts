import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'
import { type DraftKeeper, useKeptDraft } from '#platform/browser/drafts/use-draft.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { titleSchema } from '../todo-row.ts'
import { cancelEdit, saveTask } from './todo-shortcuts.ts'

// 'resumed' is a field that was open again after a reload, once the person is in it. 'confirming' is after Tab moved from the
// field to the edit buttons: the title is saved already, and pressing the confirm button must not open the field again.
type Phase = 'shown' | 'editing' | 'resumed' | 'confirming'

/**
 * Edits one title in place: Enter, the confirm button or leaving the field saves what was typed, Escape does not. If
 * nothing was typed there is nothing to save, and a title renamed elsewhere is shown and stays. What an earlier page left
 * neither saved nor discarded is open again, and takes no focus.
 */
export function useTitleEditor(
  title: string,
  { onBegin, save, keeper }: { onBegin: () => void; save: (title: string) => void; keeper?: DraftKeeper },
) {
  const [phase, setPhase] = useState<Phase>('shown')
  const draft = useKeptDraft(title, keeper)
  const button = useRef<HTMLButtonElement>(null)
  const buttons = useRef<HTMLSpanElement>(null)
  // Closing removes the field while it has the focus; the blur that follows does not come from the person.
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
    // Before the row's buttons have been fetched, its checkbox takes the focus.
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
    /** The person opened the field, and types next. */
    takesFocus: phase === 'editing',
    problem,
    begin,
    /** After this a blur saves nothing: the to-do is being deleted. */
    abandon() {
      closed.current = true
      keeper?.forget()
    },
    /** The person moves on to something else in the to-do; a title that cannot be saved stays open. */
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
        // The focus moves to the button before the key is released, and Enter would press the button.
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
        // Either the window lost focus and the field will get it back, or the text cannot be saved yet.
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
    /** For the element around the edit buttons. */
    buttons: {
      ref: buttons,
      onBlur(event: FocusEvent) {
        if (phase === 'confirming' && !isButton(event.relatedTarget)) setPhase('shown')
      },
    },
  }
}

/** Why a title that is not empty cannot be saved. */
export function titleProblem(text: string): string | undefined {
  return titleSchema.safeParse(text).error?.issues[0]?.message
}
