import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { formerNames } from '../schema/former-names.ts'
import { migrations } from './migrations.ts'

const sources = fileURLToPath(new URL('../../..', import.meta.url))

/** The file of each migration, by name: in the feature whose tables it changes, or in this folder. */
const files = new Map(
  globSync('{features/*,platform/database}/migrations/[0-9]*.ts', { cwd: sources })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => [basename(file, '.ts'), join(sources, file)]),
)

/**
 * Each migration that landed, with the hash of its code and of everything that it imports from beside it. A new
 * migration adds a line, and a line never changes afterwards: databases have run what the code was then, and will not
 * run it again. The hash covers the code, not its SQL: what a repairing step does depends on what it finds, which no
 * single database shows. Comments and formatting are left out, so they may change.
 */
const landed: Record<string, string> = {
  '0001-accounts': '8af42e44e2c516b4',
  '0002-todos': '97269c6f1e3dfdbc',
  '0002-todos-mended': 'bc60e511bb338f56',
  '0003-preferences': '586c6325c728db56',
  '0004-habits': '2080879ecbfad2bf',
  '0005-focus-sessions': '3a3f29f492ea6e43',
  '0006-pictures': '42ba8d0b9eb6778e',
  '0007-counting': '43194b0a40d0aa9d',
  '0008-reminders': 'fedcc7cb97b6f7a5',
  '0008-reminders-mended': 'd691819313136676',
  '0009-revisions': '0021d8d371e6a0db',
  '0009-revisions-mended': '3afe359fe8656dba',
  '0010-focus-timers': '9df81e6bffc8795d',
  '0011-partial-completions': 'daee0813c566d76e',
  '0011-partial-completions-mended': 'aa6dd36d9efe73df',
  '0012-limits': 'b23539dfb6b811a2',
  '0013-turns': '8cb468cbfe6027e9',
  '0014-sign-ups': '98c60fb4b784b813',
  '0015-live-rows': '18e5dc80d07acd2b',
  '0016-invitations': '6892e2214a5699e1',
  '0017-lists': 'dba61f4b0aab77bb',
  '0018-todos-sort': '65b27e3a15f9da0f',
  '0019-todo-details': '99838418269988a4',
  '0020-repeating-todos': '7580edba2bf2a39f',
  '0021-start-page': 'f45994cf6bb382bb',
  '0022-rhythms': 'a5e75c490ec20b8e',
  '0023-focus-subjects': '74c6b40ba247a3c6',
  '0024-imports': '20d3c23f20330297',
  '0025-habit-starts': '59738fdfe518a344',
  '0026-row-changes-only-adds': 'da5e7139b58728a2',
}

test.each(migrations)('$name is run as it landed', ({ name }) => {
  const hash = hashOf(name)
  expect(
    landed[name],
    `${name} is a new migration. Add it to \`landed\` in this file: '${name}': '${hash}'`,
  ).toBeDefined()
  expect(
    hash,
    `${name}, or something that it imports, was changed after it had landed. Databases that have had it will not have it again: put it back, and make the change in a new step`,
  ).toBe(landed[name])
})

test('no landed migration is missing or renamed', () => {
  const names = migrations.map(({ name }) => name)
  expect(Object.keys(landed).filter((name) => !names.includes(name))).toEqual([])
})

test("each migration sorts after those before it, and none reuses another's former name", () => {
  const names = migrations.map(({ name }) => name)
  expect(names).toEqual(names.toSorted())
  expect(names.filter((name) => name in formerNames)).toEqual([])
})

test('every former name leads to a migration', () => {
  const names = migrations.map(({ name }) => name)
  expect(Object.values(formerNames).filter((name) => !names.includes(name))).toEqual([])
})

test('each migration is in the file that has its name', () => {
  expect([...files.keys()].toSorted()).toEqual(migrations.map(({ name }) => name))
})

test.each([
  ['a comment', '/** New. */ const one = run(1, { two: [3] })'],
  ['the layout', 'const one = run(\n  1,\n  {\n    two: [3],\n  },\n)'],
])('%s may be changed', (_, code) => {
  expect(tokensOf(code)).toEqual(tokensOf('const one = run(1, { two: [3] }) // Old.'))
})

test.each([
  ['a word', "const one = run('b')"],
  ['the room in a text', "const one = run('a ')"],
])('%s may not be changed', (_, code) => {
  expect(tokensOf(code)).not.toEqual(tokensOf("const one = run('a')"))
})

function hashOf(name: string): string {
  const run = withImported(files.get(name) ?? '', new Set())
  const code = [...run].map((file) => tokensOf(readFileSync(file, 'utf8')))
  return createHash('sha256').update(JSON.stringify(code)).digest('hex').slice(0, 16)
}

/** The file and the code of ours that it runs, which landed with it. */
function withImported(file: string, found: Set<string>): Set<string> {
  if (found.has(file) || !existsSync(file)) return found
  found.add(file)
  for (const statement of parse(readFileSync(file, 'utf8')).statements) {
    if (
      !ts.isImportDeclaration(statement) ||
      statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    )
      continue
    const from = ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : ''
    if (from.startsWith('.')) withImported(join(dirname(file), from), found)
    if (from.startsWith('#')) withImported(join(sources, from.slice(1)), found)
  }
  return found
}

/** The tokens of the code, without comments and formatting. */
function tokensOf(code: string): string[] {
  const source = parse(code)
  const tokens: string[] = []
  const walk = (node: ts.Node) => {
    if (ts.isJSDoc(node)) return
    const children = node.getChildren(source)
    if (children.length === 0) tokens.push(isOurs(node) ? `'./${basename(node.text)}'` : node.getText(source))
    for (const child of children) walk(child)
  }
  walk(source)
  // Trailing commas and empty tokens come and go with the formatting.
  return tokens.filter(
    (token, place) => token !== '' && !(token === ',' && /^[\])}]$/.test(tokens[place + 1] ?? '')),
  )
}

/**
 * A migration's file may move: imports of our code count by their name, as they did when all migrations were in one
 * folder.
 */
function isOurs(node: ts.Node): node is ts.StringLiteral {
  return (
    ts.isStringLiteral(node) && ts.isImportDeclaration(node.parent) && /^(#|\.\.\/schema\/)/.test(node.text)
  )
}

function parse(code: string): ts.SourceFile {
  return ts.createSourceFile('step.ts', code, ts.ScriptTarget.ESNext, true)
}
