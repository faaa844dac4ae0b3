import type { ReactNode } from 'react'
import { cn } from '#platform/ui/class-names.ts'

/** The features, each illustrated by a part of the product that looks as in the app. */
export function Features() {
  return (
    <ul className="mx-auto grid max-w-[1184px] gap-10 px-4 pt-13 pb-22 @3xl:pt-15 @3xl:grid-cols-3 @3xl:gap-6 @3xl:px-8 @5xl:gap-12">
      <Feature title="Easy Tracking" text="One click logs a day. Another undoes it." picture={<Week />} />
      <Feature
        title="Visual Progress"
        text="Charts and streaks that show what you actually did."
        picture={<Bars />}
      />
      <Feature
        title="Stay Consistent"
        text="Timely reminders, and insights backed by your data."
        picture={<Streak />}
      />
    </ul>
  )
}

function Feature({ title, text, picture }: { title: string; text: string; picture: ReactNode }) {
  return (
    <li>
      <div
        aria-hidden="true"
        className="flex min-h-22 items-center justify-center overflow-clip rounded-card bg-raised px-5 py-2 ring-1 ring-line"
      >
        {picture}
      </div>
      <h2 className="mt-4 text-heading">{title}</h2>
      <p className="mt-1 text-body text-ink-2">{text}</p>
    </li>
  )
}

const week = ['done', 'done', 'missed', 'done', 'done', 'done', 'today'] as const

const dayLook = {
  done: 'bg-heat-4',
  missed: 'shadow-[inset_0_0_0_1.5px_var(--edge)]',
  today: 'shadow-[inset_0_0_0_1.5px_var(--accent)]',
}

/** Seven days, with a bar between consecutive done days. */
function Week() {
  return (
    <div className="flex gap-2 @3xl:gap-1.5 @5xl:gap-3">
      {week.map((day, index) => {
        const joined = day === 'done' && week[index + 1] === 'done'
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the days of a picture never move
            key={index}
            className={cn('relative size-6 rounded-box @3xl:size-5', dayLook[day])}
          >
            {joined && (
              <span className="absolute top-2.5 left-full h-1 w-2 bg-heat-2 @3xl:top-2 @3xl:w-1.5 @5xl:w-3" />
            )}
          </span>
        )
      })}
    </div>
  )
}

const heights = [
  12, 8, 16, 10, 18, 14, 26, 8, 4, 22, 28, 20, 32, 26, 10, 30, 34, 28, 40, 36, 16, 38, 44, 34, 46,
]

function Bars() {
  return (
    <div className="flex h-11.5 w-full max-w-75 items-end gap-1 @3xl:gap-0.5 @5xl:gap-1">
      {heights.map((height, day) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars of a picture never move
          key={day}
          className="flex-1 rounded-[2px] bg-heat-3 last:bg-heat-4"
          style={{ height }}
        />
      ))}
    </div>
  )
}

function Streak() {
  return (
    <div className="flex w-full flex-wrap items-end justify-between gap-2 text-body text-ink-2 @3xl:flex-nowrap">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-ink text-number">23</span>
        days in a row
      </p>
      <p className="whitespace-nowrap text-right">
        <span className="block text-ink-3">Longest</span>
        27 days
      </p>
    </div>
  )
}
