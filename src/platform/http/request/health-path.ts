export const healthPath = '/api/health'
/** The path of a health check that succeeds as soon as the port is open. */
export const livePath = `${healthPath}/live`

/** Whether a request asks for the server's health, which is reported in every state. */
export function asksForHealth(path: string): boolean {
  return path === healthPath || path.startsWith(`${healthPath}/`)
}
