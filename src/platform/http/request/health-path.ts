export const healthPath = '/api/health'
/** Answered from the moment that the port is taken. */
export const livePath = `${healthPath}/live`

/** Whether a request asks for the health, which is told in every state. */
export function asksForHealth(path: string): boolean {
  return path === healthPath || path.startsWith(`${healthPath}/`)
}
