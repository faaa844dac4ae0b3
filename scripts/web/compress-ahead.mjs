// Compresses the build, so that the server sends precompressed files. It runs once and slowly: Brotli's highest level
// is a tenth smaller than the one you would choose while somebody waits, and the best of several block sizes saves a little more.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const text = /\.(css|html|js|json|map|svg|txt|webmanifest)$/

/**
 * Sizes of Brotli's input blocks, as powers of two; 0 leaves the size to Brotli. Which one makes a file the smallest changes with
 * each build.
 */
const blockSizes = [0, 16, 17, 20]

const encodings = {
  br: async (/** @type {Buffer} */ bytes) => {
    const packed = await Promise.all(
      blockSizes.map((size) =>
        promisify(brotliCompress)(bytes, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
            [constants.BROTLI_PARAM_LGBLOCK]: size,
          },
        }),
      ),
    )
    return packed.reduce((least, other) => (other.byteLength < least.byteLength ? other : least))
  },
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
