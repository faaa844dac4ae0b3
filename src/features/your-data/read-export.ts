import * as z from 'zod/mini'
import { andMore } from '#platform/format/words.ts'
import type { FileRows } from '#platform/wire/file-rows.ts'
import { type Issue, knownForms, type Path } from '#platform/wire/known-forms.ts'
import {
  type ExportedAccount,
  exportedAccountSchema,
  fileRows,
  format,
  nonesInFiles,
  version,
  versionsRead,
} from './exported-account.ts'

const headSchema = z.looseObject({ format: z.literal(format), version: z.int() })

/**
 * Reads the account from the text of a file of any version, or returns why that is impossible, in a sentence or two. `unread`
 * says in a sentence which parts this build does not know.
 */
export function readExport(
  text: string,
): { exported: ExportedAccount; unread?: string } | { problem: string } {
  const value = parseJson(text)
  if (value === undefined) {
    return { problem: beginsLikeOne(text) ? cutOff : foreign }
  }
  const head = headSchema.safeParse(value)
  if (!head.success) return { problem: foreign }
  if (!versionsRead.some((read) => read === head.data.version)) {
    return { problem: otherVersion(head.data.version) }
  }
  const unknown: Path[] = []
  try {
    const read = knownForms(exportedAccountSchema, { ...head.data, version }, nonesInFiles, {
      // zod/mini has no messages of its own, and some problems need them.
      context: { error: z.locales.en().localeError },
      formsOf,
      onUnknown: (place) => unknown.push(place),
    })
    if ('issue' in read) return { problem: `This file is damaged: ${whatIsWrong(read.issue)}` }
    return unknown.length === 0 ? { exported: read.data } : { exported: read.data, unread: leftOut(unknown) }
  } catch {
    // Either the JSON is nested too deeply, or one row has a huge number of faults.
    return { problem: 'This file is damaged: there is too much in it that no version knows.' }
  }
}

/**
 * Distinguishes damage from values that only a newer version of Daymark writes. A value outside its bounds and a missing field or
 * row are damage, because no version writes them. Returns the first damage, or else the issues about unknown values.
 */
function formsOf(issues: readonly Issue[], valueAt: (path: Path) => unknown): readonly Issue[] | Issue {
  const damage = issues.find((issue) => issue.code !== 'custom' && !isForm(issue, valueAt(issue.path)))
  const forms = issues.filter((issue) => issue.code !== 'custom')
  // An unknown value may also make the checks of the whole row fail, so ignore those failures then.
  return damage ?? (forms.length > 0 ? forms : (issues[0] ?? []))
}

function isForm(issue: Issue, value: unknown): boolean {
  const [, row] = issue.path
  const isRow = typeof row === 'number' && issue.path.length === 2
  const isField = issue.path.length <= (typeof row === 'number' ? 3 : 2)
  return !isRow && !(isField && value === undefined) && isOfForm(issue)
}

function isOfForm(issue: Issue): boolean {
  if (issue.code === 'invalid_union') return issue.errors.every((branch) => branch.some(isOfForm))
  return codesOfForms.includes(issue.code)
}

const codesOfForms = ['invalid_type', 'invalid_value', 'invalid_format', 'invalid_key', 'unrecognized_keys']

/** Says what was left out: '… leaves that out: reminder (todos, number 4 and 2 more); habits, number 2.' */
function leftOut(unknown: readonly Path[]): string {
  // Report a field once, even if both the field and a part of it are unknown.
  const fields = new Map(unknown.map((path) => [path.slice(0, 3).join(), path.slice(0, 3)]))
  const groups = Map.groupBy(fields.values(), ([collection, place, field]) =>
    typeof place === 'number' ? `${String(collection)} ${String(field)}` : String(place),
  )
  const words = [...groups.values()].map(([first = [], ...others]) => {
    const [collection = '', place, field] = first
    if (typeof place !== 'number') return inWords(String(place))
    const where = `${String(collection).replaceAll('_', ' ')}, number ${place + 1}`
    const all = andMore(where, others.length)
    return field === undefined ? all : `${labelOf(String(collection), String(field))} (${all})`
  })
  return `This version of Daymark doesn't know the form of some of this file, and leaves that out: ${words.join('; ')}.`
}

function labelOf(collection: string, field: string): string {
  const kind = Object.entries<FileRows>(fileRows).find(([name]) => name === collection)?.[1]
  return kind?.fields[field]?.label?.toLowerCase() ?? inWords(field)
}

function inWords(field: string): string {
  return field.replaceAll('_', ' ')
}

const foreign = "This file wasn't downloaded from Daymark."
const cutOff = 'This file is incomplete: its end is missing. Download it again.'

function otherVersion(found: number): string {
  return `This file uses version ${found} of the format, but this version of Daymark only reads versions ${versionsRead.join(' and ')}. Import it into the server it came from, or into a newer version of Daymark.`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function beginsLikeOne(text: string): boolean {
  return /^\s*\{\s*"format"\s*:\s*"daymark"/.test(text)
}

/** Says where the first problem is and what it is: 'todos, number 4, title: Title must not be empty'. */
function whatIsWrong(issue: Issue): string {
  const place = issue.path.map((step) => (typeof step === 'number' ? `number ${step + 1}` : String(step)))
  return `${place.join(', ')}: ${issue.message}.`
}
