interface ListedRows {
  rows: readonly { id: string }[]
  build(id: string): void
}

const listed = new WeakMap<Element, ListedRows>()

/**
 * Registers the rows of a long list, in the order shown. Only some of them have elements. The list must have the attribute
 * `data-long`. `build` makes the element of a row, which stays while it has the focus.
 */
export function listRows(list: Element, rows: ListedRows['rows'], build: ListedRows['build']): void {
  listed.set(list, { rows, build })
}

/** The ids of all rows in `container`, in the order shown, with and without an element. */
export function rowIdsIn(container: ParentNode | null): string[] {
  const isLong = container instanceof Element && container.matches(longList)
  const found = container?.querySelectorAll<HTMLElement>(`${longList}, :not(${longList}) > [data-row]`) ?? []
  return [...(isLong ? [container] : found)].flatMap(
    (each) => listed.get(each)?.rows.map(({ id }) => id) ?? each.getAttribute('data-row') ?? [],
  )
}

/**
 * The row's element, which is made first if necessary; undefined if no row in `container` has this id. Inside an effect of React
 * no element can be made, so the result may be undefined there as well.
 */
export function rowElement(
  id: string | undefined,
  container: ParentNode | null = document,
): HTMLElement | undefined {
  if (id === undefined || !container) return undefined
  const find = () => container.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`) ?? undefined
  const built = find()
  if (built) return built
  const list = [...container.querySelectorAll(longList)].find((each) =>
    listed.get(each)?.rows.some((row) => row.id === id),
  )
  if (list) listed.get(list)?.build(id)
  return list && find()
}

/** The id of the row that the element is in, or that it is itself; undefined outside of rows. */
export function rowIdAround(element: Element | null | undefined): string | undefined {
  return element?.closest<HTMLElement>('[data-row]')?.dataset.row
}

const longList = '[data-long]'
