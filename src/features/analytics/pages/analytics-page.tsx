import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useId } from 'react'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { Segments } from '#platform/ui/controls/segments.tsx'
import { Page } from '#platform/ui/layout/page.tsx'
import { lazyPart } from '#platform/ui/lazy-part.tsx'
import { useCountAfterChanges } from '../metrics/analytics-queries.ts'
import { CardFrame, CardSkeleton } from '../metrics/card-frame.tsx'
import { metrics } from '../metrics/day-value.ts'
import { type Range, ranges } from '../metrics/range.ts'
import { defaultRange } from '../metrics/range-days.ts'
import { YearCard } from '../year/year-card.tsx'

const MetricCard = lazyPart(() => import('../chart/metric-card.tsx'), 'MetricCard')
const Patterns = lazyPart(() => import('../patterns/patterns.tsx'), 'Patterns')

export function AnalyticsPage() {
  const { range = defaultRange } = useSearch({ strict: false })
  const today = useToday()
  const calendar = useUserCalendar()
  const { weekStart } = calendar
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
          {metrics.map((metric) => (
            <Suspense
              key={metric}
              fallback={
                <CardFrame metric={metric} busy>
                  <CardSkeleton />
                </CardFrame>
              }
            >
              <MetricCard key={range} metric={metric} range={range} today={today} weekStart={weekStart} />
            </Suspense>
          ))}
        </div>
        <YearCard today={today} weekStart={weekStart} />
        {/* Last, because the height of this part depends on its content and would move anything below it. */}
        <Suspense>
          <Patterns range={range} today={today} calendar={calendar} />
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
