import { defaultPlan } from '#features/focus/plan/focus-plan.ts'
import { emptyCollections } from '#platform/wire/file-rows.ts'
import { type ExportedAccount, fileRows } from '../exported-account.ts'

/** An exported account with these lists and nothing else. */
export function exportedAccount(lists: Partial<ExportedAccount>): ExportedAccount {
  return {
    format: 'daymark',
    version: 2,
    exported_at: '2026-11-20T12:00:00.000Z',
    account: { name: 'Ada', email: 'ada@example.org' },
    preferences: {
      time_zone: 'UTC',
      time_zone_follows_browser: true,
      day_start: 0,
      week_start: 1,
      theme: 'system',
      todos_sort: 'newest',
      start_page: 'todos',
      focus_plan: defaultPlan,
    },
    ...emptyCollections(fileRows),
    ...lists,
  }
}
