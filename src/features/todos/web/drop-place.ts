/** The rows of a list in the order in which they stand. */
export function rowsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>(':scope > li')]
}

export interface DropPlace {
  /** Its place among the rows once it is dropped, from 0. */
  place: number
  /** Between which two it would stand, in the window; undefined if it stands there already. */
  edge: number | undefined
}

/** Where a dragged row would stand if it were dropped at this height of the window. */
export function dropPlace(rows: readonly HTMLElement[], dragged: HTMLElement, height: number): DropPlace {
  const from = rows.indexOf(dragged)
  const others = rows.filter((row) => row !== dragged)
  // Only a few are measured: there may be a thousand.
  let [place, end] = [0, others.length]
  while (place < end) {
    const middle = (place + end) >> 1
    const box = others[middle]?.getBoundingClientRect()
    if (box && (box.top + box.bottom) / 2 < height) place = middle + 1
    else end = middle
  }
  if (place === from) return { place, edge: undefined }
  const edge =
    place > from
      ? others[place - 1]?.getBoundingClientRect().bottom
      : others[place]?.getBoundingClientRect().top
  return { place, edge }
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
