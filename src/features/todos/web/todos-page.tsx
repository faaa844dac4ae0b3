import type { ReactNode } from 'react'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { EmptyState } from '#platform/ui/layout/empty-state.tsx'
import { Page } from '#platform/ui/layout/page.tsx'
import { LoadingScreen } from '#platform/ui/layout/spinner.tsx'
import { OrderChoice } from './order-choice.tsx'
import { TodoBoard } from './todo-board.tsx'
import { todoList } from './todo-queries.ts'

interface TodosPageProps {
  /** Called when the person has set a reminder. */
  onReminderSet(): void
  /** Shown where reminders are set: how they will reach the person. */
  pushPermissionNote: ReactNode
}

export function TodosPage({ onReminderSet, pushPermissionNote }: TodosPageProps) {
  const { rows, added, status, problem, retry } = useCollection(todoList)

  // A retry keeps the form, and with it what is being typed.
  if (status === 'loading' && problem === undefined) return <LoadingScreen />
  return (
    <Page
      title="Todo List"
      subtitle="Plan your day and track your tasks"
      action={rows && <OrderChoice todos={rows} />}
    >
      <TodoBoard
        todos={rows ?? added}
        failure={
          problem && (
            <div role="alert">
              <EmptyState sentence="Your tasks couldn't be loaded." hint={formatRequestProblem(problem)}>
                <Button variant="secondary" busy={status === 'loading'} onClick={retry}>
                  Try again
                </Button>
              </EmptyState>
            </div>
          )
        }
        onReminderSet={onReminderSet}
        pushPermissionNote={pushPermissionNote}
      />
    </Page>
  )
}
