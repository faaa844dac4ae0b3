import { expect, test } from 'vitest'
import { formatNoInsights } from './format-insights.ts'

test('if nothing stood out, it says what is compared and what is missing, not that nothing differs', () => {
  expect(formatNoInsights({ withFocus: 1, without: 89 })).toBe(
    'No insights yet. Once there are at least 14 days of each kind, Daymark compares weekdays with weekends, and days with a focus session with days without one. So far you have 1 day with a focus session and 89 without.',
  )
  expect(formatNoInsights({ withFocus: 14, without: 14 })).toMatch(
    /^No insights yet\. .* Differences too large to be due to chance/,
  )
})
