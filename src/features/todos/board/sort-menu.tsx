import type { RefObject } from 'react'
import { type TodoSort, todoSorts } from '#features/lists/list/list-row.ts'
import { todoSortNames } from '#features/lists/list/todo-sort-names.ts'
import {
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
} from '#platform/ui/overlays/dropdown-menu.tsx'
import { FetchedMenu, type FetchedMenuProps } from '#platform/ui/overlays/fetched-menu.tsx'

interface SortMenuProps extends FetchedMenuProps {
  button: RefObject<HTMLButtonElement | null>
  sort: TodoSort
  onSort(sort: TodoSort): void
}

export function SortMenu({ button, sort, onSort, ...menu }: SortMenuProps) {
  return (
    <FetchedMenu {...menu}>
      <DropdownMenuContent
        align="end"
        aria-labelledby={undefined}
        aria-label="Sort by"
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          button.current?.focus()
        }}
      >
        <DropdownMenuLabel>Sort by</DropdownMenuLabel>
        <DropdownMenuRadioGroup value={sort}>
          {todoSorts.map((each) => (
            <DropdownMenuRadioItem key={each} value={each} onSelect={() => onSort(each)}>
              {todoSortNames[each]}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </FetchedMenu>
  )
}
