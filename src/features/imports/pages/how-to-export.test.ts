import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readers } from '../readers/readers.ts'
import { howToExport } from './how-to-export.ts'

test('whoever is refused a file is told how to export one that every reader reads', () => {
  const told = new Set(howToExport.map(({ source }) => source))
  expect(readers.map(({ source }) => source).filter((source) => !told.has(source))).toEqual([])
})

test('the document names the same sources as the screen, in the same words and order', () => {
  const document = readFileSync(new URL('../../../../docs/import.md', import.meta.url), 'utf8')
  const rows = [...document.matchAll(/^\| (?!from )(.+?) \| (.+?) \|$/gm)].map(([, name, how]) => ({
    name,
    how,
  }))
  expect(rows).toEqual(howToExport.map(({ name, how }) => ({ name, how })))
})
