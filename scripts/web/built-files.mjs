// What the service worker knows of each file that it caches on the device: enough to tell whether a response is that file.
import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'

// The whole build, without what it is compressed to.
const kept = ['{assets,screens}/!(*.br|*.gz)', '*.{html,png,svg,webmanifest}']

/**
 * @param {string} folder
 * @returns {Promise<string>} the line that the service worker begins with
 */
export async function builtFilesLine(folder) {
  return `self.builtFiles=${JSON.stringify(await builtFiles(folder))};\n`
}

/**
 * @param {string} folder
 * @returns {Promise<import('../../src/app/shell/offline/built-file.ts').BuiltFile[]>}
 */
export async function builtFiles(folder) {
  const found = await Array.fromAsync(glob(kept, { cwd: folder }))
  const paths = found.map((path) => path.replaceAll(sep, '/')).toSorted()
  return Promise.all(
    paths.map(async (path) => {
      const bytes = await readFile(join(folder, path))
      return [path, bytes.byteLength, createHash('sha256').update(bytes).digest('hex').slice(0, 16)]
    }),
  )
}
