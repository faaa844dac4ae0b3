import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { columnBesidePanel } from '#platform/ui/layout/page.tsx'
import type { List } from '../list/list.ts'
import type { ListActions } from '../list/web/use-list-actions.ts'

/** The note above the tasks of an archived list. */
export function ListNote({ list, actions }: { list: List; actions: ListActions }) {
  return (
    <section
      aria-label="Archived list"
      className={cn(
        'mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card bg-raised py-3 pr-3 pl-4 text-control text-ink-2 ring ring-line',
        columnBesidePanel,
      )}
    >
      <p className="min-w-0 flex-[1_1_14rem]">
        This list is archived. Its tasks are only shown here, and don't remind you.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="quiet" onClick={() => actions.remove(list)}>
          Delete
        </Button>
        <Button
          variant="secondary"
          onClick={() => {
            // The note disappears with its buttons, so move the focus.
            document.querySelector<HTMLElement>('main h1')?.focus()
            actions.takeOut(list)
          }}
        >
          Take out of the archive
        </Button>
      </div>
    </section>
  )
}
