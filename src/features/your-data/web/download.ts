import type { Day } from '#platform/calendar/day.ts'
import { counted } from '#platform/format/words.ts'
import { formatRequestProblem, problemWithoutResponse } from '#platform/sync/network/request-problem.ts'
import { failureSchema } from '#platform/wire/failure.ts'
import type { ExportedAccount } from '../exported-account.ts'
import { amountsOf, formatCounts } from '../format-counts.ts'
import type { OtherFormat } from '../other-formats.ts'
import { readExport } from '../read-export.ts'

/** In milliseconds: enough for years of data over a slow connection, but not forever. */
const patience = 300_000

type Saved = { saved: string } | { problem: string }

/** Has the browser save everything of the account as a file; resolves with what is in it, or why there is none. */
export async function download(account: string): Promise<Saved> {
  const fetched = await fetchAccount(account)
  if ('problem' in fetched) return fetched
  const { text, name, exported } = fetched
  save(text, name, 'application/json')
  return { saved: `Saved ${name}: ${formatCounts(amountsOf(exported)) ?? 'your preferences'}.` }
}

/** The same for a part of it, in a format that other apps read. It is written here, on the device. */
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

/** `status` is of what responded in place of our server, if anything did. */
function withoutResponse(status?: number): { problem: string } {
  return { problem: formatRequestProblem(problemWithoutResponse(status)) }
}

interface Fetched {
  text: string
  name: string
  exported: ExportedAccount
  /** Whether this build knows all of it. */
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
    // A file that could not be imported again would be no backup.
    const reading = readExport(text)
    if ('problem' in reading) return { problem: "The server's response couldn't be read." }
    const { exported, unread } = reading
    return { text, name: nameOf(response), exported, isWhole: unread === undefined }
  } catch (error) {
    console.warn('The download got no whole answer', error)
    return withoutResponse()
  }
}

/** Undefined if it is not our server that refused. */
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
  // Not immediately: the browser may not have started to read it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
