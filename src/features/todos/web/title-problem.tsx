import { CircleAlert } from 'lucide-react'

/** Why a title cannot be saved, under its field. */
export function TitleProblem({ id, children }: { id: string; children: string }) {
  return (
    <span id={id} role="alert" className="mt-2 mb-1 flex gap-1.5 text-control text-danger">
      <CircleAlert size={14} className="mt-[3px] shrink-0" />
      {children}
    </span>
  )
}
