import { isSamePlan } from '#features/focus/plan/focus-plan.ts'
import { defaultPreferences, type Preferences } from './preferences.ts'

/**
 * Whether all preferences are still the defaults. A time zone that follows the browser counts as a default, because nobody chose
 * it.
 */
export function areDefaults(preferences: Preferences): boolean {
  const { time_zone_follows_browser, day_start, week_start, theme, todos_sort, start_page, focus_plan } =
    preferences
  const defaults = defaultPreferences
  return (
    time_zone_follows_browser &&
    day_start === defaults.day_start &&
    week_start === defaults.week_start &&
    theme === defaults.theme &&
    todos_sort === defaults.todos_sort &&
    start_page === defaults.start_page &&
    isSamePlan(focus_plan, defaults.focus_plan)
  )
}
