import type { ReactNode } from 'react'
import { troubleInWords } from '#platform/sync/trouble.ts'
import { useList } from '#platform/sync/use-list.ts'
import { Button } from '#platform/ui/button.tsx'
import { EmptyState } from '#platform/ui/empty-state.tsx'
import { Page } from '#platform/ui/page.tsx'
import { LoadingScreen } from '#platform/ui/spinner.tsx'
import { OrderChoice } from './order-choice.tsx'
import { TodoBoard } from './todo-board.tsx'
import { todoList } from './todo-queries.ts'

interface TodosPageProps {
  /** The person has just asked to be reminded of something. */
  onReminderSet(): void
  /** Stands where they do, with how it will reach them. */
  reachNote: ReactNode
}

export function TodosPage({ onReminderSet, reachNote }: TodosPageProps) {
  const { rows, added, status, trouble, retry } = useList(todoList)

  // Tried again, it keeps what is being typed.
  if (status === 'loading' && trouble === undefined) return <LoadingScreen />
  return (
    <Page
      title="Todo List"
      subtitle="Plan your day and track your tasks"
      action={rows && <OrderChoice todos={rows} />}
    >
      <TodoBoard
        todos={rows ?? added}
        failure={
          trouble && (
            <div role="alert">
              <EmptyState sentence="Your tasks couldn't be loaded." hint={troubleInWords(trouble)}>
                <Button variant="secondary" busy={status === 'loading'} onClick={retry}>
                  Try again
                </Button>
              </EmptyState>
            </div>
          )
        }
        onReminderSet={onReminderSet}
        reachNote={reachNote}
      />
    </Page>
  )
}
