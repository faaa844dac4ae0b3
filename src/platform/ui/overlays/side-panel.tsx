import { type ReactNode, type RefObject, useEffect, useEffectEvent } from 'react'
import { isPressed, type Shortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { cn } from '../class-names.ts'
import { keepToastsOff } from '../toasts/toast-obstacles.ts'

interface SidePanelProps {
  ref: RefObject<HTMLDivElement | null>
  /** The name for screen readers. */
  label: string
  /** Closes the panel while the focus is in it. */
  closeKey: Shortcut
  onClose(): void
  /** Called when the focus arrives at a control that the panel covers: close the panel and leave the focus there. */
  onCover(): void
  children: ReactNode
}

/**
 * A panel at the right edge, below the top bar. It lies over the page, which keeps its place, and all of which can be used
 * meanwhile.
 */
export function SidePanel({ ref, label, closeKey, onClose, onCover, children }: SidePanelProps) {
  useUncovered(ref, onCover)
  useEffect(() => keepToastsOff(ref.current), [ref])
  return (
    <div
      ref={ref}
      role="dialog"
      aria-label={label}
      onKeyDown={(event) => {
        const isInside = event.target instanceof Node && event.currentTarget.contains(event.target)
        if (!isInside || event.defaultPrevented || event.nativeEvent.isComposing) return
        if (!isPressed(closeKey, event)) return
        event.preventDefault()
        onClose()
      }}
      className={cn(
        'fixed top-14 right-0 bottom-0 z-10 flex flex-col bg-raised text-ink shadow-3',
        'max-[1200px]:w-[min(360px,calc(100vw-48px))]',
        // Right of the due dates: they end 528 px from the left of a column of 768 px, which is in the middle of the page.
        'min-[1200px]:max-[1600px]:left-[clamp(100%-440px,(100%+var(--sidebar))/2+152px,100%-320px)]',
        // Beside the column (`columnBesidePanel`).
        'min-[1600px]:w-[360px] min-[1600px]:shadow-[inset_1px_1px_var(--line)]',
      )}
    >
      {children}
    </div>
  )
}

/**
 * Keeps what has the focus in sight: the panel closes for a control that it covers wholly, and the text of a field that it covers
 * in part ends at the panel.
 */
function useUncovered(panel: RefObject<HTMLElement | null>, close: () => void): void {
  const onCover = useEffectEvent(close)
  useEffect(() => {
    let restore = () => {}
    let frame = 0
    const comes = ({ target }: FocusEvent) => {
      restore()
      cancelAnimationFrame(frame)
      if (!(target instanceof HTMLElement) || !panel.current || panel.current.contains(target)) return
      if (target instanceof HTMLTextAreaElement) restore = endTextAt(panel.current, target)
      // The browser scrolls the control into view only after this event.
      frame = requestAnimationFrame(() => panel.current && isUnder(panel.current, target) && onCover())
    }
    document.addEventListener('focusin', comes)
    return () => {
      document.removeEventListener('focusin', comes)
      cancelAnimationFrame(frame)
      restore()
    }
  }, [panel])
}

function isUnder(panel: HTMLElement, control: HTMLElement): boolean {
  const [over, { left, top, right, bottom }] = [
    panel.getBoundingClientRect(),
    control.getBoundingClientRect(),
  ]
  if (left < over.left || right > over.right || top < over.top || bottom > over.bottom) return false
  // Toasts, menus and dialogs lie above the panel.
  return panel.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
}

/** Sets `--covered` around a field to how much of the field lies under the panel. Returns a function that removes it. */
function endTextAt(panel: HTMLElement, field: HTMLElement): () => void {
  const covered = field.getBoundingClientRect().right - panel.getBoundingClientRect().left
  const style = field.parentElement?.style
  if (covered > 0) style?.setProperty('--covered', `${Math.ceil(covered)}px`)
  return () => style?.removeProperty('--covered')
}
