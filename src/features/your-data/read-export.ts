import * as z from 'zod/mini'
import {
  type ExportedAccount,
  exportedAccountSchema,
  format,
  version,
  versionsRead,
} from './exported-account.ts'

const headSchema = z.looseObject({ format: z.literal(format), version: z.int() })

/** The account in the text of a file of any version, or a sentence or two about why there is none. */
export function readExport(text: string): { exported: ExportedAccount } | { problem: string } {
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
  const { data, error } = exportedAccountSchema.safeParse(
    { ...head.data, version },
    { error: z.locales.en().localeError },
  )
  return data ? { exported: data } : { problem: `This file is damaged: ${whatIsWrong(error)}` }
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
function whatIsWrong(error: z.core.$ZodError | undefined): string {
  const issue = error?.issues[0]
  if (!issue) return "it can't be read."
  const place = issue.path.map((step) => (typeof step === 'number' ? `number ${step + 1}` : String(step)))
  return `${place.join(', ')}: ${issue.message}.`
}
