import fc from 'fast-check'
import { strToU8, zipSync, zlibSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { openFile } from './open-file.ts'

const file = (content: BlobPart, name = 'file') => new File([content], name)
const open = (content: BlobPart) => openFile(file(content), () => {})
const problemOf = async (content: BlobPart) => {
  const opened = await open(content)
  return 'problem' in opened ? opened.problem : undefined
}
const zip = (files: Record<string, Uint8Array>) => new Uint8Array(zipSync(files))

/** Says something else in the directory, and in front of each file, than what is true. */
function withSizes(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer)
  for (let place = 0; place < bytes.length - 4; place += 1) {
    if (view.getUint32(place, true) === 0x02014b50) view.setUint32(place + 24, size, true)
  }
  return bytes
}

describe('a file that is opened', () => {
  test('is text, without its byte order mark, in any of the encodings that say what they are', async () => {
    const utf16 = (littleEndian: boolean) => {
      const view = new DataView(new ArrayBuffer(6))
      for (const [place, unit] of [0xfeff, 0x00e5, 0x0062].entries()) {
        view.setUint16(2 * place, unit, littleEndian)
      }
      return view.buffer
    }
    expect(await open('\uFEFFåb')).toEqual({ kind: 'text', name: 'file', text: 'åb' })
    expect(await open(utf16(true))).toMatchObject({ text: 'åb' })
    expect(await open(utf16(false))).toMatchObject({ text: 'åb' })
  })

  test('is text that no step cuts apart', async () => {
    const text = 'åäö\n'.repeat(400_000)
    const fractions: number[] = []
    expect(await openFile(file(text), (fraction) => fractions.push(fraction))).toMatchObject({ text })
    expect(fractions).toEqual(fractions.toSorted((one, other) => one - other))
    expect(fractions.at(-1)).toBe(1)
  })

  test('is a zip file with its texts, and the names of what else it holds', async () => {
    const bytes = zip({
      'Home [1].csv': strToU8('\uFEFFa,b'),
      'folder/data.json': strToU8('{}'),
      VERSION: strToU8('1'),
      'files/1': strToU8('x'),
      'photo.png': new Uint8Array(9),
    })
    expect(await open(bytes)).toEqual({
      kind: 'zip',
      name: 'file',
      files: [
        { path: 'Home [1].csv', text: 'a,b' },
        { path: 'folder/data.json', text: '{}' },
        { path: 'VERSION', text: '1' },
      ],
      others: ['files/1', 'photo.png'],
    })
  })

  test('is a zip file that was made anew on a Mac, without what macOS puts into it', async () => {
    const bytes = zip({
      'Export/Home [1].csv': strToU8('a,b'),
      '__MACOSX/Export/._Home [1].csv': new Uint8Array([0, 5, 0x16, 7, 0, 2, 0, 0, 0xa8, 0xff]),
      'Export/._b.json': new Uint8Array([0, 5, 0x16, 7, 0xa8]),
    })
    expect(await open(bytes)).toEqual({
      kind: 'zip',
      name: 'file',
      others: [],
      files: [{ path: 'Export/Home [1].csv', text: 'a,b' }],
    })
  })

  test('is a database with the names of its tables', async () => {
    const bytes = strToU8(
      'SQLite format 3\0 ... CREATE TABLE TMTask (uuid) CREATE TABLE IF NOT EXISTS "Habits" (id)',
    )
    expect(await open(bytes as Uint8Array<ArrayBuffer>)).toEqual({
      kind: 'database',
      name: 'file',
      tables: ['TMTask', 'Habits'],
    })
  })

  test('may be any bytes: it is opened, or a sentence says why not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (bytes, isZip) => {
        const content = new Uint8Array(isZip ? [0x50, 0x4b, 3, 4, ...bytes] : bytes)
        const opened = await open(content)
        if ('problem' in opened) expect(opened.problem).toMatch(/^[A-Z].*\.$/)
        else expect(opened.kind).toBe('text')
      }),
      { numRuns: runs(5_000, 200) },
    )
  })
})

describe('a file that cannot be opened says why', () => {
  test('since it is empty, or too large to be looked at', async () => {
    expect(await problemOf('')).toBe('This file is empty.')
    const gigabyte = { size: 1_000_000_000, name: 'large' } as File
    expect(await openFile(gigabyte, () => {})).toEqual({
      problem: 'This file is too large: 100 MB is the most.',
    })
  })

  test('since it has a million rows', async () => {
    expect(await problemOf('a,b,c\n'.repeat(1_000_000))).toBe('This file has more than 750,000 lines.')
  })

  test('since it is in another encoding, or no text', async () => {
    expect(await problemOf(new Uint8Array([0x4d, 0xfc, 0x6c, 0x6c]))).toMatch(/^This file isn't in UTF-8/)
    expect(await problemOf(new Uint8Array([0xff, 0xd8, 0, 1]))).toMatch(/neither text nor a zip file/)
    const nul = new Uint8Array(3_000_000).fill(0x61)
    nul[2_500_000] = 0
    expect(await problemOf(nul)).toMatch(/neither text nor a zip file/)
    const latin = zip({ 'a.csv': new Uint8Array([0xe9, 0x2c]) })
    expect(await problemOf(latin)).toMatch(/^In this zip file, a.csv isn't in UTF-8/)
  })

  test('since it is a zip file that was cut short, wherever', async () => {
    const bytes = zip({ 'a.csv': strToU8('a,b\n'.repeat(1_000)), 'b.csv': strToU8('c') })
    for (let length = 4; length < bytes.length; length += 7) {
      expect(await problemOf(bytes.slice(0, length))).toMatch(/damaged or cut short/)
    }
  })

  test('since its zip file is damaged inside', async () => {
    const bytes = zip({ 'a.csv': strToU8('a,b\n'.repeat(1_000)) })
    bytes.fill(0xff, 40, 50)
    expect(await problemOf(bytes)).toBe('In this zip file, a.csv is damaged. Download it again.')
  })

  test('since its zip file needs a password', async () => {
    const bytes = zip({ 'a.csv': strToU8('a') })
    const view = new DataView(bytes.buffer)
    const entry = bytes.findIndex(
      (_, place) => place < bytes.length - 4 && view.getUint32(place, true) === 0x02014b50,
    )
    view.setUint16(entry + 8, 1, true)
    expect(await problemOf(bytes)).toMatch(/protected by a password/)
  })

  test('since it is a zip bomb, which is never unpacked further than it says', async () => {
    const bomb = zip({ 'a.csv': new Uint8Array(5_000_000) })
    expect(bomb.length).toBeLessThan(50_000)
    expect(await problemOf(withSizes(bomb, 1_000_000_000))).toBe(
      'This zip file is too large once it is unpacked: 100 MB is the most.',
    )
    expect(await problemOf(withSizes(bomb, 1_000))).toMatch(/a.csv is damaged/)
    const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, nth) => [`${nth}.csv`, strToU8('')]))
    expect(await problemOf(zip(many))).toBe('This zip file contains more than 5,000 files.')
  })

  test('since what it calls packed is packed in another way', async () => {
    const bytes = zip({ 'a.csv': zlibSync(strToU8('a')) })
    expect(await problemOf(withSizes(bytes, 5))).toMatch(/damaged/)
  })
})
