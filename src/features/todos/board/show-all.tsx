import { Link } from '@tanstack/react-router'
import type { List } from '#features/lists/list/list.ts'
import { integerFormat } from '#platform/format/format-number.ts'

/** Links to the page of all completed to-dos, or of those in `list`. */
export function ShowAll({ count, list }: { count: number; list: List | undefined }) {
  return (
    <Link
      to="/todos/completed"
      search={list ? { list: list.id } : {}}
      className="ml-8 inline-flex min-h-10 items-center text-control font-medium text-ink-2 tabular-nums hover:text-ink pointer-coarse:min-h-11"
    >
      Show all {integerFormat.format(count)}
    </Link>
  )
}
