import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useMemo } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { inDigits } from '#platform/ui/number-words.ts'
import { durationInWords } from '#platform/ui/time-in-words.ts'
import { changeOf, comparedOf } from '../change.ts'
import { between, type Figure, type Measure, sumOf } from '../day-figure.ts'
import { groupDays } from '../groups.ts'
import { daysOf, type Range, unitOf } from '../range.ts'
import { useDays } from './analytics-queries.ts'
import { CardFailure, CardFrame, CardSkeleton } from './card-frame.tsx'
import { Chart } from './chart.tsx'
import { changeInWords, rangeInWords, sumInWords, titleOf } from './figure-words.ts'
import { useListLink } from './list-link.ts'

interface FigureCardProps {
  measure: Measure
  range: Range
  today: Day
  weekStart: WeekStart
}

/** One measure over the range: its sum, its change, its days. It asks once, for the range and the one before. */
export function FigureCard({ measure, range, today, weekStart }: FigureCardProps) {
  const days = useMemo(() => daysOf(range, today), [range, today])
  const { data, status, trouble, retry } = useDays(measure, { from: days.before.from, to: days.to })
  const shown = useMemo(() => {
    if (!data) return undefined
    const inRange = between(data, days)
    return {
      now: sumOf(inRange),
      compared: comparedOf(measure, inRange, today),
      before: sumOf(between(data, days.before)),
      groups: groupDays(inRange, unitOf(range), weekStart),
    }
  }, [data, days, measure, range, today, weekStart])

  if (status === 'failed') {
    return (
      <CardFrame measure={measure}>
        <CardFailure what={titleOf[measure]} trouble={trouble} onRetry={retry} />
      </CardFrame>
    )
  }
  if (!shown) {
    return (
      <CardFrame measure={measure} busy>
        <CardSkeleton />
      </CardFrame>
    )
  }
  const { now, compared, before, groups } = shown
  return (
    <CardFrame measure={measure}>
      <Sum measure={measure} figure={now} days={days} range={range} />
      <ChangeLine measure={measure} now={compared} before={before} range={range} />
      {now.amount === 0 && now.beside === 0 ? (
        <Nothing measure={measure} range={range} />
      ) : (
        <Chart measure={measure} groups={groups} unit={unitOf(range)} today={today} />
      )}
    </CardFrame>
  )
}

interface SumProps {
  measure: Measure
  figure: Figure
  days: { from: Day; to: Day }
  range: Range
}

/** The number of the card, which leads to the list of what it counts. */
function Sum({ measure, figure, days, range }: SumProps) {
  const { href, onClick } = useListLink()(measure, days)
  return (
    <p className="mt-2 min-h-11 tabular-nums">
      <a
        href={href}
        onClick={onClick}
        aria-label={`${sumInWords(measure, figure)} in ${rangeInWords(range)}. Show the list`}
        className="-mx-1 inline-flex flex-wrap items-baseline gap-x-2 rounded-control px-1 hover:bg-hover"
      >
        {measure === 'focus' ? (
          durationInWords(figure.amount)
            .split(/ (?=\d)/)
            .map((part) => {
              const [count = '', unit = ''] = part.split(' ')
              return (
                <span key={unit} className="inline-flex items-baseline gap-x-2">
                  <Big>{count}</Big> <Unit>{`${unit} `}</Unit>
                </span>
              )
            })
        ) : (
          <Big>{inDigits.format(figure.amount)}</Big>
        )}{' '}
        {measure === 'habits' && <Unit>{`of ${inDigits.format(figure.beside)} due`}</Unit>}
      </a>
    </p>
  )
}

function Unit({ children }: { children: string }) {
  return <span className="text-control text-ink-2">{children}</span>
}

function Big({ children }: { children: string }) {
  return <span className="text-number text-ink">{children}</span>
}

function ChangeLine({
  measure,
  now,
  before,
  range,
}: {
  measure: Measure
  now: Figure
  before: Figure
  range: Range
}) {
  const change = changeOf(measure, now, before)
  const { strong, rest } = changeInWords(measure, change, now, range)
  const Arrow = change.kind === 'more' ? ArrowUp : change.kind === 'less' ? ArrowDown : undefined
  return (
    <p className="mt-1 flex min-h-5 items-start gap-1 text-control text-ink-2">
      {Arrow && <Arrow size={14} aria-hidden="true" className="mt-[3px] shrink-0" />}
      <span>
        <span className="font-medium text-ink">{strong}</span>
        {rest}
      </span>
    </p>
  )
}

const places = {
  todos: { to: '/todos', words: 'Go to Todos', none: 'No tasks completed' },
  habits: { to: '/habits', words: 'Go to Habits', none: 'No habits due' },
  focus: { to: '/focus', words: 'Go to Focus Timer', none: 'No focus sessions' },
} as const

function Nothing({ measure, range }: { measure: Measure; range: Range }) {
  const { to, words, none } = places[measure]
  return (
    <div className="mt-3 flex min-h-[calc(2rem+68px)] flex-col items-start justify-center gap-1 text-control text-ink-2 pointer-coarse:min-h-[calc(2rem+120px)]">
      {none} in {rangeInWords(range)}.
      <Link
        to={to}
        className="inline-flex min-h-6 items-center rounded-box font-medium text-accent hover:underline pointer-coarse:min-h-11"
      >
        {words}
      </Link>
    </div>
  )
}
