import { type Range, Virtualizer } from '@tanstack/virtual-core'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { afterPaint } from '#platform/browser/activity.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { rowIdAround } from '#platform/browser/rows/row-elements.ts'
import { searchInUse } from '../search/search-in-use.ts'
import { findInList } from '../search/search-shortcuts.ts'
import { type BuiltRows, mostFound, type RowWindowHandle, usualHeight } from './built-rows.ts'
import { ElementKeys } from './element-keys.ts'
import { nearerSpan, type Span, spanAtOnce } from './near-rows.ts'

interface RowWindowProps {
  list: RefObject<HTMLUListElement | null>
  rows: readonly { id: string }[]
  /** How many rows the board shows in all its lists. */
  total: number
  /** Draws the list again: other rows are to be built, or gaps have another height. */
  drawAgain(): void
  /** Receives what says which rows are built. */
  show(shown: RowWindowHandle | undefined): void
}

/** Keeps the rows near the window built as the page scrolls. Draws nothing itself. */
export function RowWindow({ list, rows, total, drawAgain, show }: RowWindowProps) {
  const latest = useRef({ rows, total, drawAgain })
  const follow = useRef(() => {})
  useLayoutEffect(() => {
    latest.current = { rows, total, drawAgain }
  })
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    // If thousands of rows came at once, let the page paint first. Then draw a few rows, and a few more after each paint.
    const waits = latest.current.rows.length > mostAtOnce && builtIn(element).length < 2 * few
    let isGone = false
    let end = () => {}
    const start = () => {
      if (isGone) return
      const shown = watchRows(element, latest, waits)
      follow.current = shown.follow
      show(shown)
      end = () => {
        show(undefined)
        shown.end()
      }
    }
    if (waits) afterPaint(start)
    else start()
    return () => {
      isGone = true
      end()
    }
  }, [list, show])
  // After each drawing, there may be new rows to measure.
  useLayoutEffect(() => follow.current())
  return null
}

interface WatchedRows extends RowWindowHandle {
  /** Call after the list was drawn. */
  follow(): void
  end(): void
}

/** Where the browser keeps what is in view in place while rows above change their height, nothing else may do so too. */
const browserKeepsPlace = CSS.supports('overflow-anchor', 'auto')

function watchRows(
  list: HTMLElement,
  latest: RefObject<Pick<RowWindowProps, 'rows' | 'total' | 'drawAgain'>>,
  beginsWithFew: boolean,
): WatchedRows {
  const drawAgain = () => latest.current.drawAgain()
  let { rows } = latest.current
  let before = rows
  let kept: string | undefined
  let drawnHeight: number | undefined
  /** The rows near the window that are to be built, and those that were when the list was last drawn. */
  let near: Span = { from: 0, to: builtIn(list).length }
  let drawn = near
  let nextFrame: number | undefined
  let lookAtOffset = () => {}
  let isMeasuring = false
  let isDirty = false
  /** While the page is printed, or searched by the browser. */
  let buildsAll = false
  /** The most rows to build near the window. */
  let most = beginsWithFew ? near.to + few : Number.POSITIVE_INFINITY
  let idAt = (index: number) => rows[index]?.id ?? index

  let estimate = meanHeight(list)

  /** -1, which the virtualizer ignores, for a row that has just left. */
  const indexOf = (row: HTMLElement) => rows.findIndex(({ id }) => id === row.dataset.row)

  const elementsInUse = (): Element[] => {
    const inside = [...list.querySelectorAll(used)]
    const { activeElement } = document
    if (activeElement && list.contains(activeElement)) inside.push(activeElement)
    return inside
  }
  /** Rows that stay built wherever they are: those in use, and their neighbours for Tab and screen readers. */
  const inUse = (): number[] => {
    const ids = elementsInUse().map((element) => rowIdAround(element))
    const { activeElement } = document
    if (activeElement === document.body || list.contains(activeElement)) ids.push(kept)
    return ids.flatMap((id) => {
      if (id === undefined) return []
      const now = rows.findIndex((row) => row.id === id)
      // A row that is gone has left its place to the next one.
      const place = now === -1 ? before.findIndex((row) => row.id === id) : now
      return place === -1 ? [] : [place - 1, place, place + 1]
    })
  }
  const indexesOf = (range: Range) => {
    if (buildsAll) return [...rows.keys()]
    near = spanAtOnce(near, range)
    near = { from: near.from, to: Math.min(near.to, near.from + most) }
    const built = new Set(Array.from({ length: near.to - near.from }, (_, place) => near.from + place))
    for (const index of inUse()) if (index >= 0 && index < range.count) built.add(index)
    return [...built].sort((a, b) => a - b)
  }

  /** Builds the rows beyond the edges, and takes away those that are far, in the frames that come. */
  const approach = () => {
    if (buildsAll || most < Number.POSITIVE_INFINITY || nextFrame !== undefined || !nearer()) return
    nextFrame = requestAnimationFrame(() => {
      nextFrame = undefined
      near = nearer() ?? near
      drawAgain()
    })
  }
  const nearer = (): Span | undefined =>
    virtualizer.range ? nearerSpan(near, { ...virtualizer.range, count: rows.length }) : undefined

  const options = () => ({
    count: rows.length,
    // Another function when the rows change: the virtualizer compares by identity.
    getItemKey: idAt,
    // Another function each time, because the rows in use may be others.
    rangeExtractor: (range: Range) => indexesOf(range),
    estimateSize: () => estimate,
    getScrollElement: () => window,
    observeElementRect: (
      _: Virtualizer<Window, HTMLElement>,
      note: (rect: { width: number; height: number }) => void,
    ) => {
      const look = () => note({ width: window.innerWidth, height: window.innerHeight })
      look()
      window.addEventListener('resize', look)
      return () => window.removeEventListener('resize', look)
    },
    // The offset of the window within the list, wherever the list is on the page.
    observeElementOffset: (
      _: Virtualizer<Window, HTMLElement>,
      note: (offset: number, isScrolling: boolean) => void,
    ) => {
      const look = (isScrolling: boolean) => note(-list.getBoundingClientRect().top, isScrolling)
      const scroll = () => look(true)
      const rest = () => look(false)
      lookAtOffset = rest
      look(false)
      window.addEventListener('scroll', scroll, { passive: true })
      window.addEventListener('scrollend', rest, { passive: true })
      return () => {
        window.removeEventListener('scroll', scroll)
        window.removeEventListener('scrollend', rest)
      }
    },
    scrollToFn: (_: number, { adjustments = 0 }: { adjustments?: number }) => {
      if (!browserKeepsPlace && adjustments !== 0) window.scrollBy({ top: adjustments, behavior: 'instant' })
    },
    onChange: (_: Virtualizer<Window, HTMLElement>, isScrolling: boolean) => change(isScrolling),
  })

  const virtualizer = new Virtualizer<Window, HTMLElement>(options())
  if (browserKeepsPlace) virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false

  const change = (atOnce: boolean) => {
    const { range } = virtualizer
    const isBuilt = buildsAll || !range || (drawn.from <= range.startIndex && range.endIndex < drawn.to)
    if (isBuilt && virtualizer.getTotalSize() === drawnHeight) approach()
    else if (isMeasuring) isDirty = true
    else if (atOnce) flushSync(drawAgain)
    else drawAgain()
  }

  const sizes = new ResizeObserver((entries) => {
    isMeasuring = true
    for (const { target, borderBoxSize } of entries) {
      const [size] = borderBoxSize
      if (!(target instanceof HTMLElement) || !size) continue
      if (!target.isConnected) {
        sizes.unobserve(target)
        continue
      }
      virtualizer.resizeItem(indexOf(target), size.blockSize)
    }
    isMeasuring = false
    if (!isDirty) return
    isDirty = false
    if (browserKeepsPlace) drawAgain()
    else flushSync(drawAgain)
  })
  let width = list.offsetWidth
  const widths = new ResizeObserver(() => {
    if (list.offsetWidth === width) return
    width = list.offsetWidth
    // Rows out of sight have other heights now.
    estimate = meanHeight(list)
    virtualizer.measure()
    for (const row of builtIn(list)) {
      sizes.unobserve(row)
      sizes.observe(row)
    }
  })
  widths.observe(list)

  const keys = new ElementKeys()
  let { asked } = searchInUse
  /** Which elements other rows may take over: when a search brings others, all but those in use and the one under the pointer. */
  const takenOver = (): ((id: string) => boolean) | undefined => {
    if (asked === searchInUse.asked || !searchInUse.on) return undefined
    // On the element of a ticked row, another row would show the tick going away.
    const kept = new Set(
      [...elementsInUse(), ...list.querySelectorAll(':checked')].map((element) => rowIdAround(element)),
    )
    kept.add(rowIdAround(list.querySelector(':scope > :hover')))
    return (id) => !kept.has(id)
  }

  /** The row that each element was measured for. */
  const observed = new WeakMap<HTMLElement, string | undefined>()
  const follow = () => {
    keys.drawn()
    asked = searchInUse.asked
    virtualizer._willUpdate()
    lookAtOffset()
    for (const row of builtIn(list)) {
      if (observed.has(row)) {
        if (observed.get(row) === row.dataset.row) continue
        // Measured again even if the other row is as high.
        sizes.unobserve(row)
      }
      observed.set(row, row.dataset.row)
      sizes.observe(row)
    }
    approach()
  }
  const unmount = virtualizer._didMount()
  follow()
  const buildMore = () => {
    const isFull = near.to - near.from < most
    most = isFull ? Number.POSITIVE_INFINITY : most + few
    if (!isFull) afterPaint(buildMore)
    drawAgain()
  }
  if (beginsWithFew) afterPaint(buildMore)
  isMeasuring = true
  virtualizer.getTotalSize()
  for (const row of builtIn(list)) virtualizer.resizeItem(indexOf(row), row.offsetHeight)
  isMeasuring = false
  // Tab goes on to the next row only if that one is built.
  const focused = (event: FocusEvent) => {
    kept = undefined
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
    if (row && [row.previousElementSibling, row.nextElementSibling].some((beside) => beside?.ariaHidden))
      drawAgain()
  }
  const events = new AbortController()
  const { signal } = events
  list.addEventListener('focusin', focused, { signal })
  // During a search, `total` is that of the board without it.
  const foundCount = () => (searchInUse.on ? rows.length : latest.current.total)
  const buildAll = (all: boolean) => {
    if (buildsAll === all) return
    buildsAll = all
    flushSync(drawAgain)
  }
  window.addEventListener('beforeprint', () => buildAll(true), { signal })
  window.addEventListener('afterprint', () => buildAll(false), { signal })
  window.addEventListener(
    'keydown',
    (event) => buildAll(isPressed(findInList, event) && !event.defaultPrevented && foundCount() <= mostFound),
    { signal },
  )
  window.addEventListener('pointerdown', () => buildAll(false), { signal, capture: true })

  return {
    builtOf(now): BuiltRows {
      if (now !== rows) {
        before = rows
        rows = now
        idAt = (index) => rows[index]?.id ?? index
      }
      virtualizer.setOptions(options())
      const items = virtualizer.getVirtualItems()
      const height = virtualizer.getTotalSize()
      drawn = near
      drawnHeight = height
      const isFree = takenOver()
      // Drafts are looked up only when elements are taken over: otherwise each row that is scrolled to would cost a look-up.
      const names = keys.keysFor(
        items.map(({ index }) => rows[index]?.id ?? ''),
        isFree,
        isFree && searchInUse.isHalfTyped,
      )
      return {
        rows: items.map(({ index, start, end }) => ({
          index,
          start,
          end,
          key: names.get(rows[index]?.id ?? ''),
        })),
        height,
      }
    },
    keep(id) {
      kept = id
    },
    follow,
    end() {
      unmount()
      if (nextFrame !== undefined) cancelAnimationFrame(nextFrame)
      sizes.disconnect()
      widths.disconnect()
      events.abort()
    },
  }
}

/** Marks a row in which a title is edited, beside which a menu or a picker is open, or which is dragged. */
const used = 'input[type=text], [aria-expanded=true], [data-dragged]'

/** When more rows than this come into a short list, they are not drawn at once, but over the next frames. */
const mostAtOnce = 1_000

/** About a quarter of a window. */
const few = 6

/** The mean height of the rows that are built, in pixels. */
function meanHeight(list: HTMLElement): number {
  const rows = builtIn(list)
  return rows.length === 0 ? usualHeight : rows.reduce((sum, row) => sum + row.offsetHeight, 0) / rows.length
}

function builtIn(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>(':scope > [data-row]')]
}
