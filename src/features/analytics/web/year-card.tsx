import { ChevronLeft, ChevronRight, Download } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, type MouseEvent, memo, useId, useMemo, useState } from 'react'
import { addDays, type Day, daySchema } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { dayByKey, monthNames, monthsOf, weeksOfYear } from '#platform/calendar/year-of-days.ts'
import { Button } from '#platform/ui/button.tsx'
import { cn } from '#platform/ui/class-names.ts'
import { DayTip } from '#platform/ui/day-tip.tsx'
import { longDay, longWeekday, monthAndYear, shortMonth, shortWeekday } from '#platform/ui/day-words.ts'
import { Segments } from '#platform/ui/segments.tsx'
import { between, type DayFigure, type Measure, sumOf } from '../day-figure.ts'
import { type Level, levelOf, stepsOf } from '../year-levels.ts'
import { useDays } from './analytics-queries.ts'
import { dayCells, dayHead, downloadCsv } from './download-csv.ts'
import { figureInWords, titleOf } from './figure-words.ts'
import { levelNames } from './level-names.ts'
import { useListLink } from './list-link.ts'

const options = [
  { value: 'habits', label: 'Habits' },
  { value: 'todos', label: 'Todos' },
  { value: 'focus', label: 'Focus' },
] as const

/** The year of one measure, every day as dark as it was full. The cells stand at once, and take their colour when it is known. */
export function YearCard({ today, weekStart }: { today: Day; weekStart: WeekStart }) {
  const [measure, setMeasure] = useState<Measure>('habits')
  const weeks = useMemo(() => weeksOfYear(today, weekStart), [today, weekStart])
  const first = weeks[0] ?? today
  const { data, status, retry } = useDays(measure, { from: first, to: today })
  const steps = useMemo(() => data && stepsOf(measure, data), [measure, data])
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
          options={options}
          value={measure}
          onChange={setMeasure}
          className="[&>label]:px-3"
        />
      </div>
      <div className="relative mt-3">
        <YearMap measure={measure} days={data} weeks={weeks} today={today} steps={steps} />
        {status === 'failed' && (
          <div
            role="alert"
            className="absolute inset-0 grid place-content-center justify-items-center gap-3 bg-raised text-control text-ink-2"
          >
            The year could not be loaded.
            <Button variant="secondary" onClick={retry}>
              Try again
            </Button>
          </div>
        )}
      </div>
      <div className="mt-3 flex min-h-10 flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <ul className="flex flex-wrap gap-x-5 gap-y-1 text-small text-ink-2 [list-style-type:'']">
          {levelNames(measure, steps).map((name, level) => (
            <li key={name} className="flex items-center gap-2">
              <span aria-hidden="true" className={cn('size-3 rounded-cell', looks[level as Level])} />
              {name}
            </li>
          ))}
        </ul>
        <Button
          variant="quiet"
          aria-disabled={data === undefined}
          onClick={() =>
            data &&
            downloadCsv(
              `daymark-${measure}-${first}-${today}`,
              dayHead[measure],
              data.map((figure) => dayCells(measure, figure)),
            )
          }
          className="-mr-2 px-2"
        >
          <Download />
          Download CSV
        </Button>
      </div>
    </section>
  )
}

interface YearMapProps {
  measure: Measure
  days: readonly DayFigure[] | undefined
  weeks: readonly Day[]
  today: Day
  steps: ReturnType<typeof stepsOf>
}

/**
 * Weeks as columns, every day a link to its list. One stop of the Tab key; keys lead as in the year of a habit. A finger is
 * too large for the cells, so a touch chooses a day, and the line underneath leads on.
 */
function YearMap({ measure, days, weeks, today, steps }: YearMapProps) {
  const link = useListLink()
  const figures = useMemo(() => new Map(days?.map((figure) => [figure.day, figure])), [days])
  const begin = days?.find(({ amount, beside }) => amount > 0 || beside > 0)?.day
  const first = weeks[0] ?? today
  const [chosen, setChosen] = useState<Day>()
  const [pointed, setPointed] = useState<HTMLElement>()
  const stop = chosen !== undefined && chosen >= first && chosen <= today ? chosen : today

  const pressKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey) return
    const to = dayByKey(event.key, stop, weeks, today, event.ctrlKey || event.metaKey)
    if (to === undefined) return
    event.preventDefault()
    event.currentTarget.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus()
  }
  const press = (event: MouseEvent) => {
    const { day } = cellAt(event.target)
    if (day === undefined) return
    const native: Event = event.nativeEvent
    if ('pointerType' in native && native.pointerType === 'touch') {
      event.preventDefault()
      setChosen(day)
    } else link(measure, { from: day, to: day }).onClick(event)
  }
  const focus = (event: FocusEvent) => {
    const { cell, day } = cellAt(event.target)
    setChosen(day)
    if (cell?.matches(':focus-visible')) setPointed(cell)
  }
  const words = (day: Day) => {
    const figure = figures.get(day)
    return `${longDay(day, today)}: ${figure ? figureInWords(measure, figure) : 'not loaded'}`
  }

  return (
    <div data-map="" className="relative">
      {/* Reversed, it begins at its end and keeps to it: the newest days are what one comes for. */}
      <div className="-m-1 flex flex-row-reverse overflow-x-auto p-1 [scrollbar-width:thin]">
        {/* biome-ignore lint/a11y/useSemanticElements: cells that lead somewhere make a grid, not a table */}
        <div
          role="grid"
          aria-label={`${titleOf[measure]}, the past year by day`}
          aria-busy={days === undefined}
          onKeyDown={pressKey}
          onClick={press}
          onFocus={focus}
          onBlur={() => setPointed(undefined)}
          onPointerOver={(event) =>
            setPointed(event.pointerType === 'mouse' ? cellAt(event.target).cell : undefined)
          }
          onPointerLeave={() => setPointed(undefined)}
          className="grid w-full min-w-min shrink-0 grid-cols-[auto_repeat(54,minmax(11px,14px))] justify-between gap-[3px]"
        >
          <div aria-hidden="true" className={cn(rowLook, 'mb-0.5 text-small text-ink-2')}>
            <span className={headerLook} />
            {monthNames(weeks).map(({ week, month }) => (
              <span
                key={month}
                style={{ gridColumnStart: week + 2 }}
                className="row-start-1 w-0 whitespace-nowrap"
              >
                {shortMonth(month)}
              </span>
            ))}
          </div>
          {weekdayRows.map((row) => (
            // biome-ignore lint/a11y/useSemanticElements: a row of a grid, not of a table
            // biome-ignore lint/a11y/useFocusableInteractive: its cells hold the links
            <div key={row} role="row" className={rowLook}>
              {/* biome-ignore lint/a11y/useSemanticElements: as above */}
              {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
              <span
                role="rowheader"
                aria-label={longWeekday(addDays(first, row))}
                className={cn(headerLook, 'h-[11px] self-center leading-[11px]')}
              >
                {row % 2 === 0 && row < 6 && shortWeekday(addDays(first, row)).slice(0, 1)}
              </span>
              {weeks
                .map((week) => addDays(week, row))
                .filter((day) => day <= today)
                .map((day) => {
                  const figure = figures.get(day)
                  return (
                    <Cell
                      key={day}
                      day={day}
                      href={link(measure, { from: day, to: day }).href}
                      words={words(day)}
                      look={
                        figure && begin !== undefined && day >= begin
                          ? looks[levelOf(figure, steps)]
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
      <DayTip cell={pointed} onClose={() => setPointed(undefined)} />
      <div className="mt-3 hidden h-11 items-center gap-1 pointer-coarse:flex">
        <Button
          variant="icon"
          aria-label="Day before"
          disabled={stop <= first}
          onClick={() => setChosen(addDays(stop, -1))}
        >
          <ChevronLeft />
        </Button>
        <Button asChild variant="secondary" className="min-w-0 flex-1 shrink px-2">
          <a {...link(measure, { from: stop, to: stop })}>
            <span className="truncate">{words(stop)}</span>
          </a>
        </Button>
        <Button
          variant="icon"
          aria-label="Day after"
          disabled={stop >= today}
          onClick={() => setChosen(addDays(stop, 1))}
        >
          <ChevronRight />
        </Button>
      </div>
      {days && <MonthTable measure={measure} days={days} weeks={weeks} today={today} />}
    </div>
  )
}

/**
 * The year in a line for each month, for those who would have to walk through its days one by one.
 * In a box: by itself a table is as wide as its words, out of sight or not.
 */
function MonthTable({
  measure,
  days,
  weeks,
  today,
}: Omit<YearMapProps, 'steps'> & { days: readonly DayFigure[] }) {
  return (
    <div className="sr-only">
      <table>
        <caption>{`${titleOf[measure]}, the past year by month`}</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col">{titleOf[measure]}</th>
          </tr>
        </thead>
        <tbody>
          {monthsOf(weeks, today).map(({ month, ...range }) => (
            <tr key={month}>
              <th scope="row">{monthAndYear(month)}</th>
              <td>{figureInWords(measure, sumOf(between(days, range)))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface CellProps {
  day: Day
  href: string
  words: string
  look: string
  stop: boolean
  current: boolean
}

const Cell = memo(function Cell({ day, href, words, look, stop, current }: CellProps) {
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
        <span className="sr-only">{words}</span>
      </a>
    </div>
  )
})

const weekdayRows = [0, 1, 2, 3, 4, 5, 6] as const
const rowLook = 'col-span-full grid grid-cols-subgrid'
// It stays while the weeks scroll under it.
const headerLook = 'sticky -left-1 z-1 -ml-1 bg-raised pr-2 pl-1 text-small whitespace-nowrap text-ink-2'

// The gap between two cells belongs to them, so that there is no place between days to miss.
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

/** Not known yet, or before anything was there to be counted. */
const beforeLook =
  'before:absolute before:inset-0 before:m-auto before:size-0.5 before:rounded-full before:bg-edge'

function cellAt(target: EventTarget): { cell: HTMLElement | undefined; day: Day | undefined } {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-day]') : null
  return { cell: cell ?? undefined, day: daySchema.safeParse(cell?.dataset.day).data }
}
