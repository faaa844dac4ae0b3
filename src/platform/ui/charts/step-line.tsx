import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { cn } from '../class-names.ts'
import { Button, buttonLook } from '../controls/button.tsx'

interface StepLineProps {
  /** The unit that a step moves by, such as 'Day': the buttons are then 'Previous day' and 'Next day'. */
  unit: string
  isFirst: boolean
  isLast: boolean
  /** Called when a button is pressed. `by`: -1 for the previous unit, 1 for the next. */
  onStep(by: number): void
  /** Shows the current choice, between the two buttons. */
  children: ReactNode
  className?: string
}

/** Steps through marks that are too small for a finger, with buttons that a finger can hit. Touch screens only. */
export function StepLine({ unit, isFirst, isLast, onStep, children, className }: StepLineProps) {
  return (
    <div className={cn('base:hidden items-center gap-1 pointer-coarse:flex', className)}>
      <Button
        variant="icon"
        aria-label={`Previous ${unit.toLowerCase()}`}
        disabled={isFirst}
        onClick={() => onStep(-1)}
      >
        <ChevronLeft />
      </Button>
      {children}
      <Button
        variant="icon"
        aria-label={`Next ${unit.toLowerCase()}`}
        disabled={isLast}
        onClick={() => onStep(1)}
      >
        <ChevronRight />
      </Button>
    </div>
  )
}

interface StepLinkProps {
  href: string
  onClick(event: MouseEvent): void
  day: string
  value: string
}

/**
 * The current choice as a link, such as 'Sunday 22 November: 3 of 6 habits'; wraps to two lines instead of being truncated.
 */
export function StepLink({ href, onClick, day, value }: StepLinkProps) {
  return (
    <a
      className={buttonLook({
        variant: 'secondary',
        className: 'h-auto min-h-11 min-w-0 flex-1 shrink px-2 py-0.5',
      })}
      href={href}
      onClick={onClick}
    >
      <span>
        <span className="inline-block">{day}:</span> <span className="inline-block">{value}</span>
      </span>
    </a>
  )
}
