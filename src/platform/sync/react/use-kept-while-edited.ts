import { useEffect } from 'react'
import type { Collection } from '../collections/collection.ts'
import { useSync } from './sync-context.ts'

/**
 * While `editing`, a row that another device deletes stays in place. When the person leaves the editor, they are told what they
 * typed and can have the row back.
 */
export function useKeptWhileEdited<Row extends { id: string }>(
  { name }: Collection<Row>,
  row: Row | undefined,
  editing: boolean,
): void {
  const { edited } = useSync()
  const id = editing ? row?.id : undefined
  useEffect(() => {
    if (id !== undefined) return edited.begin(name, id)
  }, [edited, name, id])
  useEffect(() => {
    if (id !== undefined) edited.remember(name, id, row)
  }, [edited, name, id, row])
}
