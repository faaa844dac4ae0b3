import { useCallback, useEffect, useRef, useState } from 'react'
import type { Todo } from '../todo.ts'

const milliseconds = 600

/**
 * Ticking several in a row is no chase: whatever was ticked stays in its place, tick shown, until the
 * hand has rested for a moment. `onLetGo` runs just before they move, with the places that they leave.
 */
export function useHeldPlaces(onLetGo: (leaving: ReadonlyMap<string, Todo>) => void) {
  const [held, setHeld] = useState<ReadonlyMap<string, Todo>>(new Map())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ held, onLetGo })
  latest.current = { held, onLetGo }

  useEffect(() => () => clearTimeout(timer.current), [])

  /** `todo` is the row as it was before the tick. */
  const hold = useCallback((todo: Todo) => {
    setHeld((places) => (places.has(todo.id) ? places : new Map(places).set(todo.id, todo)))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      latest.current.onLetGo(latest.current.held)
      setHeld(new Map())
    }, milliseconds)
  }, [])

  return { held, hold }
}
