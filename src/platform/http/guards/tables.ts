import type { Instant } from '#platform/calendar/day.ts'

declare module '#platform/database/tables.ts' {
  interface Tables {
    rateLimit: RateLimitTable
  }
}

interface RateLimitTable {
  id: string
  key: string
  count: number
  lastRequest: Instant
}
