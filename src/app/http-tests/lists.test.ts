import { beforeAll, describe, expect, it } from 'vitest'
import type { List } from '#features/lists/list/list.ts'
import { lists as listRows } from '#features/lists/testing/lists.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { byPosition, longestPosition } from '#platform/order/position.ts'
import { type Application, openApplication } from '../testing/application.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
/** A position after a0 and before a1. */
const tooLong = `a0${'z'.repeat(longestPosition)}V`
const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
const at = (minute: number) => `2026-11-20T11:${String(minute).padStart(2, '0')}:00.000Z`

describeEachEngine('lists', (openEmpty) => {
  let daymark: Application
  let people = 0
  beforeAll(async () => {
    daymark = openApplication(await openEmpty(), { clock: () => noon })
  })

  /** Somebody who has no list yet. */
  async function someone() {
    const { cookie } = await daymark.signUp(`Ada${++people}`)
    const ask = (method: string, path: string, body?: unknown) => daymark.ask(method, path, { cookie, body })
    return {
      ask,
      add: (body: object) => ask('POST', '/api/lists', body),
      edit: (list: string, body: object) => ask('PUT', `/api/lists/${list}`, body),
      lists: async (): Promise<List[]> => (await ask('GET', '/api/lists')).body.lists,
      names: async (): Promise<string[]> =>
        (await ask('GET', '/api/lists')).body.lists.map(({ name }: List) => name),
    }
  }

  it('a new account has none', async () => {
    const { ask } = await someone()
    expect(await ask('GET', '/api/lists')).toMatchObject({ status: 200, body: { lists: [] } })
  })

  it('a list that is only named has the first colour, the manual order, and is in use', async () => {
    const { add, lists } = await someone()
    const added = await add({ id: id(1), name: '  Home ', at: at(1) })
    expect(added).toMatchObject({
      status: 201,
      body: {
        list: {
          id: id(1),
          name: 'Home',
          color: 1,
          sort: 'manual',
          archived_at: null,
          created_at: at(1),
          updated_at: at(1),
        },
      },
    })
    expect(await lists()).toEqual([added.body.list])
  })

  it('added again with the same id, a list stays as it is; added after its deletion, it stays deleted', async () => {
    const { ask, add, names } = await someone()
    await add({ id: id(1), name: 'Home' })
    expect(await add({ id: id(1), name: 'Work' })).toMatchObject({
      status: 200,
      body: { list: { name: 'Home' } },
    })
    await ask('DELETE', `/api/lists/${id(1)}`)
    expect((await add({ id: id(1), name: 'Home' })).status).toBe(404)
    expect(await names()).toEqual([])
  })

  it('two lists may have the same name', async () => {
    const { add, names } = await someone()
    await add({ name: 'Home' })
    expect((await add({ name: 'Home' })).status).toBe(201)
    expect(await names()).toEqual(['Home', 'Home'])
  })

  describe('their order', () => {
    it('is that in which they were added, if nobody has moved one', async () => {
      const { add, names } = await someone()
      for (const [minute, name] of ['Home', 'Work', 'Garden'].entries()) await add({ name, at: at(minute) })
      // A device that was offline sends it late.
      await add({ name: 'Between', at: '2026-11-20T11:00:30.000Z' })
      expect(await names()).toEqual(['Home', 'Between', 'Work', 'Garden'])
    })

    it('is by position, character by character, and by id where two are the same', async () => {
      const { add, lists } = await someone()
      const positions = ['a1', 'Zz', 'a0', 'a0V', 'a0', 'aZ', 'aa'].entries()
      for (const [place, position] of positions) await add({ id: id(9 - place), name: 'Home', position })
      expect((await lists()).map(({ id, position }) => [position, id])).toEqual([
        ['Zz', id(8)],
        ['a0', id(5)],
        ['a0', id(7)],
        ['a0V', id(6)],
        ['a1', id(9)],
        ['aZ', id(4)],
        ['aa', id(3)],
      ])
    })

    it('holds for as many as there may be', async () => {
      const { ask, names } = await someone()
      const list = (place: number) => ({
        id: id(5_000 - place),
        name: `List ${place}`,
        color: 1,
        position: `b${digits(place)}V`,
        sort: 'manual',
        archived_at: null,
        created_at: at(0),
        updated_at: at(0),
      })
      const all = Array.from({ length: 1_000 }, (_, place) => list(place))
      for (let next = 0; next < all.length; next += 200) {
        const piece = { lists: all.slice(next, next + 200) }
        expect((await ask('POST', '/api/import', piece)).status).toBe(200)
      }
      expect(await names()).toEqual(all.map(({ name }) => name))
    })

    it('stays when the server shortens a position that has become too long, also of a deleted list', async () => {
      const { ask, add, lists, names } = await someone()
      const positions = ['Zz', 'a0', 'a0z', 'a0zV', 'a1']
      for (const [place, position] of positions.entries()) {
        await add({ id: id(place), name: `List ${place}`, position, at: at(1) })
      }
      await ask('DELETE', `/api/lists/${id(2)}`)
      const { body } = await add({ id: id(7), name: 'Added', position: tooLong, at: at(1) })
      expect(body.list.position.length).toBeLessThanOrEqual(longestPosition)
      await ask('POST', `/api/lists/${id(2)}/restore`)
      expect(await names()).toEqual(['List 0', 'List 1', 'List 2', 'List 3', 'Added', 'List 4'])
      const untouched = (await lists()).filter(({ id: each }) => each !== id(2))
      expect(new Set(untouched.map(({ updated_at }) => updated_at))).toEqual(new Set([at(1)]))
    })

    it('that the server shortens beside another one reaches a device that asks only for what has changed', async () => {
      const { ask, add, lists } = await someone()
      const zeros = (number: number) => `a0${'0'.repeat(number)}1`
      await add({ id: id(1), name: 'First', position: 'a0' })
      await add({ id: id(2), name: 'Second', position: zeros(longestPosition - 3) })
      const { headers } = await ask('GET', '/api/lists')
      const before = await lists()
      await add({ id: id(3), name: 'Between', position: zeros(longestPosition) })
      const tag = (headers.get('etag') ?? '').replaceAll(/^W\/|"/g, '')
      const { body } = await ask('GET', `/api/lists?since=${encodeURIComponent(tag)}`)
      expect(body).toMatchObject({ since: tag, left: [] })
      const changed = new Map<string, List>(body.lists.map((list: List) => [list.id, list]))
      expect([...changed.keys()]).toContain(id(2))
      const kept = before.filter((list) => !changed.has(list.id))
      expect([...kept, ...changed.values()].toSorted(byPosition)).toEqual(await lists())
    })

    it('is the one of the last move, whatever the server has shortened since', async () => {
      const { add, edit, names } = await someone()
      for (const [place, position] of ['a0', 'a1', 'a2'].entries()) {
        await add({ id: id(place), name: `List ${place}`, position, at: at(1) })
      }
      await edit(id(2), { position: tooLong, at: at(5) })
      expect(await names()).toEqual(['List 0', 'List 2', 'List 1'])
      // Moved on a device before that, and sent after it: the one that stayed, and the one that was moved.
      await edit(id(0), { position: 'b00', at: at(4) })
      await edit(id(2), { position: 'b001', at: at(4) })
      expect(await names()).toEqual(['List 2', 'List 1', 'List 0'])
    })

    it('stays when the file of an import has positions that are too long', async () => {
      const { ask, lists, names } = await someone()
      const list = (place: number, position: string) =>
        listRows.file({ id: id(place), name: `List ${place}`, position })
      const long = (end: string) => `a0${'V'.repeat(240)}${end}`
      const piece = [list(0, long('c')), list(1, 'a1'), list(2, long('b')), list(3, long('a')), list(4, 'a0')]
      expect((await ask('POST', '/api/import', { lists: piece })).status).toBe(200)
      expect(await names()).toEqual(['List 4', 'List 3', 'List 2', 'List 0', 'List 1'])
      for (const { position } of await lists()) {
        expect(position.length).toBeLessThanOrEqual(longestPosition)
      }
    })
  })

  describe('a change', () => {
    it('changes what it names, and null takes a list out of the archive', async () => {
      const { add, edit } = await someone()
      await add({ id: id(1), name: 'Home', at: at(1) })
      const changes = { name: 'Work', color: 6, position: 'a5', sort: 'due', archived_at: at(2) }
      for (const [field, value] of Object.entries(changes)) {
        const { status, body } = await edit(id(1), { [field]: value, at: at(3) })
        expect({ status, value: body.list[field] }).toEqual({ status: 200, value })
      }
      expect((await edit(id(1), { archived_at: null })).body.list).toMatchObject({
        ...changes,
        archived_at: null,
      })
    })

    it('stands for each field if it was made last, whichever arrives first', async () => {
      const { add, edit, lists } = await someone()
      await add({ id: id(1), name: 'Home', at: at(1) })
      await edit(id(1), { name: 'Later', archived_at: at(4), at: at(4) })
      await edit(id(1), { name: 'Earlier', color: 2, archived_at: null, at: at(3) })
      expect(await lists()).toMatchObject([{ name: 'Later', color: 2, archived_at: at(4) }])
    })

    it('of a list that is not there is answered 404', async () => {
      const { edit } = await someone()
      expect((await edit(id(1), { name: 'Home' })).status).toBe(404)
    })

    it.each([
      ['without any field', {}, 'name'],
      ['to an empty name', { name: ' ' }, 'name'],
      ['to a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
      ['to a seventh colour', { color: 7 }, 'color'],
      ['to a position that is none', { position: 'a00' }, 'position'],
      ['to a position of 251 characters', { position: `a0${'V'.repeat(249)}` }, 'position'],
      ['to a sort that there is none of', { sort: 'alphabet' }, 'sort'],
      ['to an archive without an instant', { archived_at: true }, 'archived_at'],
    ])('%s is refused', async (_, change, field) => {
      const { add, edit, lists } = await someone()
      await add({ id: id(1), name: 'Home' })
      const before = await lists()
      const { status, body } = await edit(id(1), change)
      expect({ status, fields: Object.keys(body.fields) }).toEqual({ status: 400, fields: [field] })
      expect(await lists()).toEqual(before)
    })
  })

  describe('deleting one', () => {
    it('can be taken back, with everything that it had', async () => {
      const { ask, add, lists } = await someone()
      await add({ id: id(1), name: 'Home', color: 4, position: 'a4', sort: 'due', at: at(1) })
      const before = await lists()
      expect((await ask('DELETE', `/api/lists/${id(1)}`)).body).toEqual({ success: true })
      expect(await lists()).toEqual([])
      const restored = await ask('POST', `/api/lists/${id(1)}/restore`)
      expect(restored.body.list).toMatchObject({ name: 'Home', color: 4, position: 'a4', sort: 'due' })
      expect(await lists()).toMatchObject(before.map(({ updated_at, ...list }) => list))
    })

    it('is undone by a change that was made later, also an archiving, and by nothing that was made before it', async () => {
      const { ask, add, edit, names } = await someone()
      await add({ id: id(1), name: 'Home', at: at(1) })
      await ask('DELETE', `/api/lists/${id(1)}?at=${at(3)}`)
      expect((await edit(id(1), { name: 'Work', at: at(2) })).status).toBe(404)
      expect(await names()).toEqual([])
      expect((await edit(id(1), { archived_at: at(4), at: at(4) })).status).toBe(200)
      expect(await names()).toEqual(['Work'])
    })

    it('changes none of its to-dos: they name it still, and are in it again when it is restored', async () => {
      const { ask, add } = await someone()
      const todos = async () => (await ask('GET', '/api/todos')).body.todos
      await add({ id: id(1), name: 'Home' })
      await ask('POST', '/api/todos', { title: 'Sweep', list_id: id(1) })
      const before = await todos()
      expect(before).toMatchObject([{ title: 'Sweep', list_id: id(1) }])
      await ask('DELETE', `/api/lists/${id(1)}`)
      expect(await todos()).toEqual(before)
      await ask('POST', `/api/lists/${id(1)}/restore`)
      expect(await todos()).toEqual(before)
    })
  })

  it('a to-do may name a list that has not arrived yet', async () => {
    const { ask } = await someone()
    const { status, body } = await ask('POST', '/api/todos', { title: 'Sweep', list_id: id(77) })
    expect({ status, list: body.todo.list_id }).toEqual({ status: 201, list: id(77) })
  })
})

/** Two digits to the base of 36, which sort as the numbers do. */
function digits(number: number): string {
  return number.toString(36).padStart(2, '0')
}
