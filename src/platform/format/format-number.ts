/** '93%'. Never 100 unless everything is done, and never 0 unless nothing is. */
export function formatPercent({ done, due }: { done: number; due: number }): string {
  const rounded = Math.round((done / due) * 100)
  const percent = done === due ? 100 : done === 0 ? 0 : Math.min(99, Math.max(1, rounded))
  return `${percent}%`
}

/** For a number in running text, such as '1,204'. */
export const integerFormat = new Intl.NumberFormat('en-GB')
