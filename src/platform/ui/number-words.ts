/** '93%'. What is not all is never called 100, what is not nothing never 0. */
export function percentOf({ done, due }: { done: number; due: number }): string {
  const rounded = Math.round((done / due) * 100)
  const percent = done === due ? 100 : done === 0 ? 0 : Math.min(99, Math.max(1, rounded))
  return `${percent}%`
}

/** For a number in running text, such as '1,204'. */
export const inDigits = new Intl.NumberFormat('en-GB')
