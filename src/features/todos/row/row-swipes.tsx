import { Calendar, Check, RotateCcw } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { Todo } from '../todo/todo.ts'
import type { RowActions } from './row-actions.ts'
import { swipeByTouch } from './swipe-by-touch.ts'

interface RowSwipesProps {
  board: RefObject<HTMLElement | null>
  todos: readonly Todo[]
  actions: Pick<RowActions, 'setCompleted' | 'askForDates'>
}

/**
 * Handles swipes on rows. To the right, a swipe completes or reopens a task, or ticks a habit; to the left, it opens the date
 * picker of a task. The row's checkbox and menu offer the same actions. A single element is the background of whichever row is
 * swiped.
 */
export function RowSwipes({ board: boardRef, todos, actions }: RowSwipesProps) {
  const ground = useRef<HTMLDivElement>(null)
  const findTask = (row: HTMLElement) => todos.find(({ id }) => id === row.dataset.row)
  const isTask = useEffectEvent((row: HTMLElement) => findTask(row) !== undefined)
  const act = useEffectEvent((row: HTMLElement, swipe: 'right' | 'left') => {
    const todo = findTask(row)
    if (!todo) {
      if (swipe === 'right') checkboxOf(row)?.click()
    } else if (swipe === 'right') actions.setCompleted(todo, todo.completed === 0)
    else if (todo.completed === 0) actions.askForDates(todo, row)
  })

  useEffect(() => {
    const board = boardRef.current
    const below = ground.current
    if (!board || !below) return
    const show = (row: HTMLElement, by: number, enough: boolean) => {
      const done = checkboxOf(row)?.checked === true
      // Completed tasks and habits have no date to set, so they cannot be swiped to the left.
      const shift = done || !isTask(row) ? Math.max(0, by) : by
      row.style.translate = `${shift}px 0`
      below.hidden = shift === 0
      below.style.top = `${row.offsetTop}px`
      below.style.height = `${row.offsetHeight}px`
      const rest = `calc(100% - ${Math.abs(shift)}px)`
      below.style.clipPath = shift > 0 ? `inset(0 ${rest} 0 0)` : `inset(0 0 0 ${rest})`
      below.dataset.swipe = by > 0 ? (done ? 'reopen' : 'complete') : 'date'
      below.toggleAttribute('data-enough', enough)
    }
    const letGo = (row: HTMLElement) => {
      const { translate } = row.style
      row.style.translate = ''
      below.hidden = true
      if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
      row.animate({ translate: [translate, '0 0'] }, { duration: 160, easing: 'cubic-bezier(0.2, 0, 0, 1)' })
    }
    return swipeByTouch(board, {
      moved: show,
      ended(row, swipe) {
        letGo(row)
        if (swipe) act(row, swipe)
      },
    })
  }, [boardRef])

  return (
    <div
      ref={ground}
      hidden
      aria-hidden="true"
      className="group/ground -inset-x-4 -z-1 absolute flex items-center rounded-control bg-heat-0 px-5 text-ink-2 data-enough:data-[swipe=complete]:bg-accent data-enough:data-[swipe=complete]:text-on-accent data-enough:data-[swipe=date]:bg-ink data-enough:data-[swipe=date]:text-paper data-enough:data-[swipe=reopen]:bg-ink data-enough:data-[swipe=reopen]:text-paper data-[swipe=date]:justify-end"
    >
      <Check size={20} className="hidden group-data-[swipe=complete]/ground:block" />
      <RotateCcw size={20} className="hidden group-data-[swipe=reopen]/ground:block" />
      <Calendar size={20} className="hidden group-data-[swipe=date]/ground:block" />
    </div>
  )
}

function checkboxOf(row: HTMLElement): HTMLInputElement | null {
  return row.querySelector<HTMLInputElement>('[type=checkbox]')
}
