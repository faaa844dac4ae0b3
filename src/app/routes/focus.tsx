import { createRoute } from '@tanstack/react-router'
import { ComingPage } from '../shell/coming-page.tsx'
import { signedInRoute } from './signed-in.ts'

export const focusRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/focus',
  staticData: { title: 'Focus Timer' },
  component: () => (
    <ComingPage
      title="Focus Timer"
      subtitle="Pomodoro Timer - 25 minutes of focused work"
      sentence="The focus timer comes with a later version of Daymark."
    />
  ),
})
