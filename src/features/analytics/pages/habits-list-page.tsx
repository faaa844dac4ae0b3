import { useSearch } from '@tanstack/react-router'
import { Check, Minus } from 'lucide-react'
import { counted } from '#platform/format/words.ts'
import { useHabitsDue } from '../metrics/analytics-queries.ts'
import { downloadCsv, fileName } from '../metrics/download-csv.ts'
import type { DueHabit } from '../metrics/due-habits.ts'
import { formatSum, titleOf } from '../metrics/format-metric.ts'
import type { HabitScope } from '../metrics/habit-scope.ts'
import { DayGroups, emptyTextOf, ListPage, ListRow, useListedDays } from './list-page.tsx'

export function HabitsListPage() {
  const days = useListedDays()
  const { habit, daily } = useSearch({ strict: false })
  const { data, status, problem, retry } = useHabitsDue(days, { onTheDay: daily === 1 })
  const rows = (data ?? []).filter(({ id }) => habit === undefined || id === habit)
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
          timesOf(habits.toReversed()).map(({ times, ...row }) => (
            <ListRow key={`${row.id} ${row.completed}`} end={resultOf(row, times)}>
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

/** Groups the rows of each habit by result, done or not done, and adds how often each result occurred. */
function timesOf(rows: readonly DueHabit[]): (DueHabit & { times: number })[] {
  const byResult = Map.groupBy(rows, ({ id, completed }) => `${id} ${completed}`)
  return [...byResult.values()].flatMap(([row, ...others]) =>
    row ? [{ ...row, times: 1 + others.length }] : [],
  )
}

function resultOf({ completed }: DueHabit, times: number): string {
  const result = completed ? 'Done' : 'Not done'
  return times === 1 ? result : `${result}, ${counted(times, 'time')}`
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
