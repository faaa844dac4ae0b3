import type { Instant } from '#platform/calendar/day.ts'

export interface HttpTables {
  rateLimit: RateLimitTable
}

interface RateLimitTable {
  id: string
  key: string
  count: number
  lastRequest: Instant
}
