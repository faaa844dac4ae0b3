import { type KeyboardEvent, type MouseEvent, useMemo } from 'react'
import { isTouch } from '#platform/browser/device/by-touch.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { weeksOfYear } from '#platform/calendar/year-of-days.ts'
import { longDay } from '#platform/format/format-day.ts'
import { cellAt, useYearGrid } from '#platform/ui/charts/year-grid.tsx'
import { type YearDay, YearOfButtons } from '#platform/ui/charts/year-of-buttons.tsx'
import { DayLegend } from '../days/web/day-legend.tsx'
import { type DayLook, lookOf, yearLooks } from '../days/web/day-looks.ts'
import type { ChosenState } from '../habit/habit-facts.ts'
import { editHabitDay, skipHabitDay } from '../habit/web/habit-shortcuts.ts'
import { statesOf } from '../rhythm/day-state.ts'
import type { HabitTrack } from '../rhythm/habit-track.ts'
import { DayLine } from './day-line.tsx'
import { MonthTable } from './month-table.tsx'

interface HeatMapProps {
  name: string
  /** The track with all days; undefined while they are loading. */
  track: HabitTrack | undefined
  notes: ReadonlyMap<Day, string>
  today: Day
  weekStart: WeekStart
  onSet(day: Day, state: ChosenState): void
  onEdit(day: Day, cell: HTMLElement): void
}

const notKnown: DayLook = { look: 'not due', part: 0, isLimit: false, words: 'not known yet' }

/**
 * The year up to today, with a button for every day. The cells are too small for a finger, so a touch only selects a day, and the
 * line below changes it.
 */
export function HeatMap({ name, track, notes, today, weekStart, onSet, onEdit }: HeatMapProps) {
  const weeks = useMemo(() => weeksOfYear(today, weekStart), [today, weekStart])
  const grid = useYearGrid(weeks, today)
  const { first, stop, choose } = grid
  const looks = useMemo(
    () =>
      new Map(
        track &&
          statesOf(track, { from: first, to: today }, today).map((state) => [
            state.day,
            lookOf(track, state, today),
          ]),
      ),
    [track, first, today],
  )
  const lookOn = (day: Day) => looks.get(day) ?? notKnown
  const toggle = (day: Day) => onSet(day, lookOn(day).look === 'done' ? 'none' : 'done')
  const skip = (day: Day) => onSet(day, lookOn(day).look === 'skipped' ? 'none' : 'skipped')

  const press = (day: Day, event: MouseEvent) => {
    if (!track) return
    if (isTouch(event)) choose(day)
    else toggle(day)
  }
  const pressKey = (event: KeyboardEvent<HTMLElement>) => {
    const { day, cell } = cellAt(event.target)
    if (!track || !day || !cell) return
    if (isPressed(skipHabitDay, event) && !event.repeat) skip(day)
    else if (isPressed(editHabitDay, event)) onEdit(day, cell)
    else return grid.pressKey(event)
    event.preventDefault()
  }
  const dayOf = (day: Day): YearDay => {
    const { look, words } = lookOn(day)
    const said = notes.has(day) ? `${words}, with a note` : words
    return { look: yearLooks[look], words: said, pressed: look === 'done' }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its keys are those of the grid inside
    <div
      data-map=""
      className="relative"
      onContextMenu={(event) => {
        const { day, cell } = cellAt(event.target)
        if (!track || !day || !cell) return
        event.preventDefault()
        onEdit(day, cell)
      }}
    >
      <YearOfButtons
        label={`${name}, past year`}
        busy={track === undefined}
        weeks={weeks}
        last={today}
        today={today}
        grid={grid}
        dayOf={dayOf}
        nameOf={longDay}
        onPress={press}
        onKeyDown={pressKey}
      />
      {track && (
        <>
          <DayLegend looks={new Set([...looks.values()].map(({ look }) => look))} isYear className="mt-3" />
          <DayLine
            day={stop}
            look={lookOn(stop)}
            note={notes.get(stop)}
            first={first}
            today={today}
            onMove={choose}
            onToggle={() => toggle(stop)}
            onEdit={(button) => onEdit(stop, button)}
          />
          <MonthTable name={name} track={track} weeks={weeks} today={today} />
        </>
      )}
    </div>
  )
}
