import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { strToU8, zipSync } from 'fflate'
import { test } from './testing/person/person.ts'
import { importButton, refusal, yourData } from './testing/screens/imports.ts'
import { openSettings } from './testing/screens/preferences.ts'

// Files that nobody should import. How long each takes, and how much memory, is what `bench/screens/hostile-files.mjs` measures.

const header = 'TYPE,CONTENT,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE\n'
const rows = (count: number) => header + 'task,Water the plants,4,1,,,,en,UTC\n'.repeat(count)
const googleTasks = (items: readonly object[]) => JSON.stringify({ kind: 'tasks#taskLists', items })
const lists = Array.from({ length: 10_000 }, (_, nth) => ({ id: `${nth}`, title: `List ${nth}`, items: [] }))

/** A zip file of 10 MB of nothing, which claims another size in its directory. */
function bomb(size: number): Buffer {
  const zip = Buffer.from(zipSync({ 'Home.csv': new Uint8Array(10_000_000) }))
  const directory = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]))
  zip.writeUInt32LE(size, directory + 24)
  return zip
}

const files: readonly [name: string, content: () => string | Buffer, sentence: string, size?: number][] = [
  ['1 GB', () => header, 'This file is too large: 100 MB is the most.', 1_000_000_000],
  [
    'a zip bomb',
    () => bomb(1_000_000_000),
    'This zip file is too large once it is unpacked: 100 MB is the most.',
  ],
  [
    'a zip bomb that claims to be small',
    () => bomb(1_000),
    'In this zip file, Home.csv is damaged. Download it again.',
  ],
  ['a million rows', () => rows(1_000_000), 'This file has more than 750,000 lines.'],
  [
    'a zip file that was cut short',
    () => Buffer.from(zipSync({ 'Home.csv': strToU8(rows(10_000)) })).subarray(0, -100),
    'This zip file is damaged or cut short. Download it again.',
  ],
  [
    'JSON that was cut short',
    () => googleTasks(lists).slice(0, -100),
    'This file is damaged or cut short. Export it again.',
  ],
  [
    'another encoding, at the end of a large file',
    () => Buffer.from(`${rows(100_000)}task,M\u00fcll`, 'latin1'),
    "This file isn't in UTF-8. Open it in a text editor or spreadsheet, save it as UTF-8, and import it again.",
  ],
  ['10,000 lists', () => googleTasks(lists), 'This file has 10,000 lists. An account can have up to 1,000.'],
  [
    '10,000 lists in a zip file',
    () =>
      Buffer.from(zipSync(Object.fromEntries(lists.map(({ title }) => [`${title}.csv`, strToU8(header)])))),
    'This zip file contains more than 5,000 files.',
  ],
]

test('files that nobody should import', async ({ page }, testInfo) => {
  await openSettings(page)
  for (const [place, [name, content, sentence, size]] of files.entries()) {
    await test.step(`${name}: a sentence says why it is refused, the page stays usable, and the worker ends`, async () => {
      const path = testInfo.outputPath('file')
      writeFileSync(path, content())
      // What is larger than its content takes no room on the disk.
      if (size !== undefined) truncateSync(path, size)
      await yourData(page).locator('input[type=file]').setInputFiles(path)
      // Whether or not the file is still being read.
      const theme = place % 2 === 0 ? 'Dark' : 'Light'
      await page.getByRole('radio', { name: theme }).check()
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme.toLowerCase())
      await expect(refusal(page).getByRole('alert')).toHaveText(sentence)
      await expect.poll(() => page.workers()).toHaveLength(0)
      await refusal(page).getByRole('button', { name: 'Close' }).click()
      await expect(importButton(page)).toBeFocused()
      rmSync(path)
    })
  }
})
