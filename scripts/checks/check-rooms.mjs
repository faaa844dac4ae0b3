// Enforces that every folder is a room of scripts/checks/rooms.mjs, that its sides are as told there, and that none is
// too full. Tests are not counted.
import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rooms } from './rooms.mjs'

/** In a folder of more files, names are found by search and no longer by their place. */
const mostFiles = 14

const sidesOf = { rules: 0, server: 0, web: 0, shared: 1, both: 2 }

/**
 * @param {string} root the folder that holds `src`
 * @returns {string[]} a line for each folder that is no room, or too full
 */
export function roomProblems(root) {
  const files = ['src', 'scripts', 'bench', 'e2e', 'testing']
    .filter((top) => existsSync(join(root, top)))
    .flatMap((top) => readdirSync(join(root, top), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !/\.(test|spec)\.tsx?$/.test(file))
  return [...fullFolders(files), ...unplacedFolders(files), ...wrongSides(files)]
}

/** @param {readonly string[]} files */
function fullFolders(files) {
  const counts = new Map()
  for (const file of files) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > mostFiles)
    .map(([folder, count]) => `${folder} holds ${count} files, of at most ${mostFiles}`)
}

/** @param {readonly string[]} files */
function unplacedFolders(files) {
  const placed = new Set(
    Object.entries(rooms).flatMap(([folder, within]) =>
      [folder, ...Object.keys(within).map((room) => `${folder}/${room}`)].flatMap((each) =>
        each.startsWith('src/features/') ? [each, `${each}/server`, `${each}/web`] : each,
      ),
    ),
  )
  const isPlaced = (/** @type {string} */ folder) =>
    placed.has(folder) || /\/testing(\/|$)|^src\/features\/[^/]+\/migrations$/.test(folder)
  const folders = files
    .filter((file) => file.startsWith('src/') && /\.(tsx?|css)$/.test(file))
    .map((file) => file.slice(0, file.lastIndexOf('/')))
  return [...new Set(folders)]
    .filter((folder) => !isPlaced(folder))
    .map((folder) => `${folder} is no room of scripts/checks/rooms.mjs`)
}

/** @param {readonly string[]} files */
function wrongSides(files) {
  return Object.entries(rooms).flatMap(([folder, within]) =>
    Object.entries(within).flatMap(([room, side]) => {
      const place = `${folder}/${room}`
      if (!place.startsWith('src/features/') || place in rooms) return []
      const inside = filesIn(place, files)
      const sides = ['server', 'web'].filter((each) => inside.some((file) => file.startsWith(`${each}/`)))
      return inside.length === 0 || sides.length === sidesOf[side]
        ? []
        : `${place} is said to be of ${side}, but has ${sides.join('/ and ') || 'neither server/ nor web'}/`
    }),
  )
}

/**
 * @param {string} folder
 * @param {readonly string[]} files
 */
function filesIn(folder, files) {
  return files.filter((file) => file.startsWith(`${folder}/`)).map((file) => file.slice(folder.length + 1))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = roomProblems(fileURLToPath(new URL('../..', import.meta.url)))
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
