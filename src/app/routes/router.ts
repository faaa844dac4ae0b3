import { createRouter } from '@tanstack/react-router'
import { analyticsRoutes } from './analytics.ts'
import { finishSignUpRoute } from './finish-sign-up.ts'
import { focusRoute } from './focus.ts'
import { forgotPasswordRoute } from './forgot-password.ts'
import { habitsRoute } from './habits.ts'
import { joinRoute } from './join.ts'
import { landingRoute } from './landing.ts'
import { notFoundRoute } from './not-found.tsx'
import { resetPasswordRoute } from './reset-password.ts'
import { rootRoute } from './root.tsx'
import { settingsRoute } from './settings.ts'
import { signInRoute } from './sign-in.ts'
import { signUpRoute } from './sign-up.ts'
import { signedInRoute } from './signed-in.ts'
import { todosRoute } from './todos.ts'
import { verifyEmailRoute } from './verify-email.ts'

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    landingRoute,
    signInRoute,
    signUpRoute,
    forgotPasswordRoute,
    resetPasswordRoute,
    verifyEmailRoute,
    finishSignUpRoute,
    joinRoute,
    signedInRoute.addChildren([todosRoute, focusRoute, habitsRoute, ...analyticsRoutes, settingsRoute]),
    notFoundRoute,
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
