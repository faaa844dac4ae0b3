import { useNavigate, useSearch } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useState } from 'react'
import type { List } from '#features/lists/list/list.ts'
import { completedTaskKey } from '#features/todos/completed/completed-todos.ts'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { integerFormat } from '#platform/format/format-number.ts'
import { clockTime } from '#platform/format/format-time.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Select } from '#platform/ui/controls/select.tsx'
import { useCompletedTodos, useLists } from '../metrics/analytics-queries.ts'
import { downloadCsv, fileName } from '../metrics/download-csv.ts'
import { formatSum } from '../metrics/format-metric.ts'
import { DayGroups, ListPage, ListRow, useListedDays } from './list-page.tsx'

export function TodosListPage() {
  const days = useListedDays()
  const { timeZone } = useUserCalendar()
  const { list } = useSearch({ strict: false })
  const { data: lists = [] } = useLists()
  const nameOf = (id: string | null) => lists.find((each) => each.id === id)?.name
  const completed = useCompletedTodos(days, list)
  const [file, setFile] = useState<'busy' | 'failed'>()
  const download = async () => {
    setFile('busy')
    try {
      const all = await completed.readAll()
      const rows = all.map((todo) => [
        todo.completed_on,
        todo.title,
        todo.completed_at ?? '',
        nameOf(todo.list_id) ?? '',
      ])
      downloadCsv(fileName('todos', days), ['day', 'title', 'completed_at', 'list'], rows)
      setFile(undefined)
    } catch {
      setFile('failed')
    }
  }
  return (
    <ListPage
      metric="todos"
      days={days}
      status={completed.status}
      problem={completed.problem}
      retry={completed.retry}
      sum={formatSum('todos', { amount: completed.count, occasions: 0 })}
      empty={completed.count === 0}
      onDownload={() => void download()}
      file={file}
      filter={lists.length > 0 && <ListChoice lists={lists} list={list} />}
    >
      <DayGroups rows={completed.todos ?? []} dayOf={({ completed_on }) => completed_on}>
        {(todos) =>
          todos.map(({ id, day, title, completed_at, list_id }) => (
            <ListRow
              key={completedTaskKey({ id, day })}
              end={completed_at && clockTime(Date.parse(completed_at), timeZone)}
            >
              <Check size={16} aria-hidden="true" className="mt-1 shrink-0 text-accent" />
              <span className="min-w-0 wrap-anywhere">
                {title}
                {list === undefined && nameOf(list_id) !== undefined && (
                  <span className="block text-control text-ink-2">{nameOf(list_id)}</span>
                )}
              </span>
            </ListRow>
          ))
        }
      </DayGroups>
      {completed.more && (
        <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 text-control text-ink-2">
          <Button variant="secondary" busy={completed.loadingMore} onClick={() => void completed.loadMore()}>
            {completed.moreFailed ? 'Try again' : 'Load more'}
          </Button>
          <span role="status">
            {completed.moreFailed
              ? `The rest couldn't be loaded. ${completed.problem ? formatRequestProblem(completed.problem) : ''}`
              : `${integerFormat.format(completed.todos?.length ?? 0)} of ${integerFormat.format(completed.count)}`}
          </span>
        </div>
      )}
    </ListPage>
  )
}

/** Restricts the list to the to-dos of one of the person's lists. */
function ListChoice({ lists, list }: { lists: readonly List[]; list: string | undefined }) {
  const navigate = useNavigate({ from: '/analytics/todos' })
  const isKnown = lists.some(({ id }) => id === list)
  return (
    <Select
      aria-label="List"
      className="mb-4 max-w-60"
      value={isKnown ? list : ''}
      onChange={(event) => {
        const chosen = event.currentTarget.value
        void navigate({
          search: (before) => ({ ...before, list: chosen === '' ? undefined : chosen }),
          replace: true,
        })
      }}
    >
      <option value="">All lists</option>
      {lists.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}
