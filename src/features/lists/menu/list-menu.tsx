import { type KeyboardEvent, type RefObject, useRef } from 'react'
import { ColorCircle } from '#platform/ui/controls/color-circle.tsx'
import {
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuSeparator,
  DropdownMenuSwatch,
} from '#platform/ui/overlays/dropdown-menu.tsx'
import { FetchedMenu, type FetchedMenuProps } from '#platform/ui/overlays/fetched-menu.tsx'
import type { List } from '../list/list.ts'
import { listColorNames } from '../list/list-color-names.ts'
import { type ListColor, listColors } from '../list/list-row.ts'

export interface ListMenuActions {
  onRename(): void
  onRecolor(color: ListColor): void
  /** Moves the list up by one place; `onMoveDown` moves it down. Undefined if the list cannot move there, or is archived. */
  onMoveUp?: (() => void) | undefined
  onMoveDown?: (() => void) | undefined
  onArchive(): void
  onTakeOut(): void
  onRemove(): void
}

interface ListMenuProps extends FetchedMenuProps {
  list: List
  button: RefObject<HTMLButtonElement | null>
  actions: ListMenuActions
}

/** The menu of a list. */
export function ListMenu({ list, button, actions, ...menu }: ListMenuProps) {
  // Actions that remove the button or move the focus wait until the menu has released the focus.
  const afterwards = useRef<() => void>(undefined)
  const isArchived = list.archived_at !== null
  return (
    <FetchedMenu {...menu}>
      <DropdownMenuContent
        align="end"
        sideOffset={4}
        aria-labelledby={button.current?.id}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          // A press on something else closed the menu, and has already moved the focus there.
          if (!document.activeElement?.matches('a, button, input')) button.current?.focus()
          afterwards.current?.()
          afterwards.current = undefined
        }}
      >
        {isArchived ? (
          <DropdownMenuItem onSelect={() => (afterwards.current = actions.onTakeOut)}>
            Take out of the archive
          </DropdownMenuItem>
        ) : (
          <>
            <DropdownMenuItem onSelect={() => (afterwards.current = actions.onRename)}>
              Rename
            </DropdownMenuItem>
            <DropdownMenuLabel>Colour</DropdownMenuLabel>
            <DropdownMenuRadioGroup
              aria-label="Colour"
              value={String(list.color)}
              onKeyDown={moveSideways}
              className="grid grid-cols-6 px-1"
            >
              {listColors.map((color) => (
                <DropdownMenuSwatch
                  key={color}
                  value={String(color)}
                  aria-label={listColorNames[color]}
                  textValue={listColorNames[color]}
                  title={listColorNames[color]}
                  onSelect={() => actions.onRecolor(color)}
                >
                  <ColorCircle color={color} className="size-3.5" />
                </DropdownMenuSwatch>
              ))}
            </DropdownMenuRadioGroup>
            {(actions.onMoveUp || actions.onMoveDown) && (
              <>
                <DropdownMenuSeparator />
                <DropdownMenuItem disabled={!actions.onMoveUp} onSelect={actions.onMoveUp}>
                  Move up
                </DropdownMenuItem>
                <DropdownMenuItem disabled={!actions.onMoveDown} onSelect={actions.onMoveDown}>
                  Move down
                </DropdownMenuItem>
              </>
            )}
            <DropdownMenuSeparator />
            <DropdownMenuItem onSelect={() => (afterwards.current = actions.onArchive)}>
              Archive
            </DropdownMenuItem>
          </>
        )}
        <DropdownMenuItem onSelect={() => (afterwards.current = actions.onRemove)}>Delete</DropdownMenuItem>
      </DropdownMenuContent>
    </FetchedMenu>
  )
}

/** Moves the focus between the colours, which are in a row: menus support only up and down. */
function moveSideways({ key, target }: KeyboardEvent) {
  if (!(target instanceof Element)) return
  const next =
    key === 'ArrowRight' ? target.nextElementSibling : key === 'ArrowLeft' && target.previousElementSibling
  if (next instanceof HTMLElement) next.focus()
}
