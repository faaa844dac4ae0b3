import { Slot } from 'radix-ui'
import { type FocusEvent, type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { lazyPart, usePart } from '../lazy-part.tsx'
import type { TipSide } from './tip.tsx'

interface TooltipProps {
  /** Never the only place for information: the button keeps its own name. */
  label: ReactNode
  side?: TipSide
  /** Milliseconds before it opens; 0 in the sidebar. */
  delay?: number
  children: ReactElement
}

// Moving on to another tooltip within this many milliseconds opens it without a delay.
const noDelayWithin = 300
// Time for the pointer to cross the gap between the button and the tip.
const crossing = 100

let lastClosed = Number.NEGATIVE_INFINITY

/** Opens when the pointer rests on the button or it gets keyboard focus. The tip itself is only fetched then. */
export function Tooltip({ label, side = 'bottom', delay = 700, children }: TooltipProps) {
  const anchor = useRef<HTMLElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [near, setNear] = useState(false)
  const [open, setOpen] = useState(false)
  const Tip = usePart(LazyTip, near)
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
  const approach = () => {
    setNear(true)
    show(true, performance.now() - lastClosed < noDelayWithin ? 0 : delay)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  return (
    <>
      <Slot.Root
        ref={anchor}
        aria-describedby={open ? id : undefined}
        onPointerEnter={({ pointerType }: { pointerType: string }) => pointerType !== 'touch' && approach()}
        onPointerLeave={() => show(false, crossing)}
        onPointerDown={() => show(false)}
        onFocus={({ currentTarget }: FocusEvent) => {
          if (!currentTarget.matches(':focus-visible')) return
          setNear(true)
          show(true)
        }}
        onBlur={() => show(false)}
      >
        {children}
      </Slot.Root>
      {Tip && open && anchor.current && (
        <Tip
          id={id}
          anchor={anchor.current}
          side={side}
          onStay={() => show(true)}
          onClose={() => show(false)}
        >
          {label}
        </Tip>
      )}
    </>
  )
}

const LazyTip = lazyPart(() => import('./tip.tsx'), 'Tip', 'after the screen')
