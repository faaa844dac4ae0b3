export interface DropPlace {
  /** Its place among the rows once it is dropped, from 0. */
  place: number
  /** Between which two it would stand, in the window; undefined if it stands there already. */
  edge: number | undefined
}

/**
 * Where a dragged row would stand in its list if it were dropped at this height of the window. Asked at each move, so among a
 * thousand rows only a few are looked at.
 */
export function dropPlace(dragged: HTMLElement, height: number): DropPlace {
  const rows = dragged.parentElement?.children ?? []
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
  // Then it goes down, and the rows up to there take its place.
  const place = isAbove(dragged) ? above - 1 : above
  const [last, next] = [rows[above - 1], rows[above]]
  if (dragged === last || dragged === next) return { place, edge: undefined }
  const edge = place < above ? last?.getBoundingClientRect().bottom : next?.getBoundingClientRect().top
  return { place, edge }
}

/** The section of the day at this height of the window, or of the one that is nearest. */
export function daySectionAt(board: HTMLElement, height: number): HTMLElement | undefined {
  const sections = [...board.querySelectorAll<HTMLElement>('section:has([data-day])')]
  return sections.find((section) => section.getBoundingClientRect().bottom >= height) ?? sections.at(-1)
}

/** What is seen under the pointer or finger while a row is dragged. */
export function previewOf(row: HTMLElement): HTMLElement {
  const preview = document.createElement('div')
  const copy = row.cloneNode(true)
  if (copy instanceof HTMLElement) {
    // It is no row that anything could be done to.
    for (const name of Object.keys(copy.dataset)) delete copy.dataset[name]
    copy.classList.add('m-0!', 'bg-raised', 'shadow-2')
  }
  preview.append(copy)
  preview.inert = true
  preview.style.width = `${row.offsetWidth}px`
  return preview
}
