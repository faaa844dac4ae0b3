import type { Request } from '@playwright/test'

interface SentChange {
  method: string
  url: URL
  body: unknown
}

/** The changes in a request, which may contain several. */
export function sentChanges(request: Request): SentChange[] {
  const url = new URL(request.url())
  if (request.method() === 'GET') return []
  if (url.pathname !== '/api/changes')
    return [{ method: request.method(), url, body: request.postDataJSON() }]
  const { rows }: { rows: { method: string; path: string; body?: unknown }[][] } = request.postDataJSON()
  return rows.flat().map(({ method, path, body = null }) => ({ method, url: new URL(path, url), body }))
}
