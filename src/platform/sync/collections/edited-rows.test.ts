import { describe, expect, test } from 'vitest'
import type { WriteDescription } from '../local-store/queued-write.ts'
import { EditedRows, keepsEdited } from './edited-rows.ts'

const row = (id: string, title = id) => ({ id, title })
const [a, b, c] = [row('a'), row('b'), row('c')]

const writeOf = (write: string, text: string): WriteDescription => ({
  list: 'todos',
  subject: 'b',
  write,
  text,
  refusal: 'Failed',
  version: 1,
  vars: { id: 'b', text },
  typed: true,
  at: undefined,
})

describe('a row of which an editor is open', () => {
  const opened = () => {
    const told: (readonly WriteDescription[])[] = []
    const edited = new EditedRows((heldBack) => void told.push(heldBack))
    return { edited, told, close: edited.begin('todos', 'b') }
  }

  test('stays where it was, as it was last, when another device deletes it', () => {
    const { edited, close } = opened()
    const keep = keepsEdited<typeof a>()
    const renamed = row('b', 'Renamed')
    expect(keep([a, b, c], edited.of('todos'), [a, b, c])).toEqual([a, b, c])
    expect(keep([a, renamed, c], edited.of('todos'), [a, renamed, c])).toEqual([a, renamed, c])
    expect(keep([a, c], edited.of('todos'), [a, c])).toEqual([a, renamed, c])
    expect(keep([c], edited.of('todos'), [c])).toEqual([c, renamed])
    close()
    expect(keep([c], edited.of('todos'), [c])).toEqual([c])
  })

  test('goes when its person deletes it here', () => {
    const { edited } = opened()
    const keep = keepsEdited<typeof a>()
    keep([a, b, c], edited.of('todos'), [a, b, c])
    expect(keep([a, c], edited.of('todos'), [a, b, c])).toEqual([a, c])
    expect(keep([a, c], edited.of('todos'), [a, c])).toEqual([a, c])
  })

  test('stays until the last of its editors closes', () => {
    const { edited, close } = opened()
    const closeOther = edited.begin('todos', 'b')
    close()
    expect(edited.of('todos')).toHaveLength(1)
    closeOther()
    expect(edited.of('todos')).toEqual([])
  })

  test('tells what was written to it while it was gone once the editor closes: the last of each kind', () => {
    const { edited, told, close } = opened()
    edited.holdBack(writeOf('todos.rename', 'W'))
    edited.holdBack(writeOf('todos.rename', 'Water'))
    edited.holdBack(writeOf('todos.note', 'Note'))
    expect(told).toEqual([])
    close()
    expect(told.map((writes) => writes.map(({ text }) => text))).toEqual([['Water', 'Note']])
  })

  test('is known as its editor showed it last, also once that is closed', () => {
    const { edited, close } = opened()
    edited.remember('todos', 'b', b)
    expect(edited.lastSeen('todos', 'b')).toBeUndefined()
    close()
    expect(edited.lastSeen('todos', 'b')).toBe(b)
  })
})
