import { Tooltip } from 'radix-ui'

/** Shows a cell's accessible name above the cell. Visual only, since screen readers read that name anyway. */
export function DayTip({ cell, onClose }: { cell: HTMLElement | undefined; onClose(): void }) {
  const label = cell && (cell.ariaLabel || cell.textContent)
  if (!cell || !label) return null
  const { left, top, width, height } = placeOf(cell)
  return (
    <Tooltip.Provider>
      <Tooltip.Root key={label} open onOpenChange={(open) => open || onClose()} disableHoverableContent>
        <Tooltip.Trigger asChild>
          <span
            aria-hidden="true"
            className="pointer-events-none absolute"
            style={{ left, top, width, height }}
          />
        </Tooltip.Trigger>
        <Tooltip.Portal>
          <Tooltip.Content
            side="top"
            sideOffset={6}
            collisionPadding={8}
            className="pointer-events-none z-50 rounded-box bg-ink px-2 py-1 text-small font-medium text-paper"
          >
            {label}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  )
}

/** The cell's place relative to the box around the grid. */
function placeOf(cell: HTMLElement) {
  const from = cell.closest('[data-map]')?.getBoundingClientRect()
  const { left, top, width, height } = cell.getBoundingClientRect()
  return { left: left - (from?.left ?? 0), top: top - (from?.top ?? 0), width, height }
}
