import { nothingYet, someList } from '#features/imports/reading/gathered.ts'
import { keysOfPaths, type Reading } from '#features/imports/reading/reading.ts'
import { type Fields, textOf } from './json-fields.ts'

/** A list of the file, and the reading that gets its tasks. */
export interface ListBeingRead {
  list: Fields
  key: string
  keys: ReturnType<typeof keysOfPaths>
  reading: Reading
}

/** Reads a file that has its tasks in lists. `readTasks` reads the tasks of one list. */
export function readLists(
  lists: readonly Fields[],
  nameOf: (list: Fields) => string,
  readTasks: (read: ListBeingRead) => void,
): Reading {
  const reading = nothingYet()
  const keys = keysOfPaths()
  for (const [place, list] of lists.entries()) {
    const name = nameOf(list)
    const key = keys('list', textOf(list.id) || name)
    reading.lists.push(someList({ key, name }))
    reading.rows.push({ line: place + 1, what: 'list', title: name, becomes: key, changed: [] })
    readTasks({ list, key, keys, reading })
  }
  return reading
}
