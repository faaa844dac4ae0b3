import { CopyPlus, CornerDownRight, CornerLeftUp, Link, SkipForward, Timer } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { copyText } from '#platform/browser/device/copy-text.ts'
import { useStartTimer } from '#platform/browser/start-timer.ts'
import type { Day } from '#platform/calendar/day.ts'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#platform/ui/overlays/dropdown-menu.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'
import { ParentDialog } from '../subtasks/parent-dialog.tsx'
import type { subtasksOf } from '../todo/subtasks.ts'
import type { Todo } from '../todo/todo.ts'
import type { DetailsActions } from './details-actions.ts'

interface DetailsMenuProps {
  todo: Todo
  parent: Todo | undefined
  hasSubtasks: boolean
  /** The occurrence of a repeating task that can be skipped; undefined if there is none. */
  open: Day | undefined
  families: ReturnType<typeof subtasksOf<Todo>>
  actions: DetailsActions
  onShow(id: string, at?: 'title'): void
  /** The button that opens the menu. */
  children: ReactNode
}

/** The menu of further actions on a task. */
export function DetailsMenu({
  todo,
  parent,
  hasSubtasks,
  open,
  families,
  actions,
  onShow,
  children,
}: DetailsMenuProps) {
  const [choosingParent, setChoosingParent] = useState(false)
  const showsCopy = useRef(false)
  const startTimer = useStartTimer()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger ref={button} asChild>
          {children}
        </DropdownMenuTrigger>
        <DropdownMenuContent
          align="end"
          sideOffset={4}
          aria-labelledby={undefined}
          aria-label="More actions"
          onCloseAutoFocus={(event) => {
            // After duplicating, the details of the copy take the focus.
            if (showsCopy.current) event.preventDefault()
          }}
        >
          {todo.completed === 0 && (
            <DropdownMenuItem onSelect={() => startTimer({ todo_id: todo.id })}>
              <Timer />
              Start the timer
            </DropdownMenuItem>
          )}
          {open !== undefined && (
            <DropdownMenuItem onSelect={() => actions.settle(todo, open, 'skipped')}>
              <SkipForward />
              Skip this time
            </DropdownMenuItem>
          )}
          <DropdownMenuItem
            onSelect={() => {
              showsCopy.current = true
              onShow(actions.duplicate(todo, families.byParent.get(todo.id) ?? []), 'title')
            }}
          >
            <CopyPlus />
            Duplicate
          </DropdownMenuItem>
          {parent ? (
            <DropdownMenuItem onSelect={() => actions.makeTask(todo, parent)}>
              <CornerLeftUp />
              Make a task of its own
            </DropdownMenuItem>
          ) : (
            !hasSubtasks && (
              <DropdownMenuItem onSelect={() => setChoosingParent(true)}>
                <CornerDownRight />
                Make a subtask of …
              </DropdownMenuItem>
            )
          )}
          <DropdownMenuItem
            onSelect={() => {
              copyText(location.href)
              toast('Link copied')
            }}
          >
            <Link />
            Copy link
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <ParentDialog
        open={choosingParent}
        opener={button}
        candidates={families.top.filter(({ id, completed }) => id !== todo.id && completed === 0)}
        onClose={() => setChoosingParent(false)}
        onChoose={(chosen) => actions.makeSubtask(todo, chosen, families.byParent.get(chosen.id) ?? [])}
      />
    </>
  )
}
