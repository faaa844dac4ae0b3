import type { Logger } from 'pino'
import { asksForHealth } from '../request/health-path.ts'
import type { OnResponse } from './report-responses.ts'

/** Logs one line per request. Health checks are left out: they come every few seconds and would bury the other lines. */
export function requestLog(log: Logger): OnResponse {
  return (report) => {
    if (!asksForHealth(report.route)) log.info(report)
  }
}
