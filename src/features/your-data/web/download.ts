import type { Day } from '#platform/calendar/day.ts'
import { counted } from '#platform/format/words.ts'
import { formatRequestProblem, problemWithoutResponse } from '#platform/sync/network/request-problem.ts'
import { failureSchema } from '#platform/wire/failure.ts'
import type { ExportedAccount } from '../exported-account.ts'
import { amountsOf, formatCounts } from '../format-counts.ts'
import type { OtherFormat } from '../other-formats.ts'
import { readExport } from '../read-export.ts'

/** Milliseconds after which a download is given up: enough for years of data over a slow connection. */
const patience = 300_000

type Saved = { saved: string } | { problem: string }

/** Has the browser save the whole account as a file. Resolves with a description of the file, or with why there is none. */
export async function download(account: string): Promise<Saved> {
  const fetched = await fetchAccount(account)
  if ('problem' in fetched) return fetched
  const { text, name, exported } = fetched
  save(text, name, 'application/json')
  return { saved: `Saved ${name}: ${formatCounts(amountsOf(exported)) ?? 'your preferences'}.` }
}

/** Has the browser save a part of the account in a format for other apps. The file is written on this device. */
export async function downloadAs(account: string, format: OtherFormat, today: Day): Promise<Saved> {
  const fetched = await fetchAccount(account)
  if ('problem' in fetched) return fetched
  const writer = await import('./write-other-format.ts').catch((reason: unknown) => {
    console.warn('What writes the file could not be fetched', reason)
  })
  if (!writer) return withoutResponse()
  const written = writer.writeOtherFormat(fetched.exported, format, today)
  const name = `${written.name}-${today}.${written.ending}`
  save(written.text, name, written.type)
  const what = written.ending === 'ics' ? 'task' : 'row'
  const saved = `Saved ${name}: ${counted(written.count, what)}.`
  return { saved: fetched.isWhole ? saved : `${saved} ${notWhole}` }
}

const notWhole =
  'Some of it is left out, since this page is older than the server. Reload it, and download again.'

/** Why there is no usable response. `status` is the status of a response that did not come from our server, if there was one. */
function withoutResponse(status?: number): { problem: string } {
  return { problem: formatRequestProblem(problemWithoutResponse(status)) }
}

interface Fetched {
  text: string
  name: string
  exported: ExportedAccount
  /** Whether this build knows everything in the file. */
  isWhole: boolean
}

async function fetchAccount(account: string): Promise<Fetched | { problem: string }> {
  try {
    const response = await fetch('/api/export', {
      // The cookie may be another user's by now; the server then responds with 401.
      headers: { accept: 'application/json', 'x-daymark-user': account },
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    })
    const text = await response.text()
    if (!response.ok) return refusalIn(text) ?? withoutResponse(response.status)
    // Check the file: if it could not be imported again, it would be no backup.
    const reading = readExport(text)
    if ('problem' in reading) return { problem: "The server's response couldn't be read." }
    const { exported, unread } = reading
    return { text, name: nameOf(response), exported, isWhole: unread === undefined }
  } catch (error) {
    console.warn('The download got no whole answer', error)
    return withoutResponse()
  }
}

/** The server's error message; undefined if the response is not from our server. */
function refusalIn(text: string): { problem: string } | undefined {
  try {
    return { problem: failureSchema.parse(JSON.parse(text)).message }
  } catch {
    return undefined
  }
}

function nameOf(response: Response): string {
  return /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'daymark.json'
}

function save(text: string, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Do not revoke the URL immediately: the browser may not have started to read the file.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
