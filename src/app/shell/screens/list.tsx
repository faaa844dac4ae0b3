import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { lists as listCollection } from '#features/lists/list/web/list-queries.ts'
import { useListActions } from '#features/lists/list/web/use-list-actions.ts'
import { useLists } from '#features/lists/list/web/use-lists.ts'
import { ListNote } from '#features/lists/menu/list-note.tsx'
import { ListPageMenu } from '#features/lists/menu/list-page-menu.tsx'
import { TodosPage } from '#features/todos/pages/todos-page.tsx'
import { useRowTitle } from '#platform/browser/device/window-title.ts'
import { useFieldInUse } from '#platform/browser/keyboard/use-field-in-use.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { useKeptWhileEdited } from '#platform/sync/react/use-kept-while-edited.ts'
import { Button, buttonLook } from '#platform/ui/controls/button.tsx'
import { EmptyState } from '#platform/ui/layout/empty-state.tsx'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'

/** The tasks of one list, at its own address. */
export function List() {
  const { id } = useParams({ from: '/signed-in/lists/$id' })
  const { rows: lists, status, arriving, problem, retry } = useLists()
  const actions = useListActions(lists ?? none)
  const list = lists?.find((each) => each.id === id)
  useRowTitle(list?.name)
  // Keep a deleted list while its page is being edited: a typed task or title would disappear with the page.
  useKeptWhileEdited(listCollection, list, useFieldInUse())

  if (!lists || (!list && arriving)) return <LoadingScreen />
  if (list) {
    return (
      <>
        {list.archived_at !== null && <ListNote list={list} actions={actions} />}
        <TodosPage
          // Keyed by list, so that nothing begun in one list continues in another.
          key={list.id}
          list={list}
          lists={lists}
          sort={list.sort}
          onSort={(sort) => actions.sort(list, sort)}
          menu={<ListPageMenu list={list} lists={lists} actions={actions} />}
        />
      </>
    )
  }
  if (problem) {
    return (
      <Lone>
        <div role="alert">
          <EmptyState sentence="This list couldn't be loaded." hint={formatRequestProblem(problem)}>
            <Button variant="secondary" busy={status === 'loading'} onClick={() => void retry()}>
              Try again
            </Button>
          </EmptyState>
        </div>
      </Lone>
    )
  }
  return (
    <Lone>
      <EmptyState sentence="This list is gone." hint="The tasks that were in it are among your todos.">
        <Link className={buttonLook({ variant: 'secondary' })} to="/todos">
          Go to Todos
        </Link>
      </EmptyState>
    </Lone>
  )
}

const none: never[] = []

/**
 * Shown instead of the list. It may appear while somebody looks at the list; without a new target, the focus would then be
 * lost.
 */
function Lone({ children }: { children: React.ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus()
  }, [])
  return (
    <div className="mx-auto max-w-[768px] pt-20 max-md:pt-14">
      <h1 ref={heading} tabIndex={-1} className="sr-only">
        List
      </h1>
      {children}
    </div>
  )
}
