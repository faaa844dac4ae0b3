import { ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useId, useState } from 'react'
import { nameOfTimeZone } from '../time-zone-name.ts'
import type { PreferenceControl } from './preference-row.tsx'
import { TimeZoneName } from './time-zone-name.tsx'
import { TimeZoneSearch } from './time-zone-search.tsx'

interface TimeZoneChoiceProps {
  names: PreferenceControl
  /** The time zone that applies now. */
  zone: string
  followsBrowser: boolean
  /** Receives the chosen zone; undefined means to follow the browser. */
  onChoose: (zone: string | undefined) => void
}

/** A button with the current time zone, which opens a search through all zones. */
export function TimeZoneChoice({ names, zone, followsBrowser, onChoose }: TimeZoneChoiceProps) {
  const [open, setOpen] = useState(false)
  const valueId = useId()
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-labelledby={`${names['aria-labelledby']} ${valueId}`}
        aria-describedby={names['aria-describedby']}
        className="flex min-h-10 w-full min-w-0 items-center gap-2 rounded-control border border-edge bg-raised py-[7px] pr-3 pl-[11px] text-body transition-colors hover:bg-hover focus-visible:outline-offset-1 pointer-coarse:min-h-11"
      >
        <span id={valueId} className="wrap-anywhere min-w-0 flex-1 text-left">
          <TimeZoneName>{nameOfTimeZone(zone)}</TimeZoneName>
        </span>
        <ChevronDown className="shrink-0 text-ink-3" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label="Time zone"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-h-(--radix-popover-content-available-height) w-[min(352px,calc(100vw-16px))] flex-col overflow-hidden rounded-card bg-raised shadow-2 data-[state=closed]:animate-fade-out data-[state=open]:animate-rise-in"
        >
          <TimeZoneSearch
            chosen={followsBrowser ? undefined : zone}
            onChoose={(chosen) => {
              setOpen(false)
              onChoose(chosen)
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
