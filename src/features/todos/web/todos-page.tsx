import type { ReactNode } from 'react'
import { useList } from '#platform/sync/use-list.ts'
import { Button } from '#platform/ui/button.tsx'
import { EmptyState } from '#platform/ui/empty-state.tsx'
import { Page } from '#platform/ui/page.tsx'
import { LoadingScreen } from '#platform/ui/spinner.tsx'
import { TodoBoard } from './todo-board.tsx'
import { todoList } from './todo-queries.ts'

interface TodosPageProps {
  /** The person has just asked to be reminded of something. */
  onReminderSet(): void
  /** Stands where they do, with how it will reach them. */
  reachNote: ReactNode
}

export function TodosPage({ onReminderSet, reachNote }: TodosPageProps) {
  const { rows, status, retry } = useList(todoList)

  if (status === 'loading') return <LoadingScreen />
  return (
    <Page title="Todo List" subtitle="Plan your day and track your tasks">
      {rows === undefined ? (
        <EmptyState
          sentence="Your tasks could not be loaded."
          hint="Check the connection, then try again."
          className="mt-26 max-md:mt-16"
        >
          <Button onClick={retry}>Try again</Button>
        </EmptyState>
      ) : (
        <TodoBoard todos={rows} onReminderSet={onReminderSet} reachNote={reachNote} />
      )}
    </Page>
  )
}
