import { createRoute } from '@tanstack/react-router'
import { scopeInAddress } from '#features/analytics/habit-scope.ts'
import { daysInAddress, rangeInAddress } from '#features/analytics/range.ts'
import { lazyPage } from './lazy-page.tsx'
import { signedInRoute } from './signed-in.ts'

const analyticsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/analytics',
  staticData: { title: 'Analytics' },
  validateSearch: rangeInAddress,
  component: lazyPage(() => import('#features/analytics/web/analytics-page.tsx'), 'AnalyticsPage'),
})

const completedTodosRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/analytics/todos',
  staticData: { title: 'Completed todos' },
  validateSearch: listInAddress,
  component: lazyPage(() => import('#features/analytics/web/todos-list-page.tsx'), 'TodosListPage'),
})

const completedHabitsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/analytics/habits',
  staticData: { title: 'Completed habits' },
  validateSearch: habitsInAddress,
  component: lazyPage(() => import('#features/analytics/web/habits-list-page.tsx'), 'HabitsListPage'),
})

const completedFocusRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/analytics/focus',
  staticData: { title: 'Completed focus' },
  validateSearch: listInAddress,
  component: lazyPage(() => import('#features/analytics/web/focus-list-page.tsx'), 'FocusListPage'),
})

/** The dashboard, and the lists behind its numbers. */
export const analyticsRoutes = [
  analyticsRoute,
  completedTodosRoute,
  completedHabitsRoute,
  completedFocusRoute,
] as const

/** The days of the list, and the range that the way back leads to. */
function listInAddress(search: Record<string, unknown>) {
  return { ...daysInAddress(search), ...rangeInAddress(search) }
}

/** The same, and which habits: one, the daily ones, or all. */
function habitsInAddress(search: Record<string, unknown>) {
  return { ...listInAddress(search), ...scopeInAddress(search) }
}
