import { useEffect, useRef, useState } from 'react'

/** A property whose row turns into a field when it is pressed, and back when that is left; the focus goes along. */
export function useRowField() {
  const [editing, setEditing] = useState(false)
  const row = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const returns = useRef(false)
  useEffect(() => {
    if (editing) {
      field.current?.focus()
      field.current?.select()
    } else if (returns.current) row.current?.focus()
    returns.current = false
  }, [editing])
  return {
    editing,
    row,
    field,
    open: () => setEditing(true),
    /** The focus has gone elsewhere. */
    leave: () => setEditing(false),
    /** The focus goes back to the row. */
    close() {
      returns.current = true
      setEditing(false)
    },
  }
}
