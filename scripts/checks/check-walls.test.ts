import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { walls } from '../../.dependency-cruiser.mjs'
import { checkWalls } from './check-walls.mjs'

const repository = fileURLToPath(new URL('../..', import.meta.url))

const soundHouse: Record<string, string> = {
  'src/app/server.ts': "import '#features/todos/server/todo-routes.ts'",
  'src/app/web.tsx': "import './routes/todos.tsx'",
  'src/app/routes/todos.tsx': "import '#features/todos/web/todo-page.tsx'",
  'src/features/todos/todo.ts': "import 'zod/mini'\nimport '#platform/calendar/day.ts'\nimport './due.ts'",
  'src/features/todos/due.ts': "import '#platform/wire/text.ts'",
  'src/features/todos/server/todo-routes.ts':
    "import './todo-store.ts'\nimport '../todo.ts'\nimport '#platform/http/http.ts'\nexport type Routes = 1",
  'src/features/todos/server/todo-store.ts': "import 'kysely'\nimport '#platform/database/database.ts'",
  'src/features/todos/server/todo-store.test.ts':
    "import './todo-store.ts'\nimport 'kysely'\nimport 'vitest'",
  'src/features/todos/web/todo-page.tsx':
    "import type { Routes } from '../server/todo-routes.ts'\nimport '../todo.ts'\nimport '#platform/ui/controls/button.tsx'\nexport type X = Routes",
  'src/features/todos/todo/title.ts': "import '../repeat/rule/series.ts'",
  'src/features/todos/repeat/rule/series.ts': 'export const series = 1',
  'src/features/todos/board/board.tsx': "import 'react'\nimport '../todo/title.ts'",
  'src/features/reminders/delivery/sent-store.ts': "import 'kysely'",
  'src/features/lists/list.ts': 'export const list = 1',
  'src/features/habits/habit.ts': "import '#features/lists/list.ts'",
  'src/features/habits/server/habit-store.ts': "import 'pg'",
  'src/features/habits/web/habit-page.tsx': 'export const page = 1',
  'src/platform/calendar/day.ts': "import 'zod/mini'",
  'src/platform/wire/text.ts': "import '../calendar/day.ts'",
  'src/platform/database/database.ts': "import 'node:sqlite'\nimport 'pg'",
  'src/platform/database/testing/engines.ts': "import '../database.ts'",
  'src/platform/http/http.ts': "import 'pino'",
  'src/platform/sync/collections/collection.ts': 'export const list = 1',
  'src/platform/ui/controls/button.tsx': "import 'react'",
}

/** From a room to one above it: in a feature, between features, in the platform and in the shell. */
const upwards: [from: string, to: string][] = [
  ['src/features/todos/todo/a.ts', 'src/features/todos/quick-add/reading/words.ts'],
  ['src/features/todos/row/b.tsx', 'src/features/todos/board/board.tsx'],
  ['src/features/todos/tags/web/c.tsx', 'src/features/todos/pages/today-page.tsx'],
  ['src/features/todos/todo/server/d.ts', 'src/features/todos/server/todo-store.ts'],
  ['src/features/focus/e.ts', 'src/features/preferences/preferences.ts'],
  ['src/features/focus/f.ts', 'src/features/todos/todo.ts'],
  ['src/features/reminders/reminder/g.ts', 'src/features/habits/habit.ts'],
  ['src/features/habits/h.ts', 'src/features/todos/todo.ts'],
  ['src/platform/calendar/i.ts', 'src/platform/language/english.ts'],
  ['src/platform/log/j.ts', 'src/platform/http/http.ts'],
  ['src/platform/http/guards/k.ts', 'src/platform/http/api/pipeline.ts'],
  ['src/platform/database/rows/l.ts', 'src/platform/database/opening/open-database.ts'],
  ['src/platform/database/storage/m.ts', 'src/platform/database/database.ts'],
  ['src/platform/sync/network/n.ts', 'src/platform/sync/outbox/outbox.ts'],
  ['src/app/shell/sidebar/o.tsx', 'src/app/shell/screens/today.tsx'],
  ['src/app/settings/p.ts', 'src/app/backups/schedule.ts'],
]

/** For each wall: files added to a sound source tree, and the breach they cause. */
const breaches: [wall: string, planted: Record<string, string>, told: string][] = [
  [
    'platform-knows-no-feature',
    { 'src/platform/http/up.ts': "import '#features/todos/todo.ts'" },
    'src/platform/http/up.ts → src/features/todos/todo.ts',
  ],
  [
    'platform-knows-no-feature',
    { 'src/platform/database/tables.ts': "import '#features/todos/todo.ts'" },
    'src/platform/database/tables.ts → src/features/todos/todo.ts',
  ],
  [
    'migrations-are-only-put-together',
    {
      'src/platform/database/migrations/migrations.ts':
        "import '#features/todos/migrations/0002-todos.ts'\nimport '#features/todos/todo.ts'",
      'src/features/todos/migrations/0002-todos.ts': "import 'kysely'",
    },
    'src/platform/database/migrations/migrations.ts → src/features/todos/todo.ts',
  ],
  [
    'a-migration-uses-nothing-that-changes',
    { 'src/features/todos/migrations/0002-todos.ts': "import '../todo/title.ts'" },
    'src/features/todos/migrations/0002-todos.ts → src/features/todos/todo/title.ts',
  ],
  [
    'web-takes-only-types-from-server',
    {
      'src/features/todos/migrations/0002-todos.ts': "import 'kysely'",
      'src/features/todos/board/behind.ts': "import '../migrations/0002-todos.ts'",
    },
    'src/features/todos/board/behind.ts → src/features/todos/migrations/0002-todos.ts',
  ],
  [
    'features-know-no-app',
    { 'src/features/todos/web/up.ts': "import '#app/routes/todos.tsx'" },
    'src/features/todos/web/up.ts → src/app/routes/todos.tsx',
  ],
  [
    'a-feature-stays-out-of-anothers-server-and-web',
    { 'src/features/todos/server/across.ts': "import '#features/habits/server/habit-store.ts'" },
    'src/features/todos/server/across.ts → src/features/habits/server/habit-store.ts',
  ],
  [
    'a-feature-stays-out-of-anothers-server-and-web',
    { 'src/features/todos/web/across.ts': "import type {} from '#features/habits/web/habit-page.tsx'" },
    'src/features/todos/web/across.ts → src/features/habits/web/habit-page.tsx',
  ],
  [
    'web-takes-only-types-from-server',
    { 'src/features/todos/web/behind.ts': "import '../server/todo-routes.ts'" },
    'src/features/todos/web/behind.ts → src/features/todos/server/todo-routes.ts',
  ],
  [
    'web-takes-only-types-from-server',
    { 'src/app/shell/behind.ts': "import '#app/server.ts'" },
    'src/app/shell/behind.ts → src/app/server.ts',
  ],
  [
    'web-takes-only-types-from-server',
    { 'src/app/screens.ts': "import '#app/server.ts'" },
    'src/app/screens.ts → src/app/server.ts',
  ],
  [
    'server-takes-nothing-from-web',
    {
      'src/platform/http/before.ts':
        "import type { Button } from '#platform/ui/controls/button.tsx'\nexport type B = Button",
    },
    'src/platform/http/before.ts → src/platform/ui/controls/button.tsx',
  ],
  [
    'server-takes-nothing-from-web',
    { 'src/app/api.ts': "import './service-worker.ts'", 'src/app/service-worker.ts': 'export const it = 1' },
    'src/app/api.ts → src/app/service-worker.ts',
  ],
  [
    'the-service-worker-stays-small',
    { 'src/app/service-worker.ts': "import '#features/todos/todo.ts'" },
    'src/app/service-worker.ts → ',
  ],
  [
    'schemas-and-rules-stand-alone',
    { 'src/features/todos/rule.ts': "import 'pino'" },
    'src/features/todos/rule.ts → ',
  ],
  [
    'schemas-and-rules-stand-alone',
    { 'src/features/todos/rule.ts': "import './web/todo-page.tsx'" },
    'src/features/todos/rule.ts → src/features/todos/web/todo-page.tsx',
  ],
  [
    'zod-in-its-small-form',
    { 'src/features/todos/rule.ts': "import 'zod'" },
    'src/features/todos/rule.ts → ',
  ],
  [
    'the-server-needs-no-development-package',
    { 'src/features/todos/server/build.ts': "import 'vite'" },
    'src/features/todos/server/build.ts → ',
  ],
  [
    'the-ground-stands-alone',
    { 'src/platform/wire/rule.ts': "import '#platform/sync/collections/collection.ts'" },
    'src/platform/wire/rule.ts → src/platform/sync/collections/collection.ts',
  ],
  [
    'sql-stays-on-the-server',
    { 'src/features/todos/sql.ts': "import type {} from 'kysely'" },
    'src/features/todos/sql.ts → ',
  ],
  ['sql-stays-on-the-server', { 'src/app/sql.ts': "import 'node:sqlite'" }, 'src/app/sql.ts → node:sqlite'],
  [
    'routes-know-no-sql',
    { 'src/features/todos/server/tag-routes.ts': "import { sql } from 'kysely'" },
    'src/features/todos/server/tag-routes.ts → ',
  ],
  [
    'a-feature-stays-out-of-anothers-server-and-web',
    { 'src/features/analytics/pages/across.tsx': "import '#features/todos/board/board.tsx'" },
    'src/features/analytics/pages/across.tsx → src/features/todos/board/board.tsx',
  ],
  [
    'web-takes-only-types-from-server',
    { 'src/features/todos/board/behind.ts': "import '#features/reminders/delivery/sent-store.ts'" },
    'src/features/todos/board/behind.ts → src/features/reminders/delivery/sent-store.ts',
  ],
  [
    'schemas-and-rules-stand-alone',
    { 'src/features/todos/repeat/rule/rule.ts': "import 'react'" },
    'src/features/todos/repeat/rule/rule.ts → ',
  ],
  [
    'only-the-operator-lists-people',
    {
      'src/features/todos/server/admin-store.ts': 'export const all = 1',
      'src/features/todos/server/list.ts': "import './admin-store.ts'",
    },
    'src/features/todos/server/list.ts → src/features/todos/server/admin-store.ts',
  ],
  [
    'server-takes-nothing-from-web',
    { 'src/app/admin/page.ts': "import '#platform/ui/controls/button.tsx'" },
    'src/app/admin/page.ts → src/platform/ui/controls/button.tsx',
  ],
  [
    'only-tests-know-tests',
    { 'src/platform/http/tested.ts': "import '#platform/database/testing/engines.ts'" },
    'src/platform/http/tested.ts → src/platform/database/testing/engines.ts',
  ],
  [
    'no-circles',
    { 'src/platform/sync/a.ts': "import './b.ts'", 'src/platform/sync/b.ts': "import './a.ts'" },
    'src/platform/sync/a.ts → src/platform/sync/b.ts',
  ],
  [
    'formats-stand-alone',
    { 'src/platform/format/format-row.ts': "import '#platform/ui/controls/button.tsx'" },
    'src/platform/format/format-row.ts → src/platform/ui/controls/button.tsx',
  ],
  [
    'the-browser-draws-nothing',
    { 'src/platform/browser/clipboard.ts': "import '#platform/ui/controls/button.tsx'" },
    'src/platform/browser/clipboard.ts → src/platform/ui/controls/button.tsx',
  ],
  [
    'server-takes-nothing-from-web',
    {
      'src/platform/log/page.ts': "import '#platform/browser/theme.ts'",
      'src/platform/browser/theme.ts': 'export const theme = 1',
    },
    'src/platform/log/page.ts → src/platform/browser/theme.ts',
  ],
  [
    'no-circles',
    {
      'src/platform/sync/a.ts': "import './b.ts'\nexport type A = 1",
      'src/platform/sync/b.ts': "import type { A } from './a.ts'\nexport type B = A",
    },
    'src/platform/sync/a.ts → src/platform/sync/b.ts',
  ],
  [
    'every-import-leads-somewhere',
    { 'src/platform/http/lost.ts': "import '#platform/nowhere.ts'" },
    'src/platform/http/lost.ts → #platform/nowhere.ts',
  ],
]

const trees: string[] = []
afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true })
})

describe('the walls of the house', () => {
  test('a sound house passes, types from the server included, and is read whole', async () => {
    const { read, problems } = await checkWalls(build(soundHouse))
    expect(problems).toEqual([])
    expect(read).toBe(Object.keys(soundHouse).length)
  })

  test.each(breaches)('%s holds against %j', async (wall, planted, told) => {
    const { problems } = await checkWalls(build({ ...soundHouse, ...planted }))
    expect(problems.map((problem) => problem.split(': ')[0])).toContain(wall)
    expect(problems.filter((problem) => problem.startsWith(`${wall}: ${told}`))).not.toEqual([])
    expect(
      problems.filter((problem) => !Object.keys(planted).some((file) => problem.includes(file))),
    ).toEqual([])
  })

  test('no arrow leads from a room to one above it', async () => {
    const planted = Object.fromEntries([
      ...upwards.map(([, to]) => [to, soundHouse[to] ?? 'export const above = 1']),
      ...upwards.map(([from, to]) => [from, `import type {} from '${to.replace('src/', '#')}'`]),
    ])
    const { problems } = await checkWalls(build({ ...soundHouse, ...planted }))
    expect(problems.toSorted()).toEqual(
      upwards.map(([from, to]) => `a-room-uses-only-rooms-below-it: ${from} → ${to}`).toSorted(),
    )
  })

  test('every wall has been broken above', () => {
    expect(new Set([...breaches.map(([wall]) => wall), 'a-room-uses-only-rooms-below-it'])).toEqual(
      new Set(walls.forbidden?.map((rule) => rule.name)),
    )
  })

  test('a source in which no module was found is no success', async () => {
    expect((await checkWalls(build({ 'src/readme.txt': '' }))).problems).toEqual([
      'src holds no module, so nothing was checked',
    ])
  })

  test('a module that was not read is no success', async () => {
    const hidden = { 'src/features/todos/node_modules/hidden.ts': "import '#app/server.ts'" }
    expect((await checkWalls(build({ ...soundHouse, ...hidden }))).problems).toEqual([
      `1 of ${Object.keys(soundHouse).length + 1} modules were not read: ${Object.keys(hidden)[0]} ...`,
    ])
  })
})

function build(files: Record<string, string>): string {
  const tree = mkdtempSync(join(tmpdir(), 'daymark-walls-'))
  trees.push(tree)
  const manifest = { type: 'module', imports: { '#*': './src/*' }, devDependencies: { vite: '*' } }
  for (const [path, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest) })) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  symlinkSync(join(repository, 'node_modules'), join(tree, 'node_modules'), 'junction')
  return tree
}
