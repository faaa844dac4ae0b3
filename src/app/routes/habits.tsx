import { createRoute } from '@tanstack/react-router'
import { ComingPage } from '../shell/coming-page.tsx'
import { signedInRoute } from './signed-in.ts'

export const habitsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/habits',
  staticData: { title: 'Habits' },
  component: () => (
    <ComingPage
      title="Habits"
      subtitle="Track your daily and weekly habits"
      sentence="Habits come with a later version of Daymark."
    />
  ),
})
