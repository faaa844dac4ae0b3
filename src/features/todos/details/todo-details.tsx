import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { List } from '#features/lists/list/list.ts'
import { afterPaint } from '#platform/browser/activity.ts'
import { usePhone } from '#platform/browser/device/phone.ts'
import { useFieldInUse } from '#platform/browser/keyboard/use-field-in-use.ts'
import { rowElement } from '#platform/browser/rows/row-elements.ts'
import { useKeptWhileEdited } from '#platform/sync/react/use-kept-while-edited.ts'
import { SidePanel } from '#platform/ui/overlays/side-panel.tsx'
import { TallSheet, TallSheetContent } from '#platform/ui/overlays/tall-sheet.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'
import type { BoardActions, DetailsEntry } from '../row/board-actions.ts'
import type { subtasksOf } from '../todo/subtasks.ts'
import type { Todo } from '../todo/todo.ts'
import type { TodoActions } from '../todo/web/todo-actions.ts'
import { todoCollection } from '../todo/web/todo-queries.ts'
import { closeDetails } from '../todo/web/todo-shortcuts.ts'
import { DetailsBody } from './details-body.tsx'

interface TodoDetailsProps {
  /** The to-do whose details are shown; undefined if the details are closed. */
  id: string | undefined
  /** Where to put the focus. Pass a new object each time the details are opened: each new object moves the focus. */
  entry: DetailsEntry | undefined
  todos: readonly Todo[]
  families: ReturnType<typeof subtasksOf<Todo>>
  /** Every list, including archived ones. */
  lists: readonly List[]
  actions: BoardActions
  todoActions: TodoActions
  onPickDue(todo: Todo, anchor: HTMLElement): void
  onPickReminder(todo: Todo, anchor: HTMLElement): void
  onPickRepeat(todo: Todo): void
  /** Whether the server has responded since this page was opened. From then on, an unknown task does not exist. */
  isRead: boolean
  onShow(id: string, at?: DetailsEntry['at']): void
  onClose(): void
}

/** The details of a task: in a panel over its list, or in a sheet on phones. */
export function TodoDetails({ id, entry, isRead, onClose, ...rest }: TodoDetailsProps) {
  const onPhone = usePhone()
  const box = useRef<HTMLDivElement>(null)
  const shown = id === undefined ? undefined : rest.todos.find((todo) => todo.id === id)
  useKeptWhileEdited(todoCollection, shown, useFieldInUse(box))
  // While the sheet closes, it keeps showing the last task.
  const [last, setLast] = useState(shown)
  if (shown && shown !== last) setLast(shown)
  const todo = shown ?? last

  const fromElsewhere = useLocation({ select: ({ state }) => state.detailsAt })
  const at = fromElsewhere ?? entry?.at
  const enter = useEffectEvent(() => {
    if (at === undefined) return
    const field = box.current?.querySelector<HTMLElement>(at === 'title' ? 'textarea' : 'input:not([type])')
    field?.focus()
    if (field instanceof HTMLTextAreaElement) field.setSelectionRange(field.value.length, field.value.length)
  })
  const isShown = shown !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new entry moves the focus; the address changes a moment later
  useEffect(() => {
    if (isShown) enter()
  }, [entry, isShown, id])

  // The task was deleted, here or on another device: remove it from the address.
  const wasShown = useRef(false)
  const forget = useEffectEvent(() => {
    if (wasShown.current && id !== undefined && !isShown) onClose()
    wasShown.current = isShown
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the task appears or disappears
  useEffect(() => forget(), [isShown, id])

  // The address names an unknown task, because the person followed a link or went back.
  const tellMissing = useEffectEvent(() => {
    if (id === undefined || isShown) return
    toast("That task isn't here", { description: 'It may have been deleted, or completed long ago.' })
    onClose()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the address names another task
  useEffect(() => {
    if (isRead) tellMissing()
  }, [isRead, id])

  // When the panel opens, its head, title and note come first; the rest takes longer, and follows once these are painted.
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    if (!isShown) return
    let isOpen = true
    afterPaint(() => isOpen && setPainted(true))
    return () => {
      isOpen = false
      setPainted(false)
    }
  }, [isShown])

  const close = () => {
    // Move the focus before closing: a field saves its text when it loses the focus.
    focusRowOf(todo)
    onClose()
  }
  if (!todo) return null
  const label = `Details of ${todo.title}`
  const body = (
    <DetailsBody
      key={todo.id}
      {...rest}
      todo={todo}
      isWhole={isPainted || onPhone || at === 'new subtask'}
      onClose={close}
      onDelete={() => {
        focusRowOf(todo)
        onClose()
        rest.actions.remove(todo)
      }}
    />
  )
  if (onPhone) {
    return (
      <TallSheet open={isShown} onOpenChange={(stays) => stays || onClose()}>
        <TallSheetContent
          ref={box}
          label={label}
          onDragDown={onClose}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            box.current?.focus()
            enter()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            focusRowOf(todo)
          }}
        >
          {body}
        </TallSheetContent>
      </TallSheet>
    )
  }
  return (
    isShown && (
      <SidePanel ref={box} label={label} closeKey={closeDetails} onClose={close} onCover={onClose}>
        {body}
      </SidePanel>
    )
  )
}

/**
 * Focuses the row of the to-do, its parent's row, its coming occurrence, or the heading of the page, whichever is found first.
 */
function focusRowOf(todo: Todo | undefined) {
  const boxOf = (id: string | null | undefined) =>
    rowElement(id ?? undefined)?.querySelector<HTMLElement>('[type=checkbox]')
  const box = boxOf(todo?.id) ?? boxOf(todo?.parent_id)
  const target =
    box ??
    document.querySelector<HTMLElement>(`[data-coming="${todo?.id}"]`) ??
    document.querySelector<HTMLElement>('main h1')
  target?.focus({ preventScroll: box === undefined })
}
