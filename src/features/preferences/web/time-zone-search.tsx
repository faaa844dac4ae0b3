import { Check, Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { browserTimeZone } from '#platform/browser/clock/browser-time-zone.ts'
import { isSameTimeZone } from '#platform/calendar/time-zone.ts'
import { wordFor } from '#platform/format/words.ts'
import { cn } from '#platform/ui/class-names.ts'
import { nameOfTimeZone } from '../time-zone-name.ts'
import { findTimeZones, type TimeZoneChoice, timeZoneChoices } from '../time-zones.ts'
import { TimeZoneName } from './time-zone-name.tsx'

interface TimeZoneSearchProps {
  /** The chosen zone; undefined while following the browser. */
  chosen: string | undefined
  /** Receives the chosen zone; undefined means to follow the browser. */
  onChoose: (zone: string | undefined) => void
}

interface Option {
  zone: string | undefined
  name: string
  aside: string
}

/**
 * A search field and, below it, every time zone that matches the typed text. The arrow keys move through the zones, Enter chooses
 * one.
 */
export function TimeZoneSearch({ chosen, onChoose }: TimeZoneSearchProps) {
  const [typed, setTyped] = useState('')
  const choices = useMemo(() => timeZoneChoices(availableZones(chosen), Date.now()), [chosen])
  const options = useMemo(() => optionsFor(choices, typed), [choices, typed])
  const chosenHere = useMemo(
    () => choices.find(({ zone }) => chosen !== undefined && isSameTimeZone(zone, chosen))?.zone,
    [choices, chosen],
  )
  const isChosen = ({ zone }: Option) => zone === chosenHere
  const [active, setActive] = useState(() => Math.max(0, options.findIndex(isChosen)))
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)

  // When the search opens, scroll the chosen zone to the middle of the list.
  useEffect(() => bringIntoView(list.current?.querySelector('[aria-selected=true]'), 'middle'), [])

  const press = (event: KeyboardEvent) => {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (steps !== undefined) {
      event.preventDefault()
      const next = Math.min(options.length - 1, Math.max(0, active + steps))
      setActive(next)
      bringIntoView(list.current?.children[next], 'nearest')
    }
    const option = options[active]
    if (event.key === 'Enter' && option) {
      event.preventDefault()
      onChoose(option.zone)
    }
  }

  return (
    <>
      <div className="relative shrink-0 border-line border-b p-2">
        <Search className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-5 text-ink-3" />
        <input
          type="text"
          role="combobox"
          aria-label="Search time zones"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={options.length > 0 ? `${listId}-${active}` : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="City or offset"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setActive(0)
            list.current?.scrollTo({ top: 0 })
          }}
          onKeyDown={press}
          className="min-h-9 w-full min-w-0 rounded-control bg-transparent pr-3 pl-9 text-body placeholder:text-ink-3 focus-visible:-outline-offset-2 pointer-coarse:min-h-11"
        />
      </div>
      <div
        ref={list}
        id={listId}
        role="listbox"
        tabIndex={-1}
        aria-label="Time zones"
        className="relative min-h-0 overflow-y-auto overscroll-contain p-1 [max-height:min(20rem,50dvh)]"
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={option.zone ?? 'browser'}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={isChosen(option)}
            // Keep the focus in the search field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option.zone)}
            onPointerMove={() => setActive(index)}
            className={cn(
              'flex min-h-9 cursor-pointer select-none items-center gap-x-2 rounded-control px-3 py-1 text-control pointer-coarse:min-h-11',
              index === active && 'bg-hover',
            )}
          >
            <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
              <span className="min-w-0 flex-[1_1_8rem] wrap-anywhere">
                <TimeZoneName>{option.name}</TimeZoneName>
              </span>
              <span className="text-ink-3 text-small tabular-nums wrap-anywhere">{option.aside}</span>
            </span>
            <Check className={cn('shrink-0 text-accent', !isChosen(option) && 'invisible')} />
          </div>
        ))}
      </div>
      {options.length === 0 && <p className="px-4 pb-4 text-control text-ink-2">No matching time zones.</p>}
      <p role="status" className="sr-only">
        {typed !== '' && `${options.length} ${wordFor(options.length, 'time zone')}`}
      </p>
    </>
  )
}

/** Every zone that the runtime lists, and the chosen one if the runtime lists it under no name. */
function availableZones(chosen: string | undefined): string[] {
  const known = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])]
  return chosen === undefined || known.some((zone) => isSameTimeZone(zone, chosen))
    ? known
    : [...known, chosen]
}

function optionsFor(choices: readonly TimeZoneChoice[], typed: string): Option[] {
  const zones = findTimeZones(choices, typed).map(({ zone, name, offset }) => ({ zone, name, aside: offset }))
  const follow = { zone: undefined, name: 'Follow this browser', aside: nameOfTimeZone(browserTimeZone()) }
  return follow.name.toLowerCase().includes(typed.trim().toLowerCase()) ? [follow, ...zones] : zones
}

/** Scrolls the list alone: `scrollIntoView` would also move the page behind it. */
function bringIntoView(row: Element | null | undefined, where: 'middle' | 'nearest') {
  if (!(row instanceof HTMLElement) || !row.parentElement) return
  const list = row.parentElement
  const atTop = row.offsetTop - 4
  const atBottom = row.offsetTop + row.offsetHeight + 4 - list.clientHeight
  if (where === 'middle') list.scrollTop = (atTop + atBottom) / 2
  else list.scrollTop = Math.max(atBottom, Math.min(atTop, list.scrollTop))
}
