import { CopyPlus, CornerDownRight, CornerLeftUp, Link } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { copyText } from '#platform/browser/copy-text.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#platform/ui/overlays/dropdown-menu.tsx'
import type { subtasksOf } from '../subtasks.ts'
import type { Todo } from '../todo.ts'
import { ParentDialog } from './parent-dialog.tsx'
import type { DetailsActions } from './use-details-actions.ts'

interface DetailsMenuProps {
  todo: Todo
  parent: Todo | undefined
  hasSubtasks: boolean
  families: ReturnType<typeof subtasksOf<Todo>>
  actions: DetailsActions
  onShow(id: string): void
  /** The button that opens it. */
  children: ReactNode
}

/** What else can be done to a task. */
export function DetailsMenu({
  todo,
  parent,
  hasSubtasks,
  families,
  actions,
  onShow,
  children,
}: DetailsMenuProps) {
  const [choosingParent, setChoosingParent] = useState(false)
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>{children}</DropdownMenuTrigger>
        <DropdownMenuContent align="end" sideOffset={4} aria-labelledby={undefined} aria-label="More actions">
          <DropdownMenuItem
            onSelect={() => onShow(actions.duplicate(todo, families.byParent.get(todo.id) ?? []))}
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
              announce('Link copied')
            }}
          >
            <Link />
            Copy link
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <ParentDialog
        open={choosingParent}
        candidates={families.top.filter(({ id, completed }) => id !== todo.id && completed === 0)}
        onClose={() => setChoosingParent(false)}
        onChoose={(chosen) => actions.makeSubtask(todo, chosen, families.byParent.get(chosen.id) ?? [])}
      />
    </>
  )
}
