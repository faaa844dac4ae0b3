// Puts the parts of another version in the place of those in use, and back. Run by whatever Node the machine has (16 and
// later) when an update was interrupted, so: old syntax, no packages.
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * @typedef {object} Exchange of folders and files by their paths in `root`
 * @property {string} root
 * @property {string} from where the arriving parts wait
 * @property {string} to where the leaving parts go; empty at the beginning
 * @property {string[]} arriving
 * @property {string[]} leaving
 */

/**
 * Renames only, so that it is quick. After an interruption, it goes on where it was; or `takeBack` undoes it.
 * @param {Exchange} exchange
 */
export function putInPlace({ root, from, to, arriving, leaving }) {
  for (const part of new Set([...leaving, ...arriving])) {
    if (leaving.includes(part) && !exists(join(to, part))) move(join(root, part), join(to, part))
    if (!arriving.includes(part)) continue
    if (exists(join(from, part))) move(join(from, part), join(root, part))
    else if (!exists(join(root, part))) throw new Error(`${part} of the other version is missing`)
  }
}

/** @param {Exchange} exchange */
export function takeBack({ root, from, to, arriving, leaving }) {
  for (const part of new Set([...leaving, ...arriving])) {
    const isOut = leaving.includes(part) && exists(join(to, part))
    const isIn = arriving.includes(part) && !exists(join(from, part)) && (isOut || !leaving.includes(part))
    if (isIn) move(join(root, part), join(from, part))
    if (isOut) move(join(to, part), join(root, part))
  }
}

/**
 * One at a time: a second one would take the first for interrupted. Ends with the process.
 * @param {string} path
 */
export function takeLock(path) {
  mkdirSync(dirname(path), { recursive: true })
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' })
      process.on('exit', () => rmSync(path, { force: true }))
      return
    } catch (error) {
      if (!exists(path)) throw error
      const pid = Number(readFileSync(path, 'utf8'))
      if (pid > 0 && isAlive(pid)) throw new Error(`Another update is under way (process ${pid}).`)
      // Its process was killed.
      rmSync(path, { force: true })
    }
  }
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * What was written is on the disk: after a power cut, a file that was only renamed would be empty.
 * @param {string} folder
 */
export function store(folder) {
  if (process.platform === 'linux') spawnSync('sync', ['-f', folder])
}

/**
 * Whether something is there, if only a link that leads nowhere.
 * @param {string} path
 */
export function exists(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/**
 * @param {string} from
 * @param {string} to
 */
function move(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
}

/**
 * Whoever finds the file later finds all of it, even after a power cut.
 * @param {string} path
 * @param {unknown} content
 */
export function writeRecord(path, content) {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.draft`
  const file = openSync(draft, 'w')
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
  fsyncSync(file)
  closeSync(file)
  renameSync(draft, path)
}

/**
 * @param {string} path
 * @returns {any} undefined if there is none
 */
export function readRecord(path) {
  return exists(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}
