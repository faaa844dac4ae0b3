// Builds the service worker after the pages, into one file that begins with the list of files it caches on the device. In
// development, nothing is built or cached, and the worker is served from its sources.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { builtFilesLine } from './built-files.mjs'

const source = 'src/app/service-worker.ts'

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
        const [worker, list] = await Promise.all([compile(root, target), builtFilesLine(join(root, outDir))])
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
