import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useId } from 'react'
import { Page } from '#platform/ui/page.tsx'
import { Segments } from '#platform/ui/segments.tsx'
import { useToday, useUserCalendar } from '#platform/ui/user-calendar.tsx'
import { measures } from '../day-figure.ts'
import { type Range, ranges, usualRange } from '../range.ts'
import { useCountAfterChanges } from './analytics-queries.ts'
import { CardFrame, CardSkeleton } from './card-frame.tsx'
import { YearCard } from './year-card.tsx'

const FigureCard = lazy(async () => ({ default: (await import('./figure-card.tsx')).FigureCard }))
const Patterns = lazy(async () => ({ default: (await import('./patterns.tsx')).Patterns }))

export function AnalyticsPage() {
  const { range = usualRange } = useSearch({ strict: false })
  const today = useToday()
  const { weekStart } = useUserCalendar()
  useCountAfterChanges()
  return (
    <Page
      wide
      title="Analytics Dashboard"
      subtitle="Track your daily progress and achievements"
      action={<RangeSwitch range={range} />}
    >
      <div className="@container mt-6 grid grid-cols-1 gap-4 tabular-nums">
        <div className="grid grid-cols-1 gap-4 @min-[52rem]:grid-cols-3">
          {measures.map((measure) => (
            <Suspense
              key={measure}
              fallback={
                <CardFrame measure={measure} busy>
                  <CardSkeleton />
                </CardFrame>
              }
            >
              <FigureCard key={range} measure={measure} range={range} today={today} weekStart={weekStart} />
            </Suspense>
          ))}
        </div>
        <YearCard today={today} weekStart={weekStart} />
        {/* At the end, so that nothing stands below what takes its size from what it holds. */}
        <Suspense>
          <Patterns today={today} weekStart={weekStart} />
        </Suspense>
      </div>
    </Page>
  )
}

const labels: Record<Range, string> = { 7: '7 days', 30: '30 days', 90: '90 days', year: 'Year' }

function RangeSwitch({ range }: { range: Range }) {
  const navigate = useNavigate()
  const name = useId()
  return (
    <div>
      <span id={name} className="sr-only">
        Range
      </span>
      <Segments
        aria-labelledby={name}
        options={ranges.map((known) => ({ value: String(known), label: labels[known] }))}
        value={String(range)}
        onChange={(value) => {
          const chosen = ranges.find((known) => String(known) === value)
          if (chosen) {
            void navigate({
              to: '/analytics',
              search: { range: chosen },
              replace: true,
              resetScroll: false,
            })
          }
        }}
        className="[&>label]:px-3.5"
      />
    </div>
  )
}
