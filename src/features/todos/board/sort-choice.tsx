import { ArrowDownUp, ChevronDown } from 'lucide-react'
import { useRef } from 'react'
import type { TodoSort } from '#features/lists/list/list-row.ts'
import { todoSortNames } from '#features/lists/list/todo-sort-names.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { lazyPart } from '#platform/ui/lazy-part.tsx'
import { useMenuButton } from '#platform/ui/overlays/menu-button.ts'
import { ManualOrderOffer } from './manual-order-offer.tsx'

interface SortChoiceProps {
  sort: TodoSort
  onSort(sort: TodoSort): void
  className?: string
}

/** The button that shows and changes the sort order of tasks. Its menu loads after the screen. */
export function SortChoice({ sort, onSort, className }: SortChoiceProps) {
  const { Menu, menu, button: ofMenu } = useMenuButton(LazySortMenu)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <span className={cn('relative flex', className)}>
      <Button
        ref={button}
        variant="quiet"
        className="px-3 data-[state=open]:bg-hover data-[state=open]:text-ink"
        {...ofMenu}
      >
        <ArrowDownUp />
        <span>
          <span className="sr-only">Sort by: </span>
          {todoSortNames[sort]}
        </span>
        <ChevronDown />
      </Button>
      {sort !== 'manual' && <ManualOrderOffer onSort={onSort} />}
      {Menu && <Menu {...menu} button={button} sort={sort} onSort={onSort} />}
    </span>
  )
}

const LazySortMenu = lazyPart(() => import('./sort-menu.tsx'), 'SortMenu', 'with the screen')
