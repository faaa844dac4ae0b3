import { type KeyboardEvent, useId, useRef } from 'react'
import { useDraft } from '#platform/browser/drafts/use-draft.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { ListNameProblem, problemOfListName } from '../list/web/list-name-problem.tsx'
import { leaveListName } from './list-shortcuts.ts'

interface ListNameFieldProps {
  name: string
  save(name: string): void
  /** `byKey`: whether a key closed the field, so that the focus should return to the list. */
  onClose(byKey: boolean): void
}

/** The field for editing a list's name in place. Enter or leaving the field saves the name, Escape does not. */
export function ListNameField({ name, save, onClose }: ListNameFieldProps) {
  const draft = useDraft(name)
  const isClosed = useRef(false)
  const id = useId()
  const problem = problemOfListName(draft.value)

  const close = (byKey: boolean) => {
    // Closing removes the field while it has the focus. Ignore the blur that follows.
    isClosed.current = true
    onClose(byKey)
  }
  const saveDraft = () => {
    const text = draft.value.trim()
    if (text !== draft.from) save(text)
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (problem !== undefined) return
        saveDraft()
        close(true)
      }}
      className="min-w-0 flex-1"
    >
      <input
        ref={selectAll}
        type="text"
        value={draft.value}
        onChange={(event) => draft.change(event.currentTarget.value)}
        onKeyDown={(event: KeyboardEvent) => {
          if (!isPressed(leaveListName, event) || event.nativeEvent.isComposing) return
          event.preventDefault()
          close(true)
        }}
        onBlur={({ currentTarget }) => {
          // The window lost the focus, not the field, which gets it back.
          if (isClosed.current || document.activeElement === currentTarget) return
          if (problem === undefined) saveDraft()
          close(false)
        }}
        aria-label="List name"
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem === undefined ? undefined : id}
        dir="auto"
        enterKeyHint="done"
        autoComplete="off"
        className="min-h-9 w-full rounded-control border-2 border-accent bg-raised px-2.5 text-control text-ink outline-none pointer-coarse:min-h-11 pointer-coarse:text-body"
      />
      {problem !== undefined && <ListNameProblem id={id}>{problem}</ListNameProblem>}
    </form>
  )
}

function selectAll(field: HTMLInputElement | null) {
  field?.focus()
  field?.select()
}
