/** The rows of a list of which only those near the window have elements. */
export interface ListedRows {
  /** The id of every row, in the order shown. */
  ids: readonly string[]
  /** Makes the row's element, which stays while it has the focus. */
  build(id: string): void
}

const listed = new WeakMap<Element, ListedRows>()

/** Tells of every row of `list`, which must have the attribute `data-long`. */
export function listRows(list: Element, rows: ListedRows): void {
  listed.set(list, rows)
}

/** The ids of all rows in `container`, in the order shown, with and without an element. */
export function rowIdsIn(container: ParentNode | null): string[] {
  const ids: string[] = []
  for (const each of container?.querySelectorAll<HTMLElement>(`${longList}, ${anyRow}`) ?? []) {
    const rows = listed.get(each)
    if (rows) ids.push(...rows.ids)
    else if (each.dataset.row !== undefined && !each.parentElement?.matches(longList))
      ids.push(each.dataset.row)
  }
  return ids
}

/** The row's element, made first if need be; undefined if no row in `container` has this id. */
export function rowElement(
  id: string | undefined,
  container: ParentNode | null = document,
): HTMLElement | undefined {
  if (id === undefined || !container) return undefined
  const find = () => container.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`) ?? undefined
  const built = find()
  if (built) return built
  const list = [...container.querySelectorAll(longList)].find((each) => listed.get(each)?.ids.includes(id))
  if (list) listed.get(list)?.build(id)
  return list && find()
}

/** The ids of the rows of the same list as this row, in the order shown. */
export function idsBeside(row: HTMLElement): readonly string[] {
  const list = row.parentElement
  return (list && listed.get(list)?.ids) ?? [...(list?.children ?? [])].flatMap((each) => idOf(each) ?? [])
}

const anyRow = '[data-row]'
const longList = '[data-long]'

function idOf(element: Element): string | undefined {
  return element instanceof HTMLElement ? element.dataset.row : undefined
}
