import { type AuthResponse, failed } from '#features/account/session/web/auth-request.ts'

interface Upload {
  /** The user of this screen: if somebody else has signed in here since, the server refuses. */
  account: string
  /** The file as a data URL. */
  image: string
  signal: AbortSignal
  /** Receives the share that has been sent, 0 to 1. */
  onProgress(part: number): void
}

/** Longer than anybody waits for the slowest connection; the upload can be cancelled before. */
const timeout = 10 * 60_000

/** Undefined if it was cancelled, in which case the server may have accepted it or not. Never rejects. */
export function uploadPicture({
  account,
  image,
  signal,
  onProgress,
}: Upload): Promise<AuthResponse | undefined> {
  return new Promise((resolve) => {
    // fetch does not report how much of a body has been sent.
    const request = new XMLHttpRequest()
    const fail = () => resolve(failed())
    request.onload = () => resolve(readResponse(request))
    request.onerror = fail
    request.ontimeout = fail
    request.onabort = () => resolve(undefined)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    signal.addEventListener('abort', () => request.abort())

    request.open('POST', '/api/auth/update-user')
    request.timeout = timeout
    request.setRequestHeader('content-type', 'application/json')
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('x-daymark-user', account)
    request.send(JSON.stringify({ image }))
  })
}

function readResponse({ status, responseText }: XMLHttpRequest): AuthResponse {
  try {
    const response: unknown = JSON.parse(responseText)
    if (status === 200) return { ok: true, user: undefined }
    return failed(status, response)
  } catch {
    // A page from a proxy between us and the server.
    return failed(status)
  }
}
