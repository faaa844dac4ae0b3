import { execFileSync } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'

/** For a folder that is no clone. */
const seedWithoutCommit = 20_261_120

/** Where a run gets its seed from. */
interface RunOrigin {
  env: Readonly<Record<string, string | undefined>>
  commit: string | undefined
}

/**
 * What everything random in a run of the tests is derived from: the commit, so that one commit has one result. A deep
 * run takes a new one. DAYMARK_SEED repeats any run.
 */
export function seedOfRun({ env, commit }: RunOrigin): number {
  if (env.DAYMARK_SEED !== undefined) return Number(env.DAYMARK_SEED)
  if (env.DAYMARK_DEEP === '1') return randomInt(2 ** 31)
  return commit === undefined ? seedWithoutCommit : hash(commit)
}

/** Every test tries other cases, and the same ones again in a run of the same seed. */
export function seedOfTest(run: number, file: string, test: string): number {
  return hash(`${run} ${file} ${test}`)
}

/** The seed of this run, said aloud if it is a new one. */
export function takeSeed(
  env: RunOrigin['env'] = process.env,
  say = (line: string) => process.stdout.write(`${line}\n`),
): string {
  const seed = seedOfRun({ env, commit: currentCommit() })
  if (env.DAYMARK_DEEP === '1') say(`Properties and schedules: DAYMARK_SEED=${seed} repeats their cases.`)
  return String(seed)
}

function currentCommit(): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}

/** A whole number of 31 bits. */
function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() >>> 1
}
