import { type AuthAnswer, failed } from './auth-calls.ts'

interface Upload {
  /** Whose screen it is: once somebody else is signed in here, the server refuses. */
  account: string
  /** The file as a data URL. */
  image: string
  signal: AbortSignal
  /** Told the part that is sent, 0 to 1. */
  onProgress(part: number): void
}

/** Longer than the slowest connection that anybody waits for; it can be cancelled before. */
const patience = 10 * 60_000

/** Undefined when it was cancelled, which leaves open whether the server took it. Never rejects. */
export function uploadPicture({
  account,
  image,
  signal,
  onProgress,
}: Upload): Promise<AuthAnswer | undefined> {
  return new Promise((resolve) => {
    // fetch does not tell how much of a body is sent.
    const request = new XMLHttpRequest()
    const noAnswer = () => resolve(failed())
    request.onload = () => resolve(understand(request))
    request.onerror = noAnswer
    request.ontimeout = noAnswer
    request.onabort = () => resolve(undefined)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    signal.addEventListener('abort', () => request.abort())

    request.open('POST', '/api/auth/update-user')
    request.timeout = patience
    request.setRequestHeader('content-type', 'application/json')
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('x-daymark-user', account)
    request.send(JSON.stringify({ image }))
  })
}

function understand({ status, responseText }: XMLHttpRequest): AuthAnswer {
  try {
    const answer: unknown = JSON.parse(responseText)
    if (status === 200) return { ok: true, user: undefined }
    return failed(status, answer)
  } catch {
    // A page of somebody between us and the server.
    return failed(status)
  }
}
