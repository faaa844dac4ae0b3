import { Calendar, Check, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { type MouseEvent, type RefObject, useDeferredValue, useEffect, useRef, useState } from 'react'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { searchInUse } from '#platform/ui/search/search-in-use.ts'
import type { Todo } from '../todo/todo.ts'
import type { useTitleEditor } from '../todo/web/use-title-editor.ts'
import type { RowActions } from './row-actions.ts'
import { TitleField } from './title-field.tsx'

export interface RowButtonsProps {
  todo: Todo
  actions: RowActions
  editor: ReturnType<typeof useTitleEditor>
  /** Whether all actions are in one menu, as on phones. */
  compact: boolean
  /** Whether there are actions besides those of the row's own buttons. */
  hasMore: boolean
  /** The class name that says where the title ends on one line. */
  titleEnd: string
}

/**
 * Draws the buttons. In a row that a search has just brought, they are drawn only after the row is painted, or as soon as the focus or
 * the pointer enters it, so that the key is answered sooner. Nothing of them is in sight before, unless the row is compact.
 */
export function RowButtons(props: RowButtonsProps) {
  const { todo, editor, compact } = props
  const isPainted = useDeferredValue(true, compact || !searchInUse.on)
  const isUsed = useInUse(todo.id, isPainted)
  return (isPainted || isUsed || editor.editing) && <DrawnButtons {...props} />
}

/** Whether the focus or the pointer has come to the row, unless `isPainted`: the next press may be of a button. */
function useInUse(id: string, isPainted: boolean): boolean {
  const [isUsed, setUsed] = useState(false)
  useEffect(() => {
    if (isPainted) return
    const look = ({ target }: Event) => {
      if (target instanceof Element && target.closest<HTMLElement>('[data-row]')?.dataset.row === id)
        setUsed(true)
    }
    const events = new AbortController()
    for (const type of ['focusin', 'pointerover'])
      window.addEventListener(type, look, { signal: events.signal })
    return () => events.abort()
  }, [id, isPainted])
  return isUsed
}

// They span the line of the facts as well, or they would make the title's line higher.
const look = 'relative row-start-1 mt-[calc(0.75rem-8px)] flex [justify-self:self-end]'
const besideTitle = 'col-start-3 -mr-2 ml-3 pointer-coarse:-mr-3.5 roomy:col-start-8'
const overTitle = 'col-start-2 col-end-4 me-1'
// Below the field, if the text is large for the width.
const overField = '@max-[14em]:row-start-3'

// The title fades out before them.
const covering =
  'bg-hover before:pointer-events-none before:absolute before:inset-y-0 before:end-full before:w-[26px] before:from-transparent before:to-hover'
// By direction, since the build replaces `:dir()` by a list of languages.
const fade = { ltr: 'before:bg-linear-to-r', rtl: 'before:bg-linear-to-l' } as const

/**
 * The buttons of a to-do's row, and the field for its title while that is edited. The buttons are always there, for the keyboard
 * and assistive technology; their icons are drawn only for a row that the pointer or the focus is in. Otherwise, half of the
 * elements of a page would be parts of icons that nobody sees.
 */
function DrawnButtons({ todo, actions, editor, compact, hasMore, titleEnd }: RowButtonsProps) {
  const box = useRef<HTMLSpanElement>(null)
  const isInMenu = compact && !editor.confirmable
  const attended = useAttended(box)
  const drawn = compact || editor.confirmable || attended !== undefined
  const openMenu = ({ currentTarget: button, detail }: MouseEvent<HTMLElement>) =>
    // A click by a key has a `detail` of 0.
    actions.openMenu({ todo, button, byKey: detail === 0, edit: editor.begin })
  const more = {
    'aria-label': 'More actions',
    'aria-haspopup': 'menu',
    // Set to true by the menu when it opens.
    'aria-expanded': false,
    onClick: openMenu,
    children: drawn && <Ellipsis />,
  } as const

  return (
    <>
      {editor.editing && <TitleField todo={todo} editor={editor} className={titleEnd} />}
      <span
        ref={box}
        className={cn(
          look,
          isInMenu ? besideTitle : cn(overTitle, titleEnd),
          editor.confirmable ? overField : 'row-end-3',
          !compact && attended && !editor.editing && cn(covering, fade[attended]),
        )}
      >
        {!compact && !editor.confirmable && (
          <Button
            variant="icon"
            aria-label="Due date and reminder"
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => actions.askForDates(todo, currentTarget)}
          >
            {drawn && <Calendar />}
          </Button>
        )}
        <span {...editor.buttons} className="flex">
          {/* For the key and the right click, which press the button that edits. */}
          {isInMenu && todo.completed === 0 && (
            <button type="button" hidden data-edit onClick={editor.begin} />
          )}
          {isInMenu ? (
            todo.completed === 0 && (
              <Button
                variant="icon"
                {...more}
                ref={editor.button.ref}
                className="pointer-coarse:text-edge [@media(hover:none)]:text-edge"
              />
            )
          ) : (
            <Button
              variant="icon"
              aria-label={editor.confirmable ? 'Confirm edit' : 'Edit task'}
              data-edit
              onMouseDown={editor.editing ? keepFocus : undefined}
              className={editor.confirmable ? 'text-accent' : undefined}
              {...editor.button}
            >
              {drawn && (editor.confirmable ? <Check /> : <Pencil />)}
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
        {!isInMenu && (
          <Button
            variant="icon"
            aria-label="Delete task"
            onMouseDown={editor.editing ? keepFocus : undefined}
            onClick={() => {
              editor.abandon()
              actions.remove(todo)
            }}
          >
            {drawn && <Trash2 />}
          </Button>
        )}
        {!compact && !editor.confirmable && hasMore && <Button variant="icon" {...more} />}
      </span>
    </>
  )
}

/** The direction of the row's title while the pointer or the visible focus is in the row; undefined otherwise. */
function useAttended(inside: RefObject<HTMLElement | null>): keyof typeof fade | undefined {
  const [attended, setAttended] = useState<keyof typeof fade>()
  useEffect(() => {
    const box = inside.current
    const row = box?.closest<HTMLElement>('[data-row]')
    if (!box || !row) return
    const look = (event?: Event) => {
      // The focus only moves on within the row.
      if (event instanceof FocusEvent && event.type === 'focusout' && isWithin(row, event.relatedTarget))
        return
      if (!row.matches(':hover, :has(:focus-visible)')) return setAttended(undefined)
      setAttended(getComputedStyle(box).direction === 'rtl' ? 'rtl' : 'ltr')
    }
    look()
    const events = new AbortController()
    for (const type of ['pointerenter', 'pointerleave', 'focusin', 'focusout'])
      row.addEventListener(type, look, { signal: events.signal })
    return () => events.abort()
  }, [inside])
  return attended
}

function isWithin(row: HTMLElement, target: EventTarget | null): boolean {
  return target instanceof Node && row.contains(target)
}

/**
 * Keeps a press on a button from blurring the field: the blur would change the buttons, and the click would hit another button.
 */
function keepFocus(event: MouseEvent) {
  event.preventDefault()
}
