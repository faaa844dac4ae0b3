import { Fragment, useEffect, useRef, useState } from 'react'
import { useSavedDraft } from '#platform/browser/drafts/use-saved-draft.ts'
import { useDraftKeeper } from '#platform/sync/react/draft-keeper.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import type { Todo } from '../todo/todo.ts'
import { longestNote, noteSchema } from '../todo/todo-row.ts'
import { partsOfNote } from './note-links.ts'

interface NoteFieldProps {
  todo: Todo
  save(note: string): void
}

/** The note as text with links. A press beside a link turns the text into a field, which saves what the person types. */
export function NoteField({ todo, save }: NoteFieldProps) {
  const [editing, setEditing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const draft = useSavedDraft(todo.note, {
    mayBe: (text) => noteSchema.safeParse(text).success,
    save,
    keeper: useDraftKeeper(`note of ${todo.id}`),
  })
  useEffect(() => {
    // Keep the cursor where the person pressed: a recovered draft is shown in the field before editing begins.
    if (!editing || document.activeElement === field.current) return
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [editing])

  if (todo.note !== '' && !editing && !draft.isFound) {
    return (
      <>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the button below does the same by keyboard */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button below does the same by keyboard */}
        <div
          dir="auto"
          onClick={({ target }) => {
            const isLink = target instanceof Element && target.closest('a')
            if (!isLink && getSelection()?.isCollapsed !== false) setEditing(true)
          }}
          className="cursor-text text-control whitespace-pre-wrap text-ink-2 wrap-anywhere"
        >
          {partsOfNote(todo.note).map(({ text, href }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text
            <Fragment key={place}>
              {href === undefined ? (
                text
              ) : (
                <a href={href} target="_blank" rel="noopener noreferrer" className="text-accent underline">
                  {text}
                </a>
              )}
            </Fragment>
          ))}
        </div>
        <Button
          variant="quiet"
          onClick={() => setEditing(true)}
          className="min-h-8 px-2 not-focus-visible:sr-only"
        >
          Edit note
        </Button>
      </>
    )
  }
  return (
    <textarea
      ref={field}
      rows={1}
      aria-label="Note"
      placeholder="Add a note"
      dir="auto"
      maxLength={longestNote}
      value={draft.value}
      onChange={({ currentTarget }) => draft.change(currentTarget.value)}
      // Without this, an empty note would turn into text at the first save while the person types.
      onFocus={() => setEditing(true)}
      onBlur={() => {
        // Also leave the draft when the window loses the focus, so that the field shows changes from other devices meanwhile.
        draft.leave()
        if (document.activeElement !== field.current) setEditing(false)
      }}
      className="field-sizing-content -mx-1.5 block w-[calc(100%+12px)] resize-none rounded-box px-1.5 text-control text-ink-2 outline-offset-0 placeholder:text-ink-3 wrap-anywhere pointer-coarse:min-h-11 pointer-coarse:py-3 pointer-coarse:text-body"
    />
  )
}
