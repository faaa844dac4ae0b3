// Enforces the walls of .dependency-cruiser.mjs and that each folder is a room that is not too full, and also fails if it couldn't
// read all sources.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cruise } from 'dependency-cruiser'
import { walls } from '../../.dependency-cruiser.mjs'
import { rooms } from './rooms.mjs'

/** A folder with more files, tests not counted, has no longer one name that says what is in it. */
const mostFiles = 14

/**
 * @param {string} root the folder that holds `src`
 * @returns {Promise<{ read: number, problems: string[] }>} how many modules were read, and a line for each breach
 */
export async function checkWalls(root) {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => join('src', path).replaceAll('\\', '/'))

  const { output } = await cruise(
    ['src'],
    {
      baseDir: root,
      validate: true,
      ruleSet: walls,
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
    },
    {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.css'],
    },
  )
  if (typeof output === 'string') throw new Error(output)

  const read = new Set(output.modules.map((module) => module.source))
  const unread = files.filter((file) => !read.has(file))
  const problems = output.summary.violations.map(
    ({ rule, from, to, cycle }) =>
      `${rule.name}: ${from} → ${cycle ? cycle.map((step) => step.name).join(' → ') : to}`,
  )
  // dependency-cruiser reports success even if it has read nothing, as with a TypeScript version it doesn't know.
  if (files.length === 0) problems.push('src holds no module, so nothing was checked')
  if (unread.length > 0)
    problems.push(`${unread.length} of ${files.length} modules were not read: ${unread[0]} ...`)
  problems.push(...fullFolders(root), ...unplacedFolders(files), ...misplacedSides(files))
  return { read: files.length - unread.length, problems }
}

/** @param {string} root */
function fullFolders(root) {
  const inEach = new Map()
  for (const top of ['src', 'scripts', 'bench', 'e2e', 'testing'].filter((name) =>
    existsSync(join(root, name)),
  )) {
    for (const entry of readdirSync(join(root, top), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || /\.(test|spec)\.tsx?$/.test(entry.name)) continue
      inEach.set(entry.parentPath, (inEach.get(entry.parentPath) ?? 0) + 1)
    }
  }
  return [...inEach]
    .filter(([, count]) => count > mostFiles)
    .map(
      ([folder, count]) => `${count} files are in ${folder.slice(root.length)}: at most ${mostFiles} may be`,
    )
}

/** Folders whose place among the others nobody has said. */
function unplacedFolders(/** @type {readonly string[]} */ files) {
  const lost = Object.entries(rooms).flatMap(([folder, within]) =>
    files.filter(
      (file) =>
        file.startsWith(`${folder}/`) &&
        /[/]/.test(file.slice(folder.length + 1)) &&
        !/^(server|web|migrations|testing)[/]/.test(file.slice(folder.length + 1)) &&
        !Object.keys(within).some((room) => file.startsWith(`${folder}/${room}/`)),
    ),
  )
  return lost.map((file) => `${file} is in no room that scripts/checks/rooms.mjs knows`)
}

const sidesOf = { rules: 0, server: 0, web: 0, shared: 1, both: 2 }

/** A room has a `server/` and a `web/` if it is of both sides, and else neither. */
function misplacedSides(/** @type {readonly string[]} */ files) {
  return Object.entries(rooms).flatMap(([folder, within]) =>
    Object.entries(within).flatMap(([room, side]) => {
      if (room === '.') return []
      const inside = files.filter((file) => file.startsWith(`${folder}/${room}/`))
      const sides = ['server', 'web'].filter((each) =>
        inside.some((file) => file.startsWith(`${folder}/${room}/${each}/`)),
      )
      const isSo =
        inside.length === 0 || !folder.startsWith('src/features/') || sides.length === sidesOf[side]
      return isSo
        ? []
        : `${folder}/${room} is told to be of ${side}, and has ${sides.join(' and ') || 'no folder for either'}`
    }),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { read, problems } = await checkWalls(fileURLToPath(new URL('../..', import.meta.url)))
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  process.stdout.write(`${read} modules read, ${problems.length} walls broken\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
