import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { settings } from '#app/configuration.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))

const decisions = readdirSync(join(repository, 'docs', 'decisions')).map((name) => `docs/decisions/${name}`)
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/export.md',
  'docs/limits.md',
  'docs/hosting.md',
  'SECURITY.md',
  'docs/strength.md',
  'docs/words.md',
  ...decisions,
]

test.each(documents)('%s names only files that are there', (document) => {
  const text = read(document)
  const fromRoot = [...text.matchAll(/`((?:src|scripts|docs|e2e|testing|\.ci)\/[\w./-]*)`/g)]
  const fromDocument = [
    ...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g),
    ...text.matchAll(/(?:src|srcset)="([^"]+)"/g),
  ]
  const paths = [
    ...fromRoot.map(([, path = '']) => path),
    ...fromDocument.map(([, path = '']) => join(dirname(document), path)),
  ]
  expect(paths.filter((path) => !existsSync(join(repository, path)))).toEqual([])
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
  const readThere = [...read('src/app/configuration.ts').matchAll(/read\('(\w+)'\)/g)].map(([, name]) => name)
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
