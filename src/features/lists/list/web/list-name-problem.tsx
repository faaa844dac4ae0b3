import { CircleAlert } from 'lucide-react'
import { listNameSchema } from '../list-row.ts'

/** Why a list cannot have this name; undefined if it can. */
export function problemOfListName(name: string): string | undefined {
  return listNameSchema.safeParse(name).error?.issues[0]?.message
}

export function ListNameProblem({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} role="alert" className="mt-1.5 flex gap-1.5 px-1 text-control text-danger">
      <CircleAlert size={14} className="mt-[3px] shrink-0" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}
