import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { roomProblems } from './check-rooms.mjs'

const sound = [
  'src/features/lists/list/list.ts',
  'src/features/lists/list/server/list-store.ts',
  'src/features/lists/list/web/list-queries.ts',
  'src/features/lists/menu/list-menu.tsx',
  'src/features/lists/migrations/0017-lists.ts',
  'src/features/lists/testing/calls.ts',
  'src/platform/http/guards/origin.ts',
]
const numbered = (folder: string, count: number, ending: string) =>
  Array.from({ length: count }, (_, number) => `${folder}/${number}${ending}`)

const trees: string[] = []
afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true })
})

describe('a folder is a room with a place', () => {
  test('a sound tree has no problem, and tests do not fill a folder', () => {
    const full = numbered('src/features/lists/menu', 13, '.ts')
    const tests = numbered('src/features/lists/menu', 30, '.test.ts')
    expect(roomProblems(treeWith([...sound, ...full, ...tests]))).toEqual([])
  })

  test.each([
    [
      'a fifteenth file',
      numbered('src/features/lists/menu', 14, '.ts'),
      'src/features/lists/menu holds 15 files, of at most 14',
    ],
    ['a full folder beside the source', numbered('bench', 15, '.mjs'), 'bench holds 15 files, of at most 14'],
    [
      'a room that nobody placed',
      ['src/features/lists/attic/old.ts', 'src/features/lists/attic/older.ts'],
      'src/features/lists/attic is no room of scripts/checks/rooms.mjs',
    ],
    [
      'a feature that nobody placed',
      ['src/features/weather/rain.ts'],
      'src/features/weather is no room of scripts/checks/rooms.mjs',
    ],
    [
      'a part of the platform that nobody placed',
      ['src/platform/http/attic/old.ts'],
      'src/platform/http/attic is no room of scripts/checks/rooms.mjs',
    ],
    ['a fourth floor', ['src/shared/names.ts'], 'src/shared is no room of scripts/checks/rooms.mjs'],
    [
      'a folder in a room',
      ['src/features/lists/menu/attic/old.ts'],
      'src/features/lists/menu/attic is no room of scripts/checks/rooms.mjs',
    ],
    [
      'a folder in the server/ of a feature',
      ['src/features/lists/server/attic/old.ts'],
      'src/features/lists/server/attic is no room of scripts/checks/rooms.mjs',
    ],
    [
      'a web/ that is of no feature',
      ['src/app/web/page.tsx'],
      'src/app/web is no room of scripts/checks/rooms.mjs',
    ],
    [
      'a web/ in a feature that is all of the web',
      ['src/features/landing/web/landing-page.tsx'],
      'src/features/landing is said to be of web, but has web/',
    ],
    [
      'a web/ in a room that is all of the web',
      ['src/features/lists/sidebar/web/entry.tsx'],
      'src/features/lists/sidebar is said to be of web, but has web/',
    ],
  ])('%s is told', (_, planted, problem) => {
    expect(roomProblems(treeWith([...sound, ...planted]))).toEqual([problem])
  })

  test('a room of both sides has both', () => {
    expect(roomProblems(treeWith(['src/features/lists/list/web/list-queries.ts']))).toEqual([
      'src/features/lists/list is said to be of both, but has web/',
    ])
    expect(roomProblems(treeWith(['src/features/lists/list/list.ts']))).toEqual([
      'src/features/lists/list is said to be of both, but has neither server/ nor web/',
    ])
  })
})

function treeWith(paths: readonly string[]): string {
  const tree = mkdtempSync(join(tmpdir(), 'daymark-rooms-'))
  trees.push(tree)
  for (const path of paths) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), '')
  }
  return tree
}
