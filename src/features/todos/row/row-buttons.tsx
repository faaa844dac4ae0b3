import { Calendar, Check, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import type { MouseEvent } from 'react'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import type { Todo } from '../todo/todo.ts'
import type { useTitleEditor } from '../todo/web/use-title-editor.ts'
import type { RowActions } from './row-actions.ts'

export interface RowButtonsProps {
  todo: Todo
  actions: RowActions
  editor: ReturnType<typeof useTitleEditor>
  /** Whether all actions are in one menu, as on phones. */
  compact: boolean
  /** Whether there are actions besides those of the row's own buttons. */
  hasMore: boolean
}

// On touch screens the icons are always visible, but paler. Elsewhere they show for the pointer and the keyboard. Hidden icons
// take no part in the layout, but their buttons do.
const actionLook = cn(
  'static [&>svg]:hidden group-hover/row:[&>svg]:block group-has-focus-visible/row:[&>svg]:block',
  'pointer-coarse:text-edge pointer-coarse:[&>svg]:block [@media(hover:none)]:[&>svg]:block',
)

/** The buttons of a to-do's row. */
export function RowButtons({ todo, actions, editor, compact, hasMore }: RowButtonsProps) {
  const idleLook = editor.editing ? undefined : actionLook
  const openMenu = ({ currentTarget: button, detail }: MouseEvent<HTMLElement>) =>
    // A click by a key has a `detail` of 0.
    actions.openMenu({ todo, button, byKey: detail === 0, edit: editor.begin })
  const more = {
    'aria-label': 'More actions',
    'aria-haspopup': 'menu',
    // Set to true by the menu when it opens.
    'aria-expanded': false,
    className: idleLook,
    children: <Ellipsis />,
  } as const

  return (
    <>
      {!compact && !editor.confirmable && (
        <Button
          variant="icon"
          aria-label="Due date and reminder"
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => actions.askForDates(todo, currentTarget)}
          className={idleLook}
        >
          <Calendar />
        </Button>
      )}
      <span {...editor.buttons} className="flex">
        {compact && !editor.confirmable ? (
          todo.completed === 0 && (
            <Button variant="icon" {...more} ref={editor.button.ref} onClick={openMenu} />
          )
        ) : (
          <Button
            variant="icon"
            aria-label={editor.confirmable ? 'Confirm edit' : 'Edit task'}
            data-edit
            onMouseDown={editor.editing ? keepFocus : undefined}
            className={editor.confirmable ? 'text-accent' : actionLook}
            {...editor.button}
          >
            {editor.confirmable ? <Check /> : <Pencil />}
          </Button>
        )}
        {editor.confirmable && (
          <Button
            variant="icon"
            aria-label="Due date and reminder"
            onMouseDown={keepFocus}
            onClick={() => {
              editor.leave()
              if (editor.button.ref.current) actions.askForDates(todo, editor.button.ref.current)
            }}
          >
            <Calendar />
          </Button>
        )}
      </span>
      {(!compact || editor.confirmable) && (
        <Button
          variant="icon"
          aria-label="Delete task"
          onMouseDown={editor.editing ? keepFocus : undefined}
          onClick={() => {
            editor.abandon()
            actions.remove(todo)
          }}
          className={idleLook}
        >
          <Trash2 />
        </Button>
      )}
      {!compact && !editor.confirmable && hasMore && <Button variant="icon" {...more} onClick={openMenu} />}
    </>
  )
}

/**
 * Keeps a press on a button from blurring the field: the blur would change the buttons, and the click would hit another button.
 */
function keepFocus(event: MouseEvent) {
  event.preventDefault()
}
