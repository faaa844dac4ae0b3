import { useSearch } from '@tanstack/react-router'
import { Check, Minus } from 'lucide-react'
import type { HabitScope } from '../habit-scope.ts'
import { useHabitsDue } from './analytics-queries.ts'
import { downloadCsv } from './download-csv.ts'
import { formatSum, titleOf } from './format-metric.ts'
import { DayGroups, emptyTextOf, fileName, ListPage, ListRow, useListedDays } from './list-page.tsx'

export function HabitsListPage() {
  const days = useListedDays()
  const { data, status, problem, retry } = useHabitsDue(days)
  const { habit, daily } = useSearch({ strict: false })
  const rows = (data ?? []).filter(
    ({ id, frequency }) => (habit === undefined || id === habit) && (!daily || frequency === 'daily'),
  )
  const texts = textsFor({ habit, daily }, rows.at(-1)?.name)
  const completed = rows.filter((row) => row.completed).length
  return (
    <ListPage
      metric="habits"
      title={texts.title}
      emptyText={texts.emptyText}
      days={days}
      status={status}
      problem={problem}
      retry={retry}
      sum={formatSum('habits', { amount: completed, occasions: rows.length })}
      empty={rows.length === 0}
      onDownload={() =>
        downloadCsv(
          fileName(texts.file, days),
          ['day', 'habit', 'completed'],
          rows.map((row) => [row.day, row.name, row.completed ? 1 : 0]),
        )
      }
    >
      <DayGroups rows={rows.toReversed()} dayOf={({ day }) => day}>
        {(habits) =>
          habits.toReversed().map((row) => (
            <ListRow key={row.id} end={row.completed ? 'Done' : 'Not done'}>
              {row.completed ? (
                <Check size={16} aria-hidden="true" className="mt-1 shrink-0 text-accent" />
              ) : (
                <Minus size={16} aria-hidden="true" className="mt-1 shrink-0 text-ink-3" />
              )}
              <span className="min-w-0 wrap-anywhere">{row.name}</span>
            </ListRow>
          ))
        }
      </DayGroups>
    </ListPage>
  )
}

function textsFor({ habit, daily }: HabitScope, name: string | undefined) {
  if (habit !== undefined) {
    return { title: name ?? 'Habit', emptyText: "This habit wasn't due on these days.", file: 'one-habit' }
  }
  if (daily) {
    return {
      title: 'Daily habits',
      emptyText: 'No daily habits due on these days.',
      file: 'daily-habits',
    }
  }
  return { title: titleOf.habits, emptyText: emptyTextOf.habits, file: 'habits' }
}
