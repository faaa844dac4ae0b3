// Compresses the build, so that the server sends precompressed files. It runs once and slowly: Brotli's highest level
// is a tenth smaller than the one you would choose while somebody waits.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const text = /\.(css|html|js|json|map|svg|txt|webmanifest)$/

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, BROTLI_MAX_QUALITY } = constants
const encodings = {
  br: (/** @type {Buffer} */ bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY, [BROTLI_PARAM_SIZE_HINT]: bytes.byteLength },
    }),
  gz: (/** @type {Buffer} */ bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
}

/** @returns {import('vite').Plugin} */
export function compressAhead() {
  /** @type {string} */
  let directory
  return {
    name: 'daymark:compress-ahead',
    apply: 'build',
    enforce: 'post',
    configResolved({ root, build }) {
      directory = join(root, build.outDir)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const entries = await readdir(directory, { recursive: true, withFileTypes: true })
        const files = entries.filter((entry) => entry.isFile() && text.test(entry.name))
        await Promise.all(files.map(({ parentPath, name }) => compress(join(parentPath, name))))
      },
    },
  }
}

/** @param {string} file */
async function compress(file) {
  const bytes = await readFile(file)
  for (const [ending, pack] of Object.entries(encodings)) {
    await writeFile(`${file}.${ending}`, await pack(bytes))
  }
}
