import { Ellipsis } from 'lucide-react'
import { useId, useRef } from 'react'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { lazyPart } from '#platform/ui/lazy-part.tsx'
import { useMenuButton } from '#platform/ui/overlays/menu-button.ts'
import type { List } from '../list/list.ts'
import type { ListMenuActions } from './list-menu.tsx'

interface ListMenuButtonProps {
  list: List
  actions: ListMenuActions
  className?: string
}

/** The button that opens a list's menu. The menu is loaded after the screen. */
export function ListMenuButton({ list, actions, className }: ListMenuButtonProps) {
  const { Menu, menu, button: ofMenu } = useMenuButton(LazyListMenu)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <span className={cn('base:relative flex', className)}>
      <Button ref={button} id={useId()} variant="icon" aria-label={`Options for ${list.name}`} {...ofMenu}>
        <Ellipsis />
      </Button>
      {Menu && <Menu {...menu} list={list} button={button} actions={actions} />}
    </span>
  )
}

const LazyListMenu = lazyPart(() => import('./list-menu.tsx'), 'ListMenu', 'after the screen')
