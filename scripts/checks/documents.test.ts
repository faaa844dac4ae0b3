import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { settings } from '#app/settings/configuration.ts'
import { walls } from '../../.dependency-cruiser.mjs'
import packageJson from '../../package.json' with { type: 'json' }
import { flawsOfTree, missingFiles, untrueNames } from './named-in-documents.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

// They tell what was so when they were written.
const decisions = readdirSync(join(repository, 'docs', 'decisions')).map((name) => `docs/decisions/${name}`)
const presentDocuments = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/architecture.md',
  'docs/export.md',
  'docs/habits-past.md',
  'docs/hosting.md',
  'docs/import.md',
  'docs/limits.md',
  'docs/merging.md',
  'docs/strength.md',
  'docs/words.md',
]
const documents = [...presentDocuments, ...decisions]

test.each(documents)('%s names only files that are there', (document) => {
  const text = read(document)
  const linked = [
    ...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g),
    ...text.matchAll(/(?:src|srcset)="([^"]+)"/g),
  ].map(([, path = '']) => join(dirname(document), path))
  const named = missingFiles(text).filter((path) => path.includes('/') || !decisions.includes(document))
  expect([...named, ...linked.filter((path) => !existsSync(join(repository, path)))]).toEqual([])
})

test.each(presentDocuments)('%s says of a file only names that are in its code', (document) => {
  expect(untrueNames(read(document))).toEqual([])
})

test.each([
  ['a field of a function', '3. `server/list-rows.ts`: `syncedRows({ table, own })`', ['own']],
  [
    'a name on the next line',
    '- `src/features/todos/todo/todo-row.ts`: `wire` is its schema;\n  `taken` another.',
    ['taken'],
  ],
  [
    'a name in a row of a table',
    '| a list | `fileRows`, `broughtRows` in `exported-account.ts` |',
    ['broughtRows'],
  ],
  ['a member', '`parts.clock` and `parts.nothing` of `src/app/api.ts`', ['nothing']],
  ['a name that no file is named for', 'See `createApp` or `createNothing`.', ['createNothing']],
  [
    'a name of another file',
    'In `src/app/server.ts`.\n\n`createApp` is in `src/app/screens.ts`.',
    ['createApp'],
  ],
  ['what is only in a comment', '`src/app/screens.ts` has `parameters`.', ['parameters']],
])('an untrue name in a document is found: %s', (_, text, untrue) => {
  expect(untrueNames(text)).toEqual(untrue)
})

test.each([
  ['files', 'As `list-rows.ts` and `web/…-queries.ts` say.'],
  ['commands, settings and the wire', '`src/app/api.ts`: `npm run dev`, `BASE_URL`, `GET /api`, `{"a": 1}`.'],
  ['what stands between fences', '`src/app/api.ts`\n```sh\n`nothing`\n```'],
])('%s are no names of the code', (_, text) => {
  expect(untrueNames(text)).toEqual([])
})

test.each([
  ['of the root', '`src/app/api.ts`, `src/app/lost.ts`', ['src/app/lost.ts']],
  ['by its end', '`server/tables.ts`, `server/lost.ts`', ['server/lost.ts']],
  ['with a gap', '`server/<noun>-rows.ts`, `server/<noun>-lost.ts`', ['server/<noun>-lost.ts']],
  ['of a folder', '`src/app/shell/`, `lost/`', ['lost/']],
  [
    'in a command',
    '`npx vitest run scripts/tests/ci.test.ts scripts/lost.test.ts`',
    ['scripts/lost.test.ts'],
  ],
])('a file that is not there is found by its name %s', (_, text, missing) => {
  expect(missingFiles(text)).toEqual(missing)
})

test.each(presentDocuments)('%s names only npm scripts that are there', (document) => {
  const named = [...read(document).matchAll(/npm run (?:--?\S+ )*([\w:]+)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !(name in packageJson.scripts))).toEqual([])
})

test('the tree of the source names every folder with code in it, and nothing that is not there', () => {
  expect(flawsOfTree(read('docs/architecture.md'))).toEqual({ untold: [], missing: [] })
})

test('a folder that the tree of the source leaves out is found, and so is one that is not there', () => {
  const tree = read('docs/architecture.md').replace(/^ {8}(postgres|collections)\/.*\n/gm, '        lost/\n')
  expect(flawsOfTree(tree)).toEqual({
    untold: ['src/platform/database/postgres/', 'src/platform/sync/collections/'],
    missing: ['src/platform/database/lost/', 'src/platform/sync/lost/'],
  })
})

test('the words that only Daymark has are at most thirty', () => {
  const rows = read('docs/words.md').match(/^\| (?!word ).*/gm) ?? []
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.length).toBeLessThanOrEqual(30)
})

test('the tree of the source lists the features', () => {
  const [, listed] = /^src\/features\/<feature>\/ +(.*)$/m.exec(read('docs/architecture.md')) ?? []
  expect(listed?.split(', ')).toEqual(readdirSync(join(repository, 'src', 'features')).toSorted())
})

test('each wall is explained under its name, and no other is', () => {
  const [, explained = ''] = /^## The walls$(.*?)^## /ms.exec(read('docs/architecture.md')) ?? []
  const names = [...explained.matchAll(/^- `([\w-]+)`: \S/gm)].map(([, name]) => name)
  expect(names.toSorted()).toEqual([...new Set(walls.forbidden?.map(({ name }) => name))].toSorted())
})

test.each(documents)('%s links only to headings that are there', (document) => {
  const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
  const dead = links.filter(([, path = '', anchor = '']) => {
    const target = path === '' ? document : join(dirname(document), path)
    return !anchorsOf(read(target)).includes(anchor)
  })
  expect(dead.map(([link]) => link)).toEqual([])
})

test('the README lists exactly the variables that the configuration reads', () => {
  const readme = read('README.md')
  const table = readme.slice(readme.indexOf('| variable |'), readme.indexOf('## Hosting'))
  const names = table.split('\n').flatMap((line) => /^\| (`.*?) \|/.exec(line)?.[1] ?? [])
  const listed = names.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  const readThere = [...read('src/app/settings/configuration.ts').matchAll(/read\('(\w+)'\)/g)].map(
    ([, name]) => name,
  )
  expect(listed.toSorted()).toEqual(settings.toSorted())
  expect(settings.filter((name) => !readThere.includes(name))).toEqual([])
})

/** As GitHub generates them from headings. */
function anchorsOf(text: string): string[] {
  const headings = text.replace(/^ *```.*?^ *```$/gms, '').matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function read(path: string): string {
  return readFileSync(join(repository, path), 'utf8')
}
