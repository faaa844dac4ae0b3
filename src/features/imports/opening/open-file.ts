import { Inflate } from 'fflate'
import type { OpenedFile, TextInZip } from '../reading/reading.ts'
import { occurrencesIn } from './occurrences-in.ts'
import { type EntryOfZip, entriesOfZip } from './zip-entries.ts'

/** The largest file that is opened, in bytes. A lifetime of tasks is smaller. */
const mostBytes = 100_000_000
/** The most bytes of all files in a zip file together, after unpacking. */
const mostBytesUnpacked = 100_000_000
const mostEntries = 5_000
/** How many bytes are read or unpacked at a time. */
const step = 1 << 20
/** The most lines that a file may have. No account can have that many rows of any kind. */
const mostLines = 750_000

class Problem extends Error {}

/**
 * Opens a file as far as that is safe, or returns why not, in a sentence. `onProgress` receives the fraction that has been read.
 */
export async function openFile(
  file: Blob & { name: string },
  onProgress: (fraction: number) => void,
): Promise<OpenedFile | { problem: string }> {
  try {
    if (file.size === 0) throw new Problem('This file is empty.')
    if (file.size > mostBytes)
      throw new Problem(`This file is too large: ${inMegabytes(mostBytes)} is the most.`)
    const start = await bytesOf(file.slice(0, step))
    const kind = kindOf(start)
    if (kind === 'zip') return { kind, name: file.name, ...unpack(await bytesOf(file), onProgress) }
    if (kind === 'database') return { kind, name: file.name, tables: tablesIn(start) }
    if (kind === 'other') throw new Problem(noText)
    return { kind, name: file.name, text: await readText(file, onProgress) }
  } catch (error) {
    if (error instanceof Problem) return { problem: error.message }
    throw error
  }
}

const noText = "This file is neither text nor a zip file, so Daymark can't read it."
const notUtf8 =
  "isn't in UTF-8. Open it in a text editor or spreadsheet, save it as UTF-8, and import it again."

async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await blob.arrayBuffer())
}

function kindOf(start: Uint8Array): 'zip' | 'database' | 'text' | 'other' {
  const begins = (...bytes: readonly number[]) => bytes.every((byte, place) => start[place] === byte)
  if (begins(0x50, 0x4b, 0x03, 0x04) || begins(0x50, 0x4b, 0x05, 0x06)) return 'zip'
  if (begins(...new TextEncoder().encode('SQLite format 3\0'))) return 'database'
  if (begins(0xff, 0xfe) || begins(0xfe, 0xff)) return 'text'
  return start.includes(0) ? 'other' : 'text'
}

/** The names of a database's tables. Its schema is at the start of the file. */
function tablesIn(start: Uint8Array): string[] {
  const text = new TextDecoder('latin1').decode(start)
  const names = text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?["'`[]?(\w+)/gi)
  return [...new Set([...names].flatMap(([, name]) => name ?? []))]
}

async function readText(file: Blob, onProgress: (fraction: number) => void): Promise<string> {
  const decode = decoderFor(await bytesOf(file.slice(0, 2)))
  let text = ''
  let lines = 0
  for (let from = 0; from < file.size; from += step) {
    const bytes = await bytesOf(file.slice(from, from + step))
    const part = decode(bytes, from + step >= file.size) ?? refuse(`This file ${notUtf8}`)
    if (part.includes('\0')) refuse(noText)
    lines += occurrencesIn(part, '\n')
    if (lines > mostLines) refuse(`This file has more than ${mostLines.toLocaleString('en')} lines.`)
    text += part
    onProgress(Math.min(1, (from + step) / file.size))
  }
  return text
}

function refuse(problem: string): never {
  throw new Problem(problem)
}

/**
 * Returns a decoder for the file's encoding, which omits the byte order mark. The decoder returns undefined if the bytes are no
 * text in that encoding.
 */
function decoderFor(
  start: Uint8Array,
): (bytes: Uint8Array<ArrayBuffer>, isLast: boolean) => string | undefined {
  const [first, second] = start
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  const decoder = new TextDecoder(encoding, { fatal: true })
  return (bytes, isLast) => {
    try {
      return decoder.decode(bytes, { stream: !isLast })
    } catch {
      return undefined
    }
  }
}

function unpack(
  bytes: Uint8Array<ArrayBuffer>,
  onProgress: (fraction: number) => void,
): { files: TextInZip[]; others: string[] } {
  const all = entriesOfZip(bytes) ?? refuse('This zip file is damaged or cut short. Download it again.')
  const entries = all.filter(({ path }) => !isOfMacOs(path))
  if (entries.length > mostEntries) {
    refuse(`This zip file contains more than ${mostEntries.toLocaleString('en')} files.`)
  }
  const texts = entries.filter(isText)
  if (texts.some(({ encrypted }) => encrypted)) {
    refuse('This zip file is protected by a password. Unpack it first, and import the file that it contains.')
  }
  const size = texts.reduce((sum, entry) => sum + entry.size, 0)
  if (size > mostBytesUnpacked) {
    refuse(`This zip file is too large once it is unpacked: ${inMegabytes(mostBytesUnpacked)} is the most.`)
  }
  let [unpacked, lines] = [0, 0]
  const files = texts.map((entry) => {
    const content = contentOf(entry, (count) => onProgress((unpacked + count) / size))
    unpacked += entry.size
    if (!content) refuse(`In this zip file, ${entry.path} is damaged. Download it again.`)
    const decode = decoderFor(content)
    const text = decode(content, true) ?? refuse(`In this zip file, ${entry.path} ${notUtf8}`)
    lines += occurrencesIn(text, '\n')
    if (lines > mostLines) refuse(`This zip file has more than ${mostLines.toLocaleString('en')} lines.`)
    return { path: entry.path, text }
  })
  const others = entries.filter((entry) => !isText(entry)).map(({ path }) => path)
  return { files, others: others.filter((path) => !path.endsWith('/')) }
}

/** Whether macOS added the file to the zip. Files such as '__MACOSX/._Home.csv' are no text, whatever their name says. */
function isOfMacOs(path: string): boolean {
  return /(^|\/)(__MACOSX\/|\._)/.test(path)
}

/** Whether a file in a zip is text. Its name decides: an ending that other apps use, or no ending, such as Vikunja's VERSION. */
function isText({ path, method }: EntryOfZip): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const isReadable = method === 0 || method === 8
  return isReadable && (/\.(csv|tsv|txt|json|ics|html?)$/i.test(name) || /^[A-Z]+$/.test(name))
}

/**
 * The unpacked content of a file in a zip. Unpacking never exceeds the size that the zip file states. Undefined if the content is
 * damaged or has another size.
 */
function contentOf(
  { packed, method, size }: EntryOfZip,
  onProgress: (bytes: number) => void,
): Uint8Array<ArrayBuffer> | undefined {
  if (method === 0) return packed.length === size ? packed : undefined
  const content = new Uint8Array(size)
  let length = 0
  const inflate = new Inflate((part) => {
    if (length + part.length > size) throw new RangeError('It unpacks to more than it says')
    content.set(part, length)
    length += part.length
  })
  try {
    // Unpack a few kilobytes at a time, because data can grow to a thousand times its size before its length is checked.
    const pieces = 4 << 10
    for (let from = 0; from < packed.length; from += pieces) {
      inflate.push(packed.subarray(from, from + pieces), from + pieces >= packed.length)
      onProgress(length)
    }
  } catch {
    return undefined
  }
  return length === size ? content : undefined
}

function inMegabytes(bytes: number): string {
  return `${bytes / 1_000_000} MB`
}
