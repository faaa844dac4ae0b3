import type { Logger } from 'pino'
import { asksForHealth } from '../request/health-path.ts'
import type { OnAnswered } from './answered.ts'

/** Logs one line per request, except health checks: they come every few seconds and would bury the others. */
export function requestLog(log: Logger): OnAnswered {
  return (answered) => {
    if (!asksForHealth(answered.route)) log.info(answered)
  }
}
