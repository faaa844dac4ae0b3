import { createRoute } from '@tanstack/react-router'
import { ComingPage } from '../shell/coming-page.tsx'
import { signedInRoute } from './signed-in.ts'

export const analyticsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/analytics',
  staticData: { title: 'Analytics' },
  component: () => (
    <ComingPage
      title="Analytics Dashboard"
      subtitle="Track your daily progress and achievements"
      sentence="Analytics come with a later version of Daymark."
    />
  ),
})
