import { useState } from 'react'
import { useKeptWhileEdited } from '#platform/sync/react/use-kept-while-edited.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import type { List } from '../list/list.ts'
import { lists as listCollection } from '../list/web/list-queries.ts'
import type { ListActions } from '../list/web/use-list-actions.ts'
import { ListMenuButton } from './list-menu-button.tsx'

interface ListPageMenuProps {
  list: List
  /** The lists in their order, including archived ones. */
  lists: readonly List[]
  actions: ListActions
}

/** The menu on a list's own page. */
export function ListPageMenu({ list, lists, actions }: ListPageMenuProps) {
  const [renaming, setRenaming] = useState(false)
  useKeptWhileEdited(listCollection, list, renaming)
  const RenameDialog = usePart(LazyRenameDialog, renaming)
  const shown = lists.filter(({ archived_at }) => archived_at === null)
  const place = shown.indexOf(list)
  return (
    <>
      <ListMenuButton
        list={list}
        actions={{
          onRename: () => setRenaming(true),
          onRecolor: (color) => actions.recolor(list, color),
          onMoveUp: place > 0 ? () => actions.move(list, { after: shown[place - 2]?.id, shown }) : undefined,
          onMoveDown:
            place < shown.length - 1
              ? () => actions.move(list, { after: shown[place + 1]?.id, shown })
              : undefined,
          onArchive: () => actions.archive(list),
          onTakeOut: () => actions.takeOut(list),
          onRemove: () => actions.remove(list),
        }}
        className="-mr-2"
      />
      {RenameDialog && (
        <RenameDialog
          open={renaming}
          name={list.name}
          onClose={() => setRenaming(false)}
          save={(name) => actions.rename(list, name)}
        />
      )}
    </>
  )
}

const LazyRenameDialog = lazyPart(() => import('./rename-dialog.tsx'), 'RenameDialog', 'after the screen')
