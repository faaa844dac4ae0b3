import { createRoute } from '@tanstack/react-router'
import { lazyPage } from './lazy-page.tsx'
import { signedInRoute } from './signed-in.ts'

export const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/settings',
  staticData: { title: 'Settings' },
  component: lazyPage(() => import('../shell/settings-page.tsx'), 'SettingsPage'),
})
