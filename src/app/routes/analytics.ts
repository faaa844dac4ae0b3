import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { daysInAddress, rangeInAddress } from '#features/analytics/range.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { signedInRoute } from './signed-in.ts'

const analyticsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/analytics',
  staticData: { title: 'Analytics' },
  validateSearch: rangeInAddress,
  component: lazyRouteComponent(() => import('#features/analytics/web/analytics-page.tsx'), 'AnalyticsPage'),
})

const completedTodosRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/analytics/todos',
  staticData: { title: 'Completed todos' },
  validateSearch: listInAddress,
  component: lazyRouteComponent(() => import('#features/analytics/web/list-page.tsx'), 'TodosListPage'),
})

const completedHabitsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/analytics/habits',
  staticData: { title: 'Completed habits' },
  validateSearch: habitsInAddress,
  component: lazyRouteComponent(() => import('#features/analytics/web/list-page.tsx'), 'HabitsListPage'),
})

const completedFocusRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/analytics/focus',
  staticData: { title: 'Completed focus' },
  validateSearch: listInAddress,
  component: lazyRouteComponent(() => import('#features/analytics/web/list-page.tsx'), 'FocusListPage'),
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
function habitsInAddress(search: Record<string, unknown>): ReturnType<typeof listInAddress> & {
  habit?: string | undefined
  daily?: 1 | undefined
} {
  const habit = rowIdSchema.safeParse(search.habit).data
  const daily = habit === undefined && String(search.daily) === '1' ? 1 : undefined
  return { ...listInAddress(search), habit, daily }
}
