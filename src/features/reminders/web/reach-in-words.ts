import type { Reach } from './this-browser.ts'

/** What stands in the way of reminders on this device, and what helps. */
export const reachInWords: Record<Reach, string> = {
  insecure: 'Browsers show reminders over a secure connection only: open Daymark by its https address.',
  unsupported: 'This browser cannot show reminders that come while Daymark is closed.',
  undecided: 'Your browser will ask once whether Daymark may show notifications.',
  denied:
    'Notifications of Daymark are blocked in this browser. Allow them in its settings for this site, then come back.',
  allowed: 'Your browser allows it already.',
}
