import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { type KeyboardEvent, type MouseEvent, useId, useMemo, useState } from 'react'
import { isTouch } from '#platform/browser/device/by-touch.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import type { Day } from '#platform/calendar/day.ts'
import { dayOfMonth } from '#platform/format/format-day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { formatDuration } from '#platform/format/format-time.ts'
import { counted, shortMonth } from '#platform/format/words.ts'
import { StepLine, StepLink } from '#platform/ui/charts/step-line.tsx'
import { cn } from '#platform/ui/class-names.ts'
import type { Metric } from '../metrics/day-value.ts'
import { formatDays, formatValue, titleOf } from '../metrics/format-metric.ts'
import { useListLink } from '../metrics/list-link.ts'
import type { Unit } from '../metrics/range-days.ts'
import { chartBar, chartEnds } from './chart-shortcuts.ts'
import type { Group } from './groups.ts'
import { scaleTopOf } from './scale-top.ts'

interface ChartProps {
  metric: Metric
  groups: readonly Group[]
  unit: Unit
  today: Day
}

/**
 * The chart's height in px. The bars' horizontal positions are percentages, so the chart's width need not be measured before
 * drawing.
 */
const height = 60

/**
 * Bars for the eye and a table for screen readers in the same element, so that nothing is read twice. Each bar is a row, and its
 * header links to the list of its days. There is one Tab stop; arrow keys move from bar to bar. A finger is too large for a bar:
 * a first touch selects the bar, and the line below has the link.
 */
export function Chart({ metric, groups, unit, today }: ChartProps) {
  const link = useListLink()
  const id = useId()
  const last = groups.length - 1
  const [chosen, setChosen] = useState(last)
  const [touched, setTouched] = useState<number>()
  const [pointed, setPointed] = useState<number>()
  const stop = Math.min(chosen, last)
  const highlighted = groups[pointed ?? -1]
  const shown = groups[stop]

  const pressKey = (event: KeyboardEvent<HTMLElement>) => {
    const to = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: last }[event.key]
    if (to === undefined || !(isPressed(chartBar, event) || isPressed(chartEnds, event))) return
    event.preventDefault()
    const bar = event.currentTarget.querySelector<HTMLElement>(
      `[data-bar="${Math.max(0, Math.min(last, to))}"]`,
    )
    bar?.focus()
  }
  const press = (event: MouseEvent, index: number) => {
    if (!isTouch(event) || touched === index) return
    event.preventDefault()
    setTouched(index)
    setChosen(index)
  }

  return (
    <div className="mt-3">
      <div
        aria-hidden="true"
        className="flex min-h-4 justify-between gap-2 text-small text-ink-2 tabular-nums"
      >
        <span className="min-w-0 truncate">
          {highlighted && (
            <>
              {formatDays(highlighted, today)}:{' '}
              <span className="font-medium text-ink">{formatValue(metric, highlighted)}</span>
            </>
          )}
        </span>
        <span className={cn('shrink-0 text-ink-3', highlighted && 'max-sm:hidden')}>
          {formatTop(metric, groups, unit)}
        </span>
      </div>
      <div className="relative mt-1 h-15">
        {/* biome-ignore lint/a11y/useSemanticElements: a browser may drop the roles of a `table` laid out as columns (decision 17) */}
        <div
          role="table"
          aria-label={`${titleOf[metric]} by ${unit}`}
          onKeyDown={pressKey}
          onPointerLeave={() => setPointed(undefined)}
          onBlur={() => setPointed(undefined)}
          className="absolute inset-0 flex touch-pan-y"
        >
          <Heads metric={metric} unit={unit} />
          {groups.map((group, index) => {
            const { href, onClick } = link(metric, group)
            const [amount, occasions] = formatCells(metric, group)
            return (
              // biome-ignore lint/a11y/useSemanticElements: as above
              // biome-ignore lint/a11y/useFocusableInteractive: the link inside takes the focus
              <div key={group.from} role="row" className="relative flex-1">
                {/* biome-ignore lint/a11y/useSemanticElements: as above */}
                {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
                <div role="rowheader">
                  <a
                    href={href}
                    data-bar={index}
                    tabIndex={index === stop ? 0 : -1}
                    aria-describedby={`${id}-${index}`}
                    onClick={(event) => {
                      press(event, index)
                      onClick(event)
                    }}
                    onFocus={() => {
                      setChosen(index)
                      setPointed(index)
                    }}
                    onPointerEnter={() => setPointed(index)}
                    className={cn(
                      'absolute inset-0 rounded-t-[2px] hover:bg-hover focus-visible:z-1 focus-visible:bg-hover focus-visible:outline-offset-1',
                      index === stop && 'pointer-coarse:bg-hover',
                    )}
                  >
                    <span className="sr-only">{formatDays(group, today)}</span>
                  </a>
                </div>
                <div id={`${id}-${index}`} className="sr-only">
                  {/* biome-ignore lint/a11y/useSemanticElements: as above */}
                  <span role="cell">{amount}</span>
                  {occasions !== undefined && (
                    // biome-ignore lint/a11y/useSemanticElements: as above
                    <span role="cell">{` ${occasions}`}</span>
                  )}
                </div>
              </div>
            )
          })}
        </div>
        <Bars metric={metric} groups={groups} today={today} />
      </div>
      <div aria-hidden="true" className="mt-1 flex min-h-4 justify-between text-small text-ink-2">
        {[groups[0], groups[Math.floor(last / 2)]].map(
          (group, place) => group && <span key={group.from + String(place)}>{shortDay(group.from)}</span>,
        )}
        <span>Today</span>
      </div>
      {shown && (
        <StepLine
          unit={unitNames[unit]}
          isFirst={stop === 0}
          isLast={stop === last}
          onStep={(by) => setChosen(stop + by)}
          className="mt-2 min-h-11"
        >
          <StepLink
            {...link(metric, shown)}
            day={formatDays(shown, today)}
            value={formatValue(metric, shown)}
          />
        </StepLine>
      )}
    </div>
  )
}

const unitNames = { day: 'Day', week: 'Week', month: 'Month' } as const

function Heads({ metric, unit }: { metric: Metric; unit: Unit }) {
  const heads = {
    todos: ['Completed'],
    habits: ['Completed', 'Due'],
    focus: ['Focused', 'Sessions'],
  }[metric]
  return (
    // biome-ignore lint/a11y/useSemanticElements: as in the chart
    // biome-ignore lint/a11y/useFocusableInteractive: nothing in it takes the focus
    <div role="row" className="sr-only">
      {[unitNames[unit], ...heads].map((head) => (
        // biome-ignore lint/a11y/useSemanticElements: as above
        // biome-ignore lint/a11y/useFocusableInteractive: as above
        <span key={head} role="columnheader">
          {head}
        </span>
      ))}
    </div>
  )
}

function Bars({ metric, groups, today }: Pick<ChartProps, 'metric' | 'groups' | 'today'>) {
  const { x, y } = useMemo(() => {
    const domain = groups.map(({ from }) => from)
    return {
      x: scaleBand({ domain, range: [0, 100], paddingInner: 0.32, paddingOuter: 0.16 }),
      y: scaleLinear({ domain: [0, scaleTopOf(metric, groups)], range: [0, height] }),
    }
  }, [groups, metric])
  const bar = (group: Group, value: number, look: string) => {
    // Any value above 0 gets a visible bar.
    const tall = value === 0 ? 0 : Math.max(2, y(value))
    return (
      <Bar
        x={`${x(group.from)}%`}
        width={`${x.bandwidth()}%`}
        y={height - tall}
        height={tall}
        rx={1.5}
        className={look}
      />
    )
  }
  return (
    <svg
      aria-hidden="true"
      width="100%"
      height={height}
      className="pointer-events-none absolute inset-0 overflow-visible"
    >
      <line x1="0" x2="100%" y1="0.5" y2="0.5" strokeDasharray="3 3" className="stroke-line" />
      {groups.map((group) => (
        <g key={group.from}>
          {metric === 'habits' && bar(group, group.occasions, 'fill-heat-0 forced-colors:fill-[GrayText]')}
          {bar(
            group,
            group.amount,
            cn('forced-colors:fill-[Highlight]', group.to === today ? 'fill-heat-4' : 'fill-heat-3'),
          )}
        </g>
      ))}
      <line x1="0" x2="100%" y1={height - 0.5} y2={height - 0.5} className="stroke-edge" />
    </svg>
  )
}

/** What the top of the chart stands for: '4 per day', '25 due per week', '2 h per day'. */
function formatTop(metric: Metric, groups: readonly Group[], unit: Unit): string {
  const top = scaleTopOf(metric, groups)
  const formatted = metric === 'focus' ? formatDuration(top) : integerFormat.format(top)
  return `${formatted}${metric === 'habits' ? ' due' : ''} per ${unit}`
}

function formatCells(metric: Metric, { amount, occasions }: Group): [string, string?] {
  if (metric === 'focus') return [formatDuration(amount), counted(occasions, 'session')]
  const completed = `${integerFormat.format(amount)} completed`
  return metric === 'habits' ? [completed, `${integerFormat.format(occasions)} due`] : [completed]
}

function shortDay(day: Day): string {
  return `${dayOfMonth(day)} ${shortMonth(day)}`
}
