import { Check } from 'lucide-react'
import { useState } from 'react'
import { troubleInWords } from '#platform/sync/trouble.ts'
import { Button } from '#platform/ui/button.tsx'
import { inDigits } from '#platform/ui/number-words.ts'
import { clockTime } from '#platform/ui/time-in-words.ts'
import { useUserCalendar } from '#platform/ui/user-calendar.tsx'
import { useCompletedTodos } from './analytics-queries.ts'
import { downloadCsv } from './download-csv.ts'
import { sumInWords } from './figure-words.ts'
import { DayGroups, fileName, ListPage, ListRow, useListedDays } from './list-page.tsx'

export function TodosListPage() {
  const days = useListedDays()
  const { timeZone } = useUserCalendar()
  const list = useCompletedTodos(days)
  const [file, setFile] = useState<'busy' | 'failed'>()
  const download = async () => {
    setFile('busy')
    try {
      const all = await list.readAll()
      const rows = all.map((todo) => [todo.completed_on, todo.title, todo.completed_at ?? ''])
      downloadCsv(fileName('todos', days), ['day', 'title', 'completed_at'], rows)
      setFile(undefined)
    } catch {
      setFile('failed')
    }
  }
  return (
    <ListPage
      measure="todos"
      days={days}
      status={list.status}
      trouble={list.trouble}
      retry={list.retry}
      sum={sumInWords('todos', { amount: list.count, beside: 0 })}
      empty={list.count === 0}
      onDownload={() => void download()}
      file={file}
    >
      <DayGroups rows={list.todos ?? []} dayOf={({ completed_on }) => completed_on}>
        {(todos) =>
          todos.map(({ id, title, completed_at }) => (
            <ListRow key={id} end={completed_at && clockTime(Date.parse(completed_at), timeZone)}>
              <Check size={16} aria-hidden="true" className="mt-1 shrink-0 text-accent" />
              <span className="min-w-0 wrap-anywhere">{title}</span>
            </ListRow>
          ))
        }
      </DayGroups>
      {list.more && (
        <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 text-control text-ink-2">
          <Button variant="secondary" busy={list.loadingMore} onClick={() => void list.loadMore()}>
            {list.moreFailed ? 'Try again' : 'Load more'}
          </Button>
          <span role="status">
            {list.moreFailed
              ? `The rest couldn't be loaded. ${list.trouble ? troubleInWords(list.trouble) : ''}`
              : `${inDigits.format(list.todos?.length ?? 0)} of ${inDigits.format(list.count)}`}
          </span>
        </div>
      )}
    </ListPage>
  )
}
