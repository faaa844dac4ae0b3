import { Link, useMatchRoute } from '@tanstack/react-router'
import { PanelLeft } from 'lucide-react'
import type { Ref } from 'react'
import { Button } from '#platform/ui/controls/button.tsx'
import { Keys } from '#platform/ui/controls/key.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { Tooltip } from '#platform/ui/overlays/tooltip.tsx'
import { Mark } from '#platform/ui/signs/mark.tsx'
import { toggleSidebar } from '../shortcuts/shell-shortcuts.ts'
import { useFormattedToday } from './formatted-today.ts'

interface TopBarProps {
  /** Whether the sidebar, or on a phone the sheet, is open. */
  open: boolean
  onToggle: () => void
  /** The value for the button's `aria-keyshortcuts`. */
  keys: string | undefined
  toggle: Ref<HTMLButtonElement>
}

export function TopBar({ open, onToggle, keys, toggle }: TopBarProps) {
  const SyncStatus = usePart(LazySyncStatus, false)
  const Buttons = usePart(LazyButtons, false)
  return (
    <header
      data-top-bar
      // On a phone, the number of selected tasks replaces the rest.
      className="group/bar @container sticky top-0 z-5 flex min-h-14 items-center gap-1 bg-paper px-3 has-data-chosen-head:*:not-data-chosen-head:hidden max-md:px-1.5"
    >
      <Tooltip
        delay={0}
        label={
          <>
            Toggle sidebar <Keys of={toggleSidebar} />
          </>
        }
      >
        {(anchor) => (
          <Button
            {...anchor}
            ref={toggle}
            variant="icon"
            aria-label="Toggle sidebar"
            aria-expanded={open}
            aria-keyshortcuts={keys}
            onClick={onToggle}
            className="size-10"
          >
            <PanelLeft size={18} />
          </Button>
        )}
      </Tooltip>
      <Today />
      <Link
        to="/todos"
        className="flex min-h-11 items-center gap-2.5 rounded-control px-1.5 text-body font-semibold md:hidden"
      >
        <Mark className="h-5" />
        {/* Large text on a narrow screen leaves no room for the name beside the mark, so the mark stands for it. */}
        <span className="@max-[19rem]:sr-only">Daymark</span>
      </Link>
      <div className="ml-auto shrink-0">{SyncStatus && <SyncStatus />}</div>
      <div className="flex min-h-10 min-w-21 shrink-0 gap-1 @max-[24rem]:group-has-data-said/bar:min-w-10">
        {Buttons && <Buttons />}
      </div>
    </header>
  )
}

// The sync status shows nothing until a change has waited for a while, so it can load late.
const LazySyncStatus = lazyPart(
  () => import('../sync-status/sync-status.tsx'),
  'SyncStatus',
  'with the screen',
)

const LazyButtons = lazyPart(() => import('./top-bar-buttons.tsx'), 'TopBarButtons', 'with the screen')

function Today() {
  const today = useFormattedToday()
  // On Today, the date is below the title.
  if (useMatchRoute()({ to: '/today' })) return null
  return (
    <p lang={today?.language} className="min-w-0 truncate text-control text-ink-3 max-md:hidden">
      {today?.label}
    </p>
  )
}
