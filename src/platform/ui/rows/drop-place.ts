export interface DropPlace {
  /** Index of the row among the rows after the drop, from 0. */
  place: number
  /** Height in the window of the gap that the row would drop into; undefined if the row would stay where it is. */
  edge: number | undefined
}

/**
 * Where a dragged row would land in its list if it were dropped at this height of the window. `placeOf`: the index of a row in the
 * whole list, of which only a part has elements. Runs at each move, so it measures only a few of them.
 */
export function dropPlace(
  dragged: HTMLElement,
  height: number,
  placeOf: (row: HTMLElement) => number,
): DropPlace {
  const rows = [...(dragged.parentElement?.querySelectorAll<HTMLElement>(':scope > [data-row]') ?? [])]
  const isAbove = (row: Element | undefined) => {
    const box = row?.getBoundingClientRect()
    return box !== undefined && (box.top + box.bottom) / 2 < height
  }
  let [above, end] = [0, rows.length]
  while (above < end) {
    const middle = (above + end) >> 1
    if (isAbove(rows[middle])) above = middle + 1
    else end = middle
  }
  const [last, next] = [rows[above - 1], rows[above]]
  // Where the dragged row moves down, the rows in between move up by one.
  const movesDown = isAbove(dragged)
  const place = placeOf((movesDown ? last : next) ?? dragged)
  if (dragged === last || dragged === next) return { place, edge: undefined }
  const edge = movesDown ? last?.getBoundingClientRect().bottom : next?.getBoundingClientRect().top
  return { place, edge }
}

/** The day's section at this height of the window; below all sections, the last one. */
export function daySectionAt(board: HTMLElement, height: number): HTMLElement | undefined {
  const sections = [...board.querySelectorAll<HTMLElement>('section:has([data-day])')]
  return sections.find((section) => section.getBoundingClientRect().bottom >= height) ?? sections.at(-1)
}

/** The copy of the row that is shown under the pointer or finger during a drag. */
export function previewOf(row: HTMLElement): HTMLElement {
  const preview = document.createElement('div')
  const copy = row.cloneNode(true)
  if (copy instanceof HTMLElement) {
    // Without the data attributes, the copy does not count as a row.
    for (const name of Object.keys(copy.dataset)) delete copy.dataset[name]
    copy.classList.add('m-0!', 'bg-raised', 'shadow-2')
  }
  preview.append(copy)
  preview.inert = true
  preview.style.width = `${row.offsetWidth}px`
  return preview
}
