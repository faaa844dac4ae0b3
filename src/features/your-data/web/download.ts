import { failureSchema } from '#platform/wire/failure.ts'
import { amountsOf, formatCounts } from '../format-counts.ts'
import { readExport } from '../read-export.ts'

/** In milliseconds: enough for years of data over a slow connection, but not forever. */
const patience = 300_000

/** Has the browser save everything of the account as a file; resolves with what is in it, or why there is none. */
export async function download(account: string): Promise<{ saved: string } | { problem: string }> {
  try {
    const response = await fetch('/api/export', {
      // The cookie may be another user's by now; the server then answers 401.
      headers: { accept: 'application/json', 'x-daymark-user': account },
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    })
    const text = await response.text()
    if (!response.ok) return { problem: messageOf(text) }
    // A file that could not be imported again would be no backup.
    const reading = readExport(text)
    if ('problem' in reading) return { problem: "The server's response couldn't be read." }
    const name = nameOf(response)
    save(text, name)
    return { saved: `Saved ${name}: ${formatCounts(amountsOf(reading.exported)) ?? 'your preferences'}.` }
  } catch (error) {
    console.warn('The download got no whole answer', error)
    return { problem: "The server can't be reached." }
  }
}

function messageOf(text: string): string {
  try {
    return failureSchema.parse(JSON.parse(text)).message
  } catch {
    return "The server can't be reached."
  }
}

function nameOf(response: Response): string {
  return /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'daymark.json'
}

function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Not immediately: the browser may not have started to read it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
