import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { type KeyboardEvent, type MouseEvent, useId, useMemo, useState } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import { byTouch } from '#platform/ui/by-touch.ts'
import { cn } from '#platform/ui/class-names.ts'
import { dayOfMonth, shortMonth } from '#platform/ui/day-words.ts'
import { inDigits } from '#platform/ui/number-words.ts'
import { isPressed } from '#platform/ui/shortcuts.ts'
import { StepLine, StepLink } from '#platform/ui/step-line.tsx'
import { durationInWords } from '#platform/ui/time-in-words.ts'
import type { Measure } from '../day-figure.ts'
import type { Group } from '../groups.ts'
import type { Unit } from '../range.ts'
import { topOf } from '../scale-top.ts'
import { chartBar, chartEnds } from './chart-shortcuts.ts'
import { counted, daysInWords, figureInWords, titleOf } from './figure-words.ts'
import { useListLink } from './list-link.ts'

interface ChartProps {
  measure: Measure
  groups: readonly Group[]
  unit: Unit
  today: Day
}

/** In px; the width is whatever the card has, so nothing has to be measured before it can be drawn. */
const height = 60

/**
 * Bars to the eye, a table to a screen reader: one and the same element, so that nothing is read twice. Each bar is a row
 * whose head leads to the list of its days. One stop of the Tab key, arrow keys from bar to bar. A finger is larger than a
 * bar: a first touch chooses one, and the line underneath leads on.
 */
export function Chart({ measure, groups, unit, today }: ChartProps) {
  const link = useListLink()
  const id = useId()
  const last = groups.length - 1
  const [chosen, setChosen] = useState(last)
  const [touched, setTouched] = useState<number>()
  const [pointed, setPointed] = useState<number>()
  const stop = Math.min(chosen, last)
  const readOut = groups[pointed ?? -1]
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
    if (!byTouch(event) || touched === index) return
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
          {readOut && (
            <>
              {daysInWords(readOut, today)}:{' '}
              <span className="font-medium text-ink">{figureInWords(measure, readOut)}</span>
            </>
          )}
        </span>
        <span className={cn('shrink-0 text-ink-3', readOut && 'max-sm:hidden')}>
          {topInWords(measure, groups, unit)}
        </span>
      </div>
      <div className="relative mt-1 h-15">
        {/* biome-ignore lint/a11y/useSemanticElements: a browser may drop the roles of a `table` laid out as columns (decision 17) */}
        <div
          role="table"
          aria-label={`${titleOf[measure]} by ${unit}`}
          onKeyDown={pressKey}
          onPointerLeave={() => setPointed(undefined)}
          onBlur={() => setPointed(undefined)}
          className="absolute inset-0 flex touch-pan-y"
        >
          <Heads measure={measure} unit={unit} />
          {groups.map((group, index) => {
            const { href, onClick } = link(measure, group)
            const [amount, beside] = valuesInWords(measure, group)
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
                    <span className="sr-only">{daysInWords(group, today)}</span>
                  </a>
                </div>
                <div id={`${id}-${index}`} className="sr-only">
                  {/* biome-ignore lint/a11y/useSemanticElements: as above */}
                  <span role="cell">{amount}</span>
                  {beside !== undefined && (
                    // biome-ignore lint/a11y/useSemanticElements: as above
                    <span role="cell">{` ${beside}`}</span>
                  )}
                </div>
              </div>
            )
          })}
        </div>
        <Bars measure={measure} groups={groups} today={today} />
      </div>
      <div aria-hidden="true" className="mt-1 flex min-h-4 justify-between text-small text-ink-2">
        {[groups[0], groups[Math.floor(last / 2)]].map(
          (group, place) => group && <span key={group.from + String(place)}>{shortDay(group.from)}</span>,
        )}
        <span>Today</span>
      </div>
      {shown && (
        <StepLine
          unit={unitInWords[unit]}
          isFirst={stop === 0}
          isLast={stop === last}
          onStep={(by) => setChosen(stop + by)}
          className="mt-2 min-h-11"
        >
          <StepLink
            {...link(measure, shown)}
            day={daysInWords(shown, today)}
            figure={figureInWords(measure, shown)}
          />
        </StepLine>
      )}
    </div>
  )
}

const unitInWords = { day: 'Day', week: 'Week', month: 'Month' } as const

function Heads({ measure, unit }: { measure: Measure; unit: Unit }) {
  const heads = {
    todos: ['Completed'],
    habits: ['Completed', 'Due'],
    focus: ['Focused', 'Sessions'],
  }[measure]
  return (
    // biome-ignore lint/a11y/useSemanticElements: as in the chart
    // biome-ignore lint/a11y/useFocusableInteractive: nothing in it takes the focus
    <div role="row" className="sr-only">
      {[unitInWords[unit], ...heads].map((head) => (
        // biome-ignore lint/a11y/useSemanticElements: as above
        // biome-ignore lint/a11y/useFocusableInteractive: as above
        <span key={head} role="columnheader">
          {head}
        </span>
      ))}
    </div>
  )
}

function Bars({ measure, groups, today }: Pick<ChartProps, 'measure' | 'groups' | 'today'>) {
  const { x, y } = useMemo(() => {
    const domain = groups.map(({ from }) => from)
    return {
      x: scaleBand({ domain, range: [0, 100], paddingInner: 0.32, paddingOuter: 0.16 }),
      y: scaleLinear({ domain: [0, topOf(measure, groups)], range: [0, height] }),
    }
  }, [groups, measure])
  const bar = (group: Group, value: number, look: string) => {
    // What is not nothing is seen.
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
          {measure === 'habits' && bar(group, group.beside, 'fill-heat-0 forced-colors:fill-[GrayText]')}
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

/** '4 a day', '25 due a week', '2 h a day' */
function topInWords(measure: Measure, groups: readonly Group[], unit: Unit): string {
  const top = topOf(measure, groups)
  const words = measure === 'focus' ? durationInWords(top) : inDigits.format(top)
  return `${words}${measure === 'habits' ? ' due' : ''} per ${unit}`
}

function valuesInWords(measure: Measure, { amount, beside }: Group): [string, string?] {
  if (measure === 'focus') return [durationInWords(amount), counted(beside, 'session')]
  const completed = `${inDigits.format(amount)} completed`
  return measure === 'habits' ? [completed, `${inDigits.format(beside)} due`] : [completed]
}

function shortDay(day: Day): string {
  return `${dayOfMonth(day)} ${shortMonth(day)}`
}
