import { parseHabitScope } from '#features/analytics/metrics/habit-scope.ts'
import { parseDays, parseRange } from '#features/analytics/metrics/range.ts'
import { parseOpenHabit } from '#features/habits/pages/open-habit.ts'
import { parseCompletedSearch } from '#features/todos/completed/completed-search.ts'
import { parseDetails } from '#features/todos/details/details-in-address.ts'
import { lazyPart } from '#platform/ui/lazy-part.tsx'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { openToAll, signedIn } from './routes/screen.ts'

// Every screen: its path, title, search parameters, the collections that it reads first, and the component that renders
// it. Both the router and the build (scripts/web/web-pages.mjs) use this table.

export const screensOpenToAll = [
  openToAll({
    path: '/',
    draws: lazyPart(() => import('./shell/landing/landing.tsx'), 'Landing'),
  }),
  openToAll({
    path: '/sign-in',
    title: 'Login',
    // Preloaded, since a sign-out leads here even without a connection.
    draws: lazyPart(
      () => import('#features/account/sign-in/web/sign-in-page.tsx'),
      'SignInPage',
      'after the screen',
    ),
  }),
  openToAll({
    path: '/sign-up',
    title: 'Create an Account',
    draws: lazyPart(() => import('#features/account/sign-up/web/sign-up-page.tsx'), 'SignUpPage'),
  }),
  openToAll({
    path: '/forgot-password',
    title: 'Forgot your password?',
    draws: lazyPart(
      () => import('#features/account/password/web/forgot-password-page.tsx'),
      'ForgotPasswordPage',
    ),
  }),
  openToAll({
    path: '/reset-password',
    title: 'Choose a new password',
    draws: lazyPart(
      () => import('#features/account/password/web/reset-password-page.tsx'),
      'ResetPasswordPage',
    ),
  }),
  openToAll({
    path: '/verify-email',
    title: 'Confirm your email address',
    draws: lazyPart(() => import('#features/account/mail/web/verify-email-page.tsx'), 'VerifyEmailPage'),
  }),
  openToAll({
    path: '/finish-sign-up',
    title: 'Finish signing up',
    draws: lazyPart(
      () => import('#features/account/sign-up/web/finish-sign-up-page.tsx'),
      'FinishSignUpPage',
    ),
  }),
  openToAll({
    path: '/join',
    title: 'Join Daymark',
    draws: lazyPart(() => import('#features/account/invitations/web/join-page.tsx'), 'JoinPage'),
  }),
] as const

export const signedInScreens = [
  signedIn({
    path: '/start',
    draws: lazyPart(() => import('./shell/screens/start.tsx'), 'Start'),
  }),
  signedIn({
    path: '/today',
    title: 'Today',
    reads: ['todos', 'lists'],
    readsLater: ['habits', 'pauses', 'focus-sessions'],
    search: parseDetails,
    draws: lazyPart(() => import('./shell/screens/today.tsx'), 'Today'),
  }),
  signedIn({
    path: '/upcoming',
    title: 'Upcoming',
    reads: ['todos', 'lists'],
    search: parseDetails,
    draws: lazyPart(() => import('./shell/screens/upcoming.tsx'), 'Upcoming'),
  }),
  signedIn({
    path: '/todos',
    title: 'Todos',
    reads: ['todos', 'lists'],
    search: parseDetails,
    draws: lazyPart(() => import('./shell/screens/todos.tsx'), 'Todos'),
  }),
  signedIn({
    path: '/todos/completed',
    title: 'Completed',
    reads: ['todos', 'lists'],
    search: parseCompletedSearch,
    draws: lazyPart(() => import('./shell/screens/completed.tsx'), 'Completed'),
  }),
  signedIn({
    path: '/lists/$id',
    // Replaced by the list's name once the list is known.
    title: 'List',
    reads: ['todos', 'lists'],
    search: parseDetails,
    draws: lazyPart(() => import('./shell/screens/list.tsx'), 'List'),
  }),
  signedIn({
    path: '/tags/$tag',
    // Replaced by the tag as the person spells it, once that is known.
    title: 'Tag',
    reads: ['todos', 'lists'],
    search: parseDetails,
    draws: lazyPart(() => import('./shell/screens/tag.tsx'), 'Tag'),
  }),
  signedIn({
    path: '/focus',
    title: 'Focus Timer',
    reads: ['focus-sessions', 'todos', 'lists', 'habits', 'pauses'],
    draws: lazyPart(() => import('./shell/screens/focus.tsx'), 'Focus'),
  }),
  signedIn({
    path: '/habits',
    title: 'Habits',
    reads: ['habits', 'pauses'],
    search: parseOpenHabit,
    draws: lazyPart(() => import('#features/habits/pages/habits-page.tsx'), 'HabitsPage'),
  }),
  signedIn({
    path: '/analytics',
    title: 'Analytics',
    search: parseRange,
    draws: lazyPart(() => import('#features/analytics/pages/analytics-page.tsx'), 'AnalyticsPage'),
  }),
  signedIn({
    path: '/analytics/todos',
    title: 'Completed todos',
    search: todosInAddress,
    draws: lazyPart(() => import('#features/analytics/pages/todos-list-page.tsx'), 'TodosListPage'),
  }),
  signedIn({
    path: '/analytics/habits',
    title: 'Completed habits',
    search: habitsInAddress,
    draws: lazyPart(() => import('#features/analytics/pages/habits-list-page.tsx'), 'HabitsListPage'),
  }),
  signedIn({
    path: '/analytics/focus',
    title: 'Completed focus',
    search: listInAddress,
    draws: lazyPart(() => import('#features/analytics/pages/focus-list-page.tsx'), 'FocusListPage'),
  }),
  signedIn({
    path: '/settings',
    title: 'Settings',
    draws: lazyPart(() => import('./shell/screens/settings-page.tsx'), 'SettingsPage'),
  }),
] as const

/** Parses the days that a list in analytics shows, and the range that its back link returns to. */
function listInAddress(search: Record<string, unknown>) {
  return { ...parseDays(search), ...parseRange(search) }
}

/** Parses the days and the range, and which of the person's lists is shown; all lists if it is left out. */
function todosInAddress(search: Record<string, unknown>) {
  return { ...listInAddress(search), list: rowIdSchema.safeParse(search.list).data }
}

/** Parses the days and the range, and which habits are shown: one, the daily ones, or all. */
function habitsInAddress(search: Record<string, unknown>) {
  return { ...listInAddress(search), ...parseHabitScope(search) }
}
