import { Ellipsis, Trash2, X } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { createPortal } from 'react-dom'
import { usePhone } from '#platform/browser/device/phone.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { columnBesidePanel } from '#platform/ui/layout/page.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#platform/ui/overlays/dropdown-menu.tsx'
import { keepToastsOff } from '#platform/ui/toasts/toast-obstacles.ts'

interface SelectionBarProps {
  ref: Ref<HTMLElement>
  /** How many rows are selected. */
  count: number
  /** The result of the last action; undefined if there was none. */
  said: { title?: string | undefined; remark?: string; undo?(): void } | undefined
  /** Whether a panel covers the right part of the list. */
  beside: boolean
  onSelectAll(): void
  onEnd(): void
  onEscape(): void
  onDelete(): void
  /** The actions, as `BarButton`s. */
  buttons: ReactNode
  /** What the buttons open. */
  children: ReactNode
}

/**
 * The bar with the actions on the selected rows, at the bottom of the window. Where it is wide it is one line. Otherwise the
 * actions stand below what was said. On a phone it replaces the tabs, and the count replaces the top bar.
 */
export function SelectionBar({
  ref,
  count,
  said,
  beside,
  onSelectAll,
  onEnd,
  onEscape,
  onDelete,
  buttons,
  children,
}: SelectionBarProps) {
  const phone = usePhone()
  const number = integerFormat.format(count)
  const close = (
    <Button variant="icon" aria-label="Clear selection" onClick={onEnd}>
      <X />
    </Button>
  )
  const text = [said?.title, said?.remark].filter(Boolean).join('. ')
  const bar = (
    <section
      ref={ref}
      aria-label="Selected tasks"
      data-chosen-bar
      onKeyDown={({ key, defaultPrevented }) => key === 'Escape' && !defaultPrevented && onEscape()}
      className="pointer-events-auto @container min-w-0 rounded-card bg-raised text-control text-ink shadow-3"
    >
      <div
        ref={keepToastsOff}
        className="flex flex-wrap items-center @min-[47rem]:min-h-14 @min-[47rem]:flex-nowrap"
      >
        <div
          className={
            phone && !said
              ? // Still there for screen readers, which say what is added to it.
                'sr-only'
              : 'flex min-w-0 grow items-center gap-x-4 pl-4 @max-[47rem]:min-h-12 @max-[47rem]:basis-full @max-[47rem]:border-b @max-[47rem]:pr-1.5'
          }
        >
          <p className={cn('shrink-0 font-medium tabular-nums', phone && 'sr-only')}>{number} selected</p>
          <p
            role="status"
            dir="auto"
            className="min-w-0 wrap-anywhere text-ink-2 @min-[47rem]:truncate @max-[47rem]:line-clamp-2 @max-[47rem]:py-1"
            title={text}
          >
            {text}
          </p>
          {said?.undo && (
            <Button
              variant="quiet"
              onClick={said.undo}
              className={cn('px-3 text-ink', phone ? 'ml-auto' : '-ml-3')}
            >
              Undo
            </Button>
          )}
          {!phone && <span className="ml-auto @min-[47rem]:hidden">{close}</span>}
        </div>
        <div className="flex grow flex-wrap @min-[47rem]:grow-0 @min-[47rem]:flex-nowrap">
          {buttons}
          <BarButton icon={<Trash2 />} onClick={onDelete} className="@min-[47rem]:hidden">
            Delete
          </BarButton>
        </div>
        <div className="flex items-center gap-x-1 pr-2 @max-[47rem]:hidden">
          <More onSelectAll={onSelectAll} onDelete={onDelete} />
          {close}
        </div>
      </div>
    </section>
  )
  const head = phone && document.querySelector('[data-top-bar]')
  const bars = phone && document.querySelector('[data-bars]')
  const main = document.querySelector('main')
  return (
    <>
      {head &&
        createPortal(
          <div data-chosen-head className="flex min-w-0 grow items-center gap-2">
            {close}
            <p aria-hidden="true" className="min-w-0 truncate text-body font-medium tabular-nums">
              {number}
              {/* Large text on a narrow screen leaves no room for it. */}
              <span className="@max-[14rem]:hidden"> selected</span>
            </p>
            <Button variant="quiet" onClick={onSelectAll} className="ml-auto px-3 text-ink">
              Select all
            </Button>
          </div>,
          head,
        )}
      {bars
        ? createPortal(<div className="px-2 pb-4">{bar}</div>, bars)
        : main &&
          createPortal(
            // The place of the page's column, whatever the sidebar leaves.
            <div
              className={cn(
                'pointer-events-none fixed right-0 bottom-6 left-(--sidebar) z-20 px-8 max-md:px-4',
                beside && 'min-[1024px]:max-[1200px]:right-[368px] min-[1024px]:max-[1200px]:pr-0',
              )}
            >
              <div className={columnBesidePanel}>
                <div className={cn(beside && 'min-[1200px]:max-[1600px]:max-w-[528px]')}>{bar}</div>
              </div>
            </div>,
            main,
          )}
      {children}
    </>
  )
}

/** The actions for which a wide bar has no button. */
function More({ onSelectAll, onDelete }: Pick<SelectionBarProps, 'onSelectAll' | 'onDelete'>) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="icon" aria-label="More actions">
          <Ellipsis />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" side="top">
        <DropdownMenuItem onSelect={onSelectAll}>Select all</DropdownMenuItem>
        <DropdownMenuItem onSelect={onDelete}>
          <Trash2 />
          Delete
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

/** An action in the bar: beside its icon, or below it where the bar is narrow. */
export function BarButton({
  icon,
  children,
  className,
  ...rest
}: Parameters<typeof Button>[0] & { icon: ReactNode }) {
  return (
    <Button
      variant="quiet"
      className={cn(
        'px-2.5 font-medium text-ink @max-[47rem]:flex-1 @max-[47rem]:flex-col @max-[47rem]:gap-1 @max-[47rem]:px-1 @max-[47rem]:py-2.5 @max-[47rem]:text-small',
        className,
      )}
      {...rest}
    >
      {icon}
      {children}
    </Button>
  )
}
