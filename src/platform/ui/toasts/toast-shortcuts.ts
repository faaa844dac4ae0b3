import type { Shortcut } from '#platform/browser/keyboard/shortcuts.ts'

export const goToNotifications = {
  label: 'Go to notifications',
  keys: ['t'],
  heldWith: 'alt',
} as const satisfies Shortcut
