import { useState } from 'react'
import { type Trouble, Troubled } from './trouble.ts'

/** Why the last reading failed, also while it is tried again; undefined once something was read. */
export function useTrouble(error: Error | null, isRead: boolean): Trouble | undefined {
  const [last, setLast] = useState<Trouble>()
  const trouble = isRead ? undefined : error ? troubleOfReading(error) : last
  if (trouble !== last) setLast(trouble)
  return trouble
}

/** What is not of the shape that was asked for is an error of the server too. */
function troubleOfReading(error: Error): Trouble {
  return error instanceof Troubled ? error.trouble : 'broken'
}
