import { CircleAlert } from 'lucide-react'
import { cn } from '#platform/ui/class-names.ts'

/** Shows below a field why its title cannot be saved. */
export function TitleProblem({
  id,
  className,
  children,
}: {
  id: string
  className?: string
  children: string
}) {
  return (
    <span id={id} role="alert" className={cn('mt-2 mb-1 flex gap-1.5 text-control text-danger', className)}>
      <CircleAlert size={14} className="mt-[3px] shrink-0" />
      {children}
    </span>
  )
}
