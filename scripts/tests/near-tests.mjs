// Which tests stand near a change: those of its feature and of what is built on it, without those of the whole house.
import { basename, dirname, join } from 'node:path/posix'
import ts from 'typescript'

/** @typedef {{ units: string[], browser: string[] }} NearTests paths, for vitest and for Playwright */

const isTest = (/** @type {string} */ path) => /\.test\.tsx?$/.test(path)
// What is put together in `app` imports every feature: by way of it, each test would be near everything.
const isOfApp = (/** @type {string} */ path) => path.startsWith('src/app/')
const featureOf = (/** @type {string} */ path) => /^src\/features\/([^/]+)\//.exec(path)?.[1]

/**
 * @param {readonly string[]} changed paths, of files that may be gone
 * @param {ReadonlyMap<string, string>} files every source file by its path, tests included
 * @returns {NearTests}
 */
export function nearTests(changed, files) {
  const importers = importersOf(files)
  const near = new Set(changed)
  // A set hands out what is added to it on the way, too.
  for (const path of near) {
    for (const importer of importers.get(path) ?? []) {
      const within = featureOf(path) !== undefined || changed.includes(path)
      if (within && !isOfApp(importer)) near.add(importer)
    }
  }
  const features = new Set(changed.flatMap((path) => featureOf(path) ?? []))
  const paths = [...files.keys()]
  return {
    units: paths.filter((path) => isTest(path) && (near.has(path) || isOnTheWire(path, features))).toSorted(),
    browser: paths
      .filter((path) => /^e2e\/.*\.spec\.ts$/.test(path))
      .filter((path) => changed.includes(path) || features.has(basename(path, '.spec.ts')))
      .toSorted(),
  }
}

/**
 * Every file of the features of these names.
 * @param {readonly string[]} names
 * @param {ReadonlyMap<string, string>} files
 */
export function filesOfFeatures(names, files) {
  return names.flatMap((name) => {
    const found = [...files.keys()].filter((path) => featureOf(path) === name)
    if (found.length === 0) throw new Error(`There is no feature named ${name}.`)
    return found
  })
}

/**
 * The HTTP tests of a feature are in `app` and begin with its name: todos.test.ts, habit-history.test.ts.
 * @param {string} path
 * @param {ReadonlySet<string>} features
 */
function isOnTheWire(path, features) {
  if (!isOfApp(path)) return false
  return [...features].some((feature) => {
    const one = feature.replace(/s$/, '')
    return new RegExp(`^(${feature}|${one})(-.*)?\\.test\\.`).test(basename(path))
  })
}

/** @param {ReadonlyMap<string, string>} files */
function importersOf(files) {
  /** @type {Map<string, string[]>} */
  const importers = new Map()
  for (const [path, text] of files) {
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
      const imported = resolved(path, fileName)
      if (imported !== undefined) importers.set(imported, [...(importers.get(imported) ?? []), path])
    }
  }
  return importers
}

/**
 * @param {string} from
 * @param {string} name as the import says it
 */
function resolved(from, name) {
  if (name.startsWith('.')) return join(dirname(from), name)
  if (name.startsWith('#testing/')) return name.slice(1)
  if (name.startsWith('#')) return `src/${name.slice(1)}`
  return undefined
}
