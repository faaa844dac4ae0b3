import type { PushPermission } from './push-permission.ts'

/** What prevents reminders on every device. */
export const pushIsOff = "This server doesn't send push reminders."

/** What prevents reminders on this device, and how to fix it. */
export const formatPushPermission: Record<PushPermission, string> = {
  insecure: 'Browsers only show reminders over a secure connection. Open Daymark at its https address.',
  unsupported: "This browser can't show reminders while Daymark is closed.",
  undecided: 'Your browser will ask you to allow notifications.',
  denied:
    "Notifications from Daymark are blocked. Allow them in your browser's settings for this site, then come back.",
  allowed: 'Your browser already allows notifications.',
}
