import { createRoute } from '@tanstack/react-router'
import { ComingPage } from '../shell/coming-page.tsx'
import { signedInRoute } from './signed-in.ts'

export const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/settings',
  staticData: { title: 'Settings' },
  component: () => (
    <ComingPage
      title="Settings"
      subtitle="Manage your account settings and preferences"
      sentence="Settings come with a later version of Daymark."
    />
  ),
})
