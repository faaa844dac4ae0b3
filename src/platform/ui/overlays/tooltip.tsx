import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { lazyPart, usePart } from '../lazy-part.tsx'
import type { TipSide } from './tip.tsx'

interface TooltipProps {
  /** The tip's content. Never the only place for information: the button needs a name of its own. */
  label: ReactNode
  side?: TipSide
  /** Milliseconds that the pointer rests on the button before the tooltip opens; 0 in the sidebar. */
  delay?: number
  /** Renders the button; the passed attributes attach the tooltip to it. */
  children: (anchor: TooltipAnchor) => ReactNode
}

interface TooltipAnchor {
  'aria-describedby': string | undefined
  onPointerEnter(event: PointerEvent<HTMLElement>): void
  onPointerLeave(): void
  onPointerDown(): void
  onFocus(event: FocusEvent<HTMLElement>): void
  onBlur(): void
}

// Milliseconds after a tooltip closed in which another one opens without a delay.
const noDelayWithin = 300
// Milliseconds for the pointer to cross the gap between the button and the tip.
const crossing = 100

let lastClosed = Number.NEGATIVE_INFINITY

/**
 * Opens when the pointer rests on the button, or when the button gets keyboard focus. The tip itself is fetched only then.
 */
export function Tooltip({ label, side = 'bottom', delay = 700, children }: TooltipProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [anchor, setAnchor] = useState<HTMLElement>()
  const [open, setOpen] = useState(false)
  const Tip = usePart(LazyTip, anchor !== undefined)
  const id = useId()

  const show = (isOpen: boolean, after = 0) => {
    clearTimeout(timer.current)
    const settle = () => {
      if (!isOpen && open) lastClosed = performance.now()
      setOpen(isOpen)
    }
    if (after === 0) settle()
    else timer.current = setTimeout(settle, after)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  return (
    <>
      {children({
        'aria-describedby': open ? id : undefined,
        onPointerEnter({ pointerType, currentTarget }) {
          if (pointerType === 'touch') return
          setAnchor(currentTarget)
          show(true, performance.now() - lastClosed < noDelayWithin ? 0 : delay)
        },
        onPointerLeave: () => show(false, crossing),
        onPointerDown: () => show(false),
        onFocus({ currentTarget }) {
          if (!currentTarget.matches(':focus-visible')) return
          setAnchor(currentTarget)
          show(true)
        },
        onBlur: () => show(false),
      })}
      {Tip && open && anchor && (
        <Tip id={id} anchor={anchor} side={side} onStay={() => show(true)} onClose={() => show(false)}>
          {label}
        </Tip>
      )}
    </>
  )
}

const LazyTip = lazyPart(() => import('./tip.tsx'), 'Tip', 'after the screen')
