// Enforces the walls of .dependency-cruiser.mjs, and also fails if it couldn't read all sources.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cruise } from 'dependency-cruiser'
import { walls } from '../../.dependency-cruiser.mjs'

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
  return { read: files.length - unread.length, problems }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { read, problems } = await checkWalls(fileURLToPath(new URL('../..', import.meta.url)))
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  process.stdout.write(`${read} modules read, ${problems.length} walls broken\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
