import { useEffect, useRef, useState } from 'react'

/** Turns the row of a property into a field when it is pressed, and back into a row afterwards. The focus follows. */
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
    /** Closes the field after the focus has moved elsewhere. */
    leave: () => setEditing(false),
    /** Closes the field and returns the focus to the row. */
    close() {
      returns.current = true
      setEditing(false)
    },
  }
}
