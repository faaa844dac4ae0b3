import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { cn } from '#platform/ui/class-names.ts'

/** Unfolds and folds its content. Folded content is not rendered. */
export function Unfolding({ open, children }: { open: boolean; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const [holds, setHolds] = useState(open)
  if (open && !holds) setHolds(true)

  useLayoutEffect(() => {
    if (open || box.current === null) return
    let reopened = false
    const motions = box.current.getAnimations()
    void Promise.allSettled(motions.map(({ finished }) => finished)).then(() => {
      if (!reopened) setHolds(false)
    })
    return () => {
      reopened = true
    }
  }, [open])

  if (!holds) return null
  return (
    <div
      ref={box}
      inert={!open}
      className={cn(
        'grid transition-[grid-template-rows] duration-180 ease-calm starting:grid-rows-[0fr]',
        open ? 'grid-rows-[1fr]' : 'grid-rows-[0fr]',
      )}
    >
      <div className="min-w-0 overflow-clip [overflow-clip-margin:8px]">{children}</div>
    </div>
  )
}
