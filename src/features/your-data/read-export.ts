import * as z from 'zod/mini'
import { knownForms } from '#platform/wire/known-forms.ts'
import {
  type ExportedAccount,
  exportedAccountSchema,
  format,
  importLists,
  nonesInFiles,
  version,
  versionsRead,
} from './exported-account.ts'

const headSchema = z.looseObject({ format: z.literal(format), version: z.int() })

/**
 * The account in the text of a file of any version, or a sentence or two about why there is none. `unread`: what of it this build
 * does not know, in a sentence.
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
  // zod/mini includes no messages of its own, and some problems need them.
  const { localeError } = z.locales.en()
  const read = knownForms(exportedAccountSchema, { ...head.data, version }, nonesInFiles, {
    error: localeError,
    isForm,
  })
  if ('error' in read) return { problem: `This file is damaged: ${whatIsWrong(read.error)}` }
  const { data: exported, unknown } = read
  return unknown.length === 0 ? { exported } : { exported, unread: leftOut(unknown) }
}

/** Not what exceeds a bound, and not a field that is missing: a file in which that is so is damaged. */
function isForm(issue: z.core.$ZodIssue, value: unknown): boolean {
  const [, place] = issue.path
  const isField = issue.path.length <= (typeof place === 'number' ? 3 : 2)
  return !(isField && value === undefined) && isOfForm(issue)
}

function isOfForm(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'invalid_union') return issue.errors.every((branch) => branch.some(isOfForm))
  return codesOfForms.includes(issue.code)
}

const codesOfForms = ['invalid_type', 'invalid_value', 'invalid_format', 'invalid_key', 'unrecognized_keys']

/** 'A newer version of Daymark wrote … left out: reminder of a task (2 times), a habit.' */
function leftOut(unknown: readonly (readonly PropertyKey[])[]): string {
  // An object of an unknown form is wrong in several ways.
  const places = new Map(unknown.map((place) => [place.join(), place])).values()
  const counts = Map.groupBy(places, ([list = '', , field]) => {
    const { one = 'preference' } = Object.entries(importLists).find(([name]) => name === list)?.[1] ?? {}
    return field === undefined
      ? `a ${one}`
      : `${String(field)
          .replace(/_(at|id)$/, '')
          .replaceAll('_', ' ')} of a ${one}`
  })
  const words = [...counts].map(([what, of]) => (of.length === 1 ? what : `${what} (${of.length} times)`))
  return `A newer version of Daymark wrote some of this file. What this one doesn't know is left out: ${words.join(', ')}.`
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

/** Where the first problem is, and what it is: 'todos, number 4, title: Title must not be empty'. */
function whatIsWrong(error: z.core.$ZodError): string {
  const issue = error?.issues[0]
  if (!issue) return "it can't be read."
  const place = issue.path.map((step) => (typeof step === 'number' ? `number ${step + 1}` : String(step)))
  return `${place.join(', ')}: ${issue.message}.`
}
