import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cn } from './class-names.ts'

interface StepLineProps {
  /** 'Day': the buttons are then 'Day before' and 'Day after'. */
  unit: string
  isFirst: boolean
  isLast: boolean
  /** -1 or 1. */
  onStep(by: number): void
  /** What is chosen, between the two. */
  children: ReactNode
  className?: string
}

/** For touch: what was chosen among marks that are smaller than a finger, with targets that a finger can hit. */
export function StepLine({ unit, isFirst, isLast, onStep, children, className }: StepLineProps) {
  return (
    <div className={cn('hidden items-center gap-1 pointer-coarse:flex', className)}>
      <Button variant="icon" aria-label={`${unit} before`} disabled={isFirst} onClick={() => onStep(-1)}>
        <ChevronLeft />
      </Button>
      {children}
      <Button variant="icon" aria-label={`${unit} after`} disabled={isLast} onClick={() => onStep(1)}>
        <ChevronRight />
      </Button>
    </div>
  )
}
