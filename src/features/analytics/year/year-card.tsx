import { type MouseEvent, memo, useId, useMemo, useState } from 'react'
import { isTouch } from '#platform/browser/device/by-touch.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { monthsOf, weeksOfYear } from '#platform/calendar/year-of-days.ts'
import { longDay, longWeekday, monthAndYear, shortWeekday } from '#platform/format/format-day.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { HiddenTable } from '#platform/ui/charts/hidden-table.tsx'
import { StepLine, StepLink } from '#platform/ui/charts/step-line.tsx'
import {
  cellAt,
  MonthNames,
  useYearGrid,
  weekdayRows,
  yearHeaderLook,
  yearRowLook,
} from '#platform/ui/charts/year-grid.tsx'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Segments } from '#platform/ui/controls/segments.tsx'
import { DayTip } from '#platform/ui/overlays/day-tip.tsx'
import { useDays } from '../metrics/analytics-queries.ts'
import { between, type DayValue, type Metric, sumOf } from '../metrics/day-value.ts'
import { DownloadButton } from '../metrics/download-button.tsx'
import { dayCells, dayHead, downloadCsv } from '../metrics/download-csv.ts'
import { formatValue, metricOptions, titleOf } from '../metrics/format-metric.ts'
import { useListLink } from '../metrics/list-link.ts'
import { levelNames } from './level-names.ts'
import { type Level, levelOf, stepsOf } from './year-levels.ts'

/**
 * A year of one metric: the higher a day's value, the darker its cell. The cells are there at once, and get their colours when
 * the data arrives.
 */
export function YearCard({ today, weekStart }: { today: Day; weekStart: WeekStart }) {
  const [metric, setMetric] = useState<Metric>('habits')
  const weeks = useMemo(() => weeksOfYear(today, weekStart), [today, weekStart])
  const first = weeks[0] ?? today
  const { data, status, problem, retry } = useDays(metric, { from: first, to: today })
  const steps = useMemo(() => data && stepsOf(metric, data), [metric, data])
  const names = levelNames(metric, steps)
  const heading = useId()
  return (
    <section
      aria-labelledby={heading}
      aria-busy={status === 'loading' || undefined}
      className="rounded-card bg-raised p-5 ring ring-line max-sm:p-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id={heading} className="text-control font-medium text-ink-2">
          The past year
        </h2>
        <Segments
          aria-labelledby={heading}
          options={metricOptions}
          value={metric}
          onChange={setMetric}
          className="[&>label]:px-3"
        />
      </div>
      <div className="relative mt-3">
        <YearMap metric={metric} days={data} weeks={weeks} today={today} steps={steps} />
        {status === 'failed' && (
          <div
            role="alert"
            className="absolute inset-0 grid place-content-center justify-items-center gap-3 bg-raised text-control text-ink-2"
          >
            <p className="text-balance text-center">
              The year couldn't be loaded. {problem && formatRequestProblem(problem)}
            </p>
            <Button variant="secondary" onClick={retry}>
              Try again
            </Button>
          </div>
        )}
      </div>
      {/* The level names wrap, and the button stays beside them as long as there is room for both. */}
      <div className="mt-3 flex min-h-10 flex-wrap items-center gap-x-4 gap-y-2">
        <ul className="flex min-w-0 flex-[1_1_9rem] flex-wrap gap-x-5 gap-y-1 text-small text-ink-2 [list-style-type:'']">
          {levels.map((level) => (
            <li key={level} className="flex items-center gap-2">
              <span aria-hidden="true" className={cn('size-3 rounded-cell', looks[level])} />
              {names ? names[level] : <span className="invisible">{placeholders[metric]}</span>}
            </li>
          ))}
        </ul>
        <DownloadButton
          aria-disabled={data === undefined}
          onClick={() =>
            data &&
            downloadCsv(
              `daymark-${metric}-${first}-${today}`,
              dayHead[metric],
              data.map((value) => dayCells(metric, value)),
            )
          }
        />
      </div>
    </section>
  )
}

interface YearMapProps {
  metric: Metric
  days: readonly DayValue[] | undefined
  weeks: readonly Day[]
  today: Day
  steps: ReturnType<typeof stepsOf>
}

/**
 * Every day of the year links to its list. A finger is too large for the cells, so a touch selects a day, and the line below has
 * the link.
 */
function YearMap({ metric, days, weeks, today, steps }: YearMapProps) {
  const link = useListLink()
  const valueByDay = useMemo(() => new Map(days?.map((value) => [value.day, value])), [days])
  const begin = days?.find(({ amount, occasions }) => amount > 0 || occasions > 0)?.day
  const { first, stop, choose, pointed, leave, pressKey, watched } = useYearGrid(weeks, today)

  const press = (event: MouseEvent) => {
    const { day } = cellAt(event.target)
    if (day === undefined) return
    if (isTouch(event)) {
      event.preventDefault()
      choose(day)
    } else link(metric, { from: day, to: day }).onClick(event)
  }
  const formatDayValue = (day: Day) => {
    const value = valueByDay.get(day)
    return value ? formatValue(metric, value) : 'not loaded'
  }

  return (
    <div data-map="" className="relative">
      {/* `flex-row-reverse` makes the map start scrolled to its end, which shows the newest days. */}
      <div className="@container -m-1 flex flex-row-reverse overflow-x-auto p-1 [scrollbar-width:thin]">
        {/* biome-ignore lint/a11y/useSemanticElements: cells that lead somewhere make a grid, not a table */}
        <div
          role="grid"
          aria-label={`${titleOf[metric]}, the past year by day`}
          aria-busy={days === undefined}
          onKeyDown={pressKey}
          onClick={press}
          {...watched}
          className={cn(
            'grid w-full min-w-min shrink-0 justify-between gap-[3px]',
            // If not all weeks fit, the weekday column takes the space left over by whole weeks, so that no partial week shows.
            'grid-cols-[minmax(calc(0.75rem_+_8px_+_mod(100cqi_-_0.75rem_-_8px,14px)),auto)_repeat(54,minmax(11px,14px))]',
          )}
        >
          <MonthNames weeks={weeks} />
          {weekdayRows.map((row) => (
            // biome-ignore lint/a11y/useSemanticElements: a row of a grid, not of a table
            // biome-ignore lint/a11y/useFocusableInteractive: its cells hold the links
            <div key={row} role="row" className={yearRowLook}>
              {/* biome-ignore lint/a11y/useSemanticElements: as above */}
              {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
              <span
                role="rowheader"
                aria-label={longWeekday(addDays(first, row))}
                className={cn(yearHeaderLook, 'h-[11px] self-center leading-[11px]')}
              >
                {row % 2 === 0 && row < 6 && shortWeekday(addDays(first, row)).slice(0, 1)}
              </span>
              {weeks
                .map((week) => addDays(week, row))
                .filter((day) => day <= today)
                .map((day) => {
                  const value = valueByDay.get(day)
                  return (
                    <Cell
                      key={day}
                      day={day}
                      href={link(metric, { from: day, to: day }).href}
                      label={`${longDay(day, today)}: ${formatDayValue(day)}`}
                      look={
                        days === undefined
                          ? unknownLook
                          : value && begin !== undefined && day >= begin
                            ? looks[levelOf(value, steps)]
                            : beforeLook
                      }
                      stop={day === stop}
                      current={day === today}
                    />
                  )
                })}
            </div>
          ))}
        </div>
      </div>
      <DayTip cell={pointed} onClose={leave} />
      <StepLine
        unit="Day"
        isFirst={stop <= first}
        isLast={stop >= today}
        onStep={(by) => choose(addDays(stop, by))}
        className="mt-3"
      >
        <StepLink
          {...link(metric, { from: stop, to: stop })}
          day={longDay(stop, today)}
          value={formatDayValue(stop)}
        />
      </StepLine>
      {days && (
        <HiddenTable
          caption={`${titleOf[metric]}, the past year by month`}
          head={['Month', titleOf[metric]]}
          rows={monthsOf(weeks, today).map(({ month, ...range }) => ({
            about: monthAndYear(month),
            cells: [formatValue(metric, sumOf(between(days, range)))],
          }))}
        />
      )}
    </div>
  )
}

interface CellProps {
  day: Day
  href: string
  label: string
  look: string
  stop: boolean
  current: boolean
}

const Cell = memo(function Cell({ day, href, label, look, stop, current }: CellProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    // biome-ignore lint/a11y/useFocusableInteractive: the link inside takes the focus
    <div role="gridcell" className="aspect-square">
      <a
        href={href}
        data-day={day}
        data-stop={stop || undefined}
        aria-current={current ? 'date' : undefined}
        tabIndex={stop ? 0 : -1}
        className={cn(cellLook, look)}
      >
        <span className="sr-only">{label}</span>
      </a>
    </div>
  )
})

const levels = [0, 1, 2, 3, 4] as const satisfies readonly Level[]

/** Invisible text that reserves about the space of the level names until they are known. */
const placeholders: Record<Metric, string> = {
  todos: '1 to 2',
  habits: '',
  focus: 'Up to 30 min',
}

// Each cell includes half the gap around it, so that a pointer is always over some day.
const cellLook = cn(
  'relative block size-full rounded-cell after:absolute after:-inset-[1.5px]',
  'hover:shadow-[0_0_0_1px_var(--accent)] focus-visible:z-1 focus-visible:outline-offset-1',
  'pointer-coarse:data-stop:outline-2 pointer-coarse:data-stop:outline-offset-1 pointer-coarse:data-stop:outline-accent',
)

const looks = {
  0: 'bg-heat-0 forced-colors:border',
  1: 'bg-heat-1',
  2: 'bg-heat-2',
  3: 'bg-heat-3',
  4: 'bg-heat-4 forced-colors:bg-[Highlight]',
} as const

/** The look of a day before the data is loaded. */
const unknownLook = 'bg-heat-0'

/** The look of a day before the first day with anything to count. */
const beforeLook =
  'before:absolute before:inset-0 before:m-auto before:size-0.5 before:rounded-full before:bg-edge'
