import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { readFile } from '#features/imports/opening/read-file.ts'
import { countFates, fatesOf } from '#features/imports/preview/fates.ts'
import type { OpenedFile, ReaderContext } from '#features/imports/reading/reading.ts'
import { textFile } from '#features/imports/testing/read-sample.ts'
import { dayOf } from '#platform/calendar/day.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { byPosition, type Placed } from '#platform/order/position.ts'
import { type Application, openApplication } from '../testing/application.ts'

const now = Date.parse('2026-11-25T12:00:00.000Z')
const folder = new URL('../../features/imports/readers/samples/', import.meta.url)
const importId = '01900000-0000-7000-8000-000000000001'
const again = '01900000-0000-7000-8000-000000000002'

/** Each sample on its own, and those of an app that packs its files as one zip. */
const packed = ['loop/2.3', 'vikunja']
const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(folder.pathname.length))
  .sort()
const samples: [string, OpenedFile][] = [
  ...paths
    .filter((path) => !packed.some((each) => path.startsWith(`${each}/`)))
    .map((path): [string, OpenedFile] => [path, textFile(textOf(path), path)]),
  ...packed.map((each): [string, OpenedFile] => {
    const files = paths
      .filter((path) => path.startsWith(`${each}/`))
      .map((path) => ({ path: path.slice(each.length + 1), text: textOf(path) }))
    return [each, { kind: 'zip', name: `${each}.zip`, files, others: [] }]
  }),
]

function textOf(path: string): string {
  return readFileSync(new URL(encodeURI(path), folder), 'utf8')
}

describeEachEngine('a sample file of', (openEmpty) => {
  let daymark: Application
  beforeAll(async () => {
    daymark = openApplication(await openEmpty(), { clock: () => now })
  })

  it.each(samples)(
    '%s comes whole and in its order, changes nothing when it comes again, and goes without a trace',
    async (_, file) => {
      const { cookie } = await daymark.signUp(`Ada${samples.findIndex(([, each]) => each === file)}`)
      const done = async (method: string, path: string, body?: unknown) => {
        const { status, body: response } = await daymark.ask(method, path, { cookie, body })
        expect(status, `${method} ${path}: ${JSON.stringify(response)}`).toBeLessThan(300)
        return response
      }
      const exported = async () => {
        const { exported_at: _at, ...account } = await done('GET', '/api/export')
        return account
      }
      const read = readWith(file, {})
      const send = async (id: string) => {
        const brought = new Set<string>()
        for (const piece of read.pieces) {
          const sent = { ...JSON.parse(piece), import: { id, source: read.source } }
          const { new: isNew } = await done('POST', '/api/import', sent)
          for (const row of isNew.rows) brought.add(row)
          for (const { habit_id, days } of isNew.days)
            for (const day of days) brought.add(`${habit_id}#${day}`)
        }
        const counts = countFates(fatesOf({ rows: read.reading.rows, targets: read.targets }, brought))
        expect(counts.in).toBe(counts.created + counts.there + counts.changed + counts.refused)
        return counts
      }

      const before = await exported()
      const first = await send(importId)
      expect(first.in).toBe(read.reading.rows.length)
      expect(first.created + first.changed).toBeGreaterThan(0)
      expect(first.there).toBe(0)
      const after = await exported()
      expect(after).not.toEqual(before)
      const { lists, todos, habits } = read.reading
      expect(inManualOrder(after.lists, 'name')).toEqual(lists.map(({ name }) => name))
      expect(inManualOrder(after.todos, 'title')).toEqual(todos.map(({ title }) => title))
      expect(inManualOrder(after.habits, 'name')).toEqual(habits.map(({ name }) => name))
      for (const { sort } of after.lists) expect(sort).toBe('manual')

      expect(await send(again)).toMatchObject({ created: 0, changed: 0, refused: first.refused })
      expect(await exported()).toEqual(after)

      await done('POST', `/api/imports/${importId}/undo`, {})
      expect(await exported()).toEqual(before)
    },
  )
})

function inManualOrder(rows: readonly (Placed & Record<string, unknown>)[], name: string): unknown[] {
  return rows.toSorted(byPosition).map((row) => row[name])
}

/** Answers what it asks with what the person would most likely choose. */
function readWith(file: OpenedFile, answers: Record<string, string>) {
  const context: ReaderContext = {
    timeZone: 'Europe/Berlin',
    dayStart: 0,
    weekStart: 1,
    now,
    answers,
    today: dayOf(now, 'Europe/Berlin', 0),
  }
  const read = readFile(file, context)
  if ('problem' in read) throw new Error(`${file.name}: ${read.problem}`)
  const open = read.reading.questions.filter(({ id }) => answers[id] === undefined)
  if (open.length === 0 || Object.keys(answers).length > 20) return read
  const given = open.map(({ id, kind, options = [], assumed }) => [
    id,
    assumed ?? (kind === 'zone' ? 'Europe/Berlin' : (options[0] ?? '')),
  ])
  return readWith(file, { ...answers, ...Object.fromEntries(given) })
}
