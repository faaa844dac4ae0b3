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
  return Object.entries(rooms).flatMap(([folder, within]) => {
    const inside = filesIn(folder, files).filter((file) => file.includes('/'))
    const isPlaced = (/** @type {string} */ file) =>
      /^(server|web|migrations|testing)\//.test(file) ||
      Object.keys(within).some((room) => file.startsWith(`${room}/`))
    const lost = inside.filter((file) => !isPlaced(file)).map((file) => file.slice(0, file.indexOf('/')))
    return [...new Set(lost)].map((name) => `${folder}/${name} is no room of scripts/checks/rooms.mjs`)
  })
}

/** @param {readonly string[]} files */
function wrongSides(files) {
  const features = Object.entries(rooms).filter(([folder]) => folder.startsWith('src/features/'))
  return features.flatMap(([folder, within]) =>
    Object.entries(within).flatMap(([room, side]) => {
      const inside = filesIn(`${folder}/${room}`, files)
      const sides = ['server', 'web'].filter((each) => inside.some((file) => file.startsWith(`${each}/`)))
      return inside.length === 0 || sides.length === sidesOf[side]
        ? []
        : `${folder}/${room} is said to be of ${side}, but has ${sides.join('/ and ') || 'neither server/ nor web'}/`
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
