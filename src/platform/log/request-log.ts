import type { Logger } from 'pino'
import type { OnAnswered } from '#platform/http/answered.ts'

/** Logs one line per request, except health checks: they come every few seconds and would bury the others. */
export function requestLog(log: Logger): OnAnswered {
  return (answered) => {
    if (answered.route !== '/api/health') log.info(answered)
  }
}
