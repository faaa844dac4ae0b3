import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')

describeEachEngine('the details of a to-do over HTTP', (openEmpty) => {
  let daymark: Application
  let people = 0
  beforeAll(async () => {
    daymark = openApplication(await openEmpty({ tag_changes: 3 }), { clock: () => noon })
  })

  async function signIn() {
    const person: Person = await daymark.signUp(`Person-${String.fromCharCode(65 + people++)}`)
    const ask = (method: string, path: string, body?: unknown) =>
      daymark.ask(method, path, { body, cookie: person.cookie })
    const add = async (more: object = {}) =>
      (await ask('POST', '/api/todos', { title: 'Task', completed: 0, at: '2026-11-20T08:00:00Z', ...more }))
        .body.todo
    const edit = (id: string, body: object) => ask('PUT', `/api/todos/${id}/edit`, body)
    const tags = async () => (await ask('GET', '/api/tags')).body.tags
    return { ask, add, edit, tags }
  }

  it('note, priority, estimate, parent and tags are taken when it is added and when it is changed', async () => {
    const { add, edit } = await signIn()
    const parent = await add()
    const details = {
      note: 'Two\nlines ',
      priority: 3,
      estimate: 90,
      parent_id: parent.id,
      tags: ['Garden', 'errands'],
    }
    const todo = await add(details)
    expect(todo).toMatchObject({ ...details, tags: ['errands', 'Garden'] })
    const none = { note: '', priority: 0, estimate: null, parent_id: null, tags: [] }
    expect(await edit(todo.id, none)).toMatchObject({ status: 200, body: { todo: none } })
    expect((await edit(todo.id, details)).body.todo).toMatchObject({
      ...details,
      tags: ['errands', 'Garden'],
    })
  })

  it('what is none of them is refused with the reason, and changes nothing', async () => {
    const { ask, add, edit } = await signIn()
    const { id } = await add()
    for (const [body, field, message] of [
      [{ note: 'x'.repeat(10_001) }, 'note', 'Note must not exceed 10000 characters'],
      [{ note: null }, 'note', 'Note must be text'],
      [{ priority: 4 }, 'priority', 'Expected a priority from 0 to 3'],
      [{ priority: '1' }, 'priority', 'Expected a priority from 0 to 3'],
      [{ estimate: 0 }, 'estimate', 'Expected at least 1 minute'],
      [{ estimate: 6_000 }, 'estimate', 'Expected at most 5999 minutes'],
      [{ estimate: 1.5 }, 'estimate', 'Expected whole minutes'],
      [{ parent_id: 'above' }, 'parent_id', 'Expected a UUIDv7 or UUIDv8'],
    ] as const) {
      const refused = { status: 400, body: { code: 'INVALID_INPUT', fields: { [field]: message } } }
      expect(await edit(id, { title: 'Changed', ...body })).toMatchObject(refused)
      expect(await ask('POST', '/api/todos', { title: 'New', completed: 0, ...body })).toMatchObject(refused)
    }
    for (const tags of [['x'.repeat(51)], [' '], ['..'], 'home', {}, { add: [], remove: [] }]) {
      const refused = { status: 400, body: { code: 'INVALID_INPUT' } }
      expect(await edit(id, { title: 'Changed', tags })).toMatchObject(refused)
    }
    const { body } = await ask('GET', '/api/todos')
    expect(body.todos.map(({ title }: { title: string }) => title)).toEqual(['Task'])
  })

  it('a change of one detail leaves the newer change of another alone, whichever arrives first', async () => {
    const { add, edit } = await signIn()
    const { id } = await add()
    await edit(id, { note: 'later', at: '2026-11-20T09:02:00Z' })
    await edit(id, { note: 'earlier', priority: 2, at: '2026-11-20T09:01:00Z' })
    const { body } = await edit(id, { tags: { add: ['home'] }, at: '2026-11-20T09:00:00Z' })
    expect(body.todo).toMatchObject({ note: 'later', priority: 2, tags: ['home'] })
  })

  it('GET /api/tags counts the tags in use; one is renamed, joined with another and removed everywhere', async () => {
    const { ask, add, tags } = await signIn()
    await add({ tags: ['work', 'a/b & ü'] })
    await add({ tags: ['Work'], completed: 1 })
    await add({ tags: ['job'] })
    expect(await tags()).toEqual([
      { tag: 'a/b & ü', count: 1 },
      { tag: 'job', count: 1 },
      { tag: expect.stringMatching(/^work$/i), count: 2 },
    ])
    expect(await ask('PUT', '/api/tags/WORK', { tag: 'Job' })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(await ask('DELETE', `/api/tags/${encodeURIComponent('a/b & ü')}`)).toMatchObject({ status: 200 })
    expect(await tags()).toEqual([{ tag: 'Job', count: 3 }])
  })

  it('a renaming to no tag is refused with the reason, and so is one of too many that tasks need', async () => {
    const { ask, add, tags } = await signIn()
    await add({ tags: ['work'] })
    expect(await ask('PUT', '/api/tags/work', { tag: ' ' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', fields: { tag: 'Tag must not be empty' } },
    })
    expect(await ask('PUT', '/api/tags/work', {})).toMatchObject({ status: 400 })
    for (const [place, tag] of ['one', 'two', 'three', 'four'].entries()) {
      const { status, body } = await ask('PUT', `/api/tags/${(await tags())[0].tag}`, {
        tag,
        at: `2026-11-20T09:00:0${place}Z`,
      })
      if (tag !== 'four') expect(status).toBe(200)
      else expect({ status, code: body.code }).toEqual({ status: 422, code: 'TOO_MANY_ROWS' })
    }
    expect(await tags()).toEqual([{ tag: 'three', count: 1 }])
  })
})
