import type { ReactNode } from 'react'
import { cn } from '../class-names.ts'
import { lazyPart, usePart } from '../lazy-part.tsx'

/**
 * Shown where rows of the person's own will appear: a picture of a beacon that is not built yet. `built` draws the finished
 * beacon, for when nothing is left to do.
 */
export function EmptyState({
  built = false,
  sentence,
  hint,
  className,
  children,
}: {
  built?: boolean
  sentence: string
  hint?: ReactNode
  className?: string
  children?: ReactNode
}) {
  const Beacon = usePart(LazyBeacon, true)
  return (
    <div className={cn('flex flex-col items-center px-4 text-center', className)}>
      {/* The box keeps the beacon's place until it has loaded. */}
      <div className="aspect-[204/124] w-[204px] max-w-full">{Beacon && <Beacon built={built} />}</div>
      <p className="mt-7 max-w-full text-body font-medium text-ink wrap-anywhere">{sentence}</p>
      {hint !== undefined && <p className="mt-1 text-balance text-control text-ink-2">{hint}</p>}
      {children !== undefined && <div className="mt-6">{children}</div>}
    </div>
  )
}

const LazyBeacon = lazyPart(() => import('../signs/beacon.tsx'), 'Beacon', 'with the screen')
