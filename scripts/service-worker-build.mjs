// Builds the service worker after the pages, into one file that begins with the list of files it caches on the device. In
// development, nothing is built or cached, and the worker is served from its sources.
import { createHash } from 'node:crypto'
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { build } from 'vite'

const source = 'src/app/service-worker.ts'

// The whole build, which isn't compressed yet at this point.
const kept = ['{assets,screens}/*', '*.{html,png,svg,webmanifest}']

/** @returns {import('vite').Plugin[]} */
export function serviceWorker() {
  return [builtWorker(), developmentWorker()]
}

/** @returns {import('vite').Plugin} */
function builtWorker() {
  /** @type {import('vite').ResolvedConfig} */
  let config
  return {
    name: 'daymark:service-worker-build',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    closeBundle: {
      sequential: true,
      async handler() {
        const { root } = config
        const { outDir, target } = config.build
        const [worker, files] = await Promise.all([compile(root, target), builtFiles(join(root, outDir))])
        const list = `self.builtFiles=${JSON.stringify(files)};\n`
        await writeFile(join(root, outDir, 'service-worker.js'), list + worker)
      },
    },
  }
}

/** @returns {import('vite').Plugin} */
function developmentWorker() {
  return {
    name: 'daymark:service-worker-in-development',
    apply: 'serve',
    configureServer({ middlewares }) {
      // At the root, because a worker's scope can't be above the folder it is served from.
      middlewares.use((request, _response, next) => {
        if (request.url === '/development-worker.js') request.url = `/${source}`
        next()
      })
    },
  }
}

/**
 * @param {string} root
 * @param {import('vite').ResolvedConfig['build']['target']} target
 * @returns {Promise<string>} the code
 */
async function compile(root, target) {
  const results = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: { target, write: false, lib: { entry: source, name: 'worker', formats: ['iife'] } },
  })
  const chunks = [results].flat().flatMap((result) => ('output' in result ? result.output : []))
  const [worker] = chunks
  if (worker?.type !== 'chunk' || chunks.length > 1) throw new Error(`${source} is not built into one file`)
  return worker.code
}

/**
 * @param {string} folder
 * @returns {Promise<import('../src/app/shell/shell-worker.ts').BuiltFile[]>}
 */
async function builtFiles(folder) {
  const found = await Array.fromAsync(glob(kept, { cwd: folder }))
  const paths = found.map((path) => path.replaceAll(sep, '/')).toSorted()
  return Promise.all(
    paths.map(async (url) => {
      // Vite puts a hash of the content into the names there.
      if (url.startsWith('assets/')) return { url, revision: null }
      const hash = createHash('sha256').update(await readFile(join(folder, url)))
      return { url, revision: hash.digest('hex').slice(0, 16) }
    }),
  )
}
