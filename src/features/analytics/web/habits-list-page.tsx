import { useSearch } from '@tanstack/react-router'
import { Check, Minus } from 'lucide-react'
import type { HabitScope } from '../habit-scope.ts'
import { useHabitsDue } from './analytics-queries.ts'
import { downloadCsv } from './download-csv.ts'
import { sumInWords, titleOf } from './figure-words.ts'
import { DayGroups, fileName, ListPage, ListRow, nothingOf, useListedDays } from './list-page.tsx'

export function HabitsListPage() {
  const days = useListedDays()
  const { data, status, trouble, retry } = useHabitsDue(days)
  const { habit, daily } = useSearch({ strict: false })
  const rows = (data ?? []).filter(
    ({ id, frequency }) => (habit === undefined || id === habit) && (!daily || frequency === 'daily'),
  )
  const words = wordsOf({ habit, daily }, rows.at(-1)?.name)
  const completed = rows.filter((row) => row.completed).length
  return (
    <ListPage
      measure="habits"
      title={words.title}
      nothing={words.nothing}
      days={days}
      status={status}
      trouble={trouble}
      retry={retry}
      sum={sumInWords('habits', { amount: completed, beside: rows.length })}
      empty={rows.length === 0}
      onDownload={() =>
        downloadCsv(
          fileName(words.file, days),
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

function wordsOf({ habit, daily }: HabitScope, name: string | undefined) {
  if (habit !== undefined) {
    return { title: name ?? 'Habit', nothing: "This habit wasn't due on these days.", file: 'one-habit' }
  }
  if (daily) {
    return {
      title: 'Daily habits',
      nothing: 'No daily habits due on these days.',
      file: 'daily-habits',
    }
  }
  return { title: titleOf.habits, nothing: nothingOf.habits, file: 'habits' }
}
