import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const repository = fileURLToPath(new URL('../..', import.meta.url))

const files = [
  '.',
  '.ci',
  '.github',
  'bench',
  'deploy',
  'docs',
  'e2e',
  'public',
  'scripts',
  'src',
  'testing',
].flatMap((folder) =>
  readdirSync(join(repository, folder), { recursive: folder !== '.', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(repository, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
)
const folders = [
  ...new Set(files.flatMap((file) => [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index + 1)))),
]
const sources = files.filter((file) => isSource(file) && file.includes('/'))

/** Each file or folder that a document names in backticks, by itself or in a command, and that isn't there. */
export function missingFiles(document: string): string[] {
  return blocksOf(document)
    .flatMap(pathsIn)
    .filter((path) => placesOf(path).length === 0)
}

/**
 * Each name of the code that a document gives in backticks, and that isn't in the code of a file named in the same paragraph,
 * list item or row of a table. Where none is named, any source will do, and only what can't be a plain word is looked for.
 */
export function untrueNames(document: string): string[] {
  return blocksOf(document).flatMap((block) => {
    const beside = pathsIn(block).flatMap(filesAt)
    const names = codeIn(block).flatMap(namesIn)
    return beside.length > 0
      ? names.filter((name) => !beside.some((file) => hasName(file, name)))
      : names.filter((name) => /[a-z][A-Z]/.test(name) && !sources.some((file) => hasName(file, name)))
  })
}

/** What a tree, drawn with a fence around it and four spaces for each step in, lacks of the source, and what of it isn't there. */
export function flawsOfTree(document: string): { untold: string[]; missing: string[] } {
  const told = pathsInTree(document)
  const places = told.map((path) => new RegExp(`^${patternOf(path)}$`))
  // What stands for any room tells none.
  const named = places.filter((_, index) => !told[index]?.includes('<room>'))
  return {
    // The helpers of tests are beside them, and the two sides of a room are told with it.
    untold: folders.filter(
      (folder) =>
        /^src\/(?!.*\b(testing|samples)\/)(?!features\/.*\b(server|web)\/)/.test(folder) &&
        sources.some((file) => `${dirname(file)}/` === folder) &&
        !named.some((place) => place.test(folder)),
    ),
    missing: told.filter((_, index) => ![...files, ...folders].some((each) => places[index]?.test(each))),
  }
}

function pathsInTree(document: string): string[] {
  const [, tree = ''] = /^## The tree$.*?^```$(.*?)^```$/ms.exec(document) ?? []
  const above: string[] = []
  return [...tree.matchAll(/^( *)([\w<]\S*)/gm)].map(([, indent = '', name = '']) => {
    above.splice(indent.length / 4, above.length, name)
    return above.join('')
  })
}

/** Paragraphs, list items and rows of tables; without what stands between fences. */
function blocksOf(document: string): string[] {
  return document.replace(/^ *```.*?^ *```$/gms, '').split(/\n\s*\n|\n(?= *(?:[-*]|\d+\.) |\||#)/)
}

function codeIn(block: string): string[] {
  return [...block.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replace(/\s+/g, ' '))
}

function pathsIn(block: string): string[] {
  return codeIn(block).flatMap((code) => code.split(' ').filter(isPath))
}

function isPath(word: string): boolean {
  if (!/^[\w.…*<>-]+(\/[\w.…*<>-]+)*\/?$/.test(word)) return false
  // The server makes it.
  if (word === 'data/') return false
  return (
    /^(src|scripts|docs|e2e|testing|bench|deploy|\.ci)\/|\w\/$|\w\.(tsx?|mjs|css|ya?ml|sh)$/.test(word) ||
    files.includes(word)
  )
}

/** Where a path leads, from the root or from any folder. */
function placesOf(path: string): string[] {
  const place = new RegExp(`(^|/)${patternOf(path.replace(/\/$/, ''))}/?$`)
  return [...(path.endsWith('/') ? [] : files), ...folders].filter((each) => place.test(each))
}

/** `…`, `*` and `<noun>` stand for a part of a name. */
function patternOf(path: string): string {
  return path.replaceAll('.', '\\.').replace(/<\w+>/g, '[^/]+').replace(/[…*]/g, '[^/]*')
}

/** Of a folder, those that are in it and in none below it. */
function filesAt(path: string): string[] {
  return placesOf(path).flatMap((place) =>
    place.endsWith('/') ? files.filter((file) => `${dirname(file)}/` === place) : place,
  )
}

/** Of `name`, `name.ofIt`, `...name` and `name({ of, parts })`. What is all in capitals is a setting, or a code of the wire. */
function namesIn(code: string): string[] {
  if (isPath(code) || !/^(\.\.\.)?[a-z_$][\w$]*(\.[\w$]+)*(\(.*\))?$/i.test(code)) return []
  return (code.replace(/'[^']*'/g, '').match(/[\w$]+/g) ?? []).filter(
    (name) => /^[a-z_$].*/i.test(name) && /[a-z]/.test(name),
  )
}

const texts = new Map<string, string>()
const namesByFile = new Map<string, Set<string>>()

/** In comments and strings it doesn't count; in what is no source it counts everywhere. */
function hasName(file: string, name: string): boolean {
  const text = texts.get(file) ?? readFileSync(join(repository, file), 'utf8')
  texts.set(file, text)
  if (!text.includes(name)) return false
  const names =
    namesByFile.get(file) ?? (isSource(file) ? identifiersIn(text, file) : new Set(text.match(/[\w$]+/g)))
  namesByFile.set(file, names)
  return names.has(name)
}

function isSource(file: string): boolean {
  return /\.(tsx?|mjs)$/.test(file)
}

function identifiersIn(text: string, file: string): Set<string> {
  const found = new Set<string>()
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node)) found.add(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))
  return found
}
