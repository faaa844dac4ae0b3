import { type AuthResponse, failed } from '#features/account/session/web/auth-request.ts'

interface Upload {
  /** The id of the user whom this screen shows. The server refuses the upload if somebody else has signed in since. */
  account: string
  /** The picture as a data URL. */
  image: string
  signal: AbortSignal
  /** Receives the share of the upload that is done, 0 to 1. */
  onProgress(part: number): void
}

/**
 * Milliseconds after which an upload is given up: longer than anybody waits on the slowest connection. The person can cancel
 * earlier.
 */
const timeout = 10 * 60_000

/**
 * Uploads a picture. Undefined if the upload was cancelled, in which case the server may or may not have accepted it. Never
 * rejects.
 */
export function uploadPicture({
  account,
  image,
  signal,
  onProgress,
}: Upload): Promise<AuthResponse | undefined> {
  return new Promise((resolve) => {
    // `fetch` does not report upload progress.
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
    // The body is no JSON, for example a proxy's error page.
    return failed(status)
  }
}
