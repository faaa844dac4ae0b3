/** Formats a share, such as '93%'. Never 100 unless everything is done, and never 0 unless nothing is. */
export function formatPercent({ done, due }: { done: number; due: number }): string {
  const rounded = Math.round((done / due) * 100)
  const percent = done === due ? 100 : done === 0 ? 0 : Math.min(99, Math.max(1, rounded))
  return `${percent}%`
}

/** Formats a number for running text, such as '1,204'. */
export const integerFormat = {
  format(number: number): string {
    // Avoids Intl for short numbers: its first use costs a slow phone a tenth of a second, and a first screen has no longer
    // numbers.
    return Number.isInteger(number) && Math.abs(number) < 1000 ? `${number}` : withCommas().format(number)
  },
}

let commas: Intl.NumberFormat | undefined

function withCommas(): Intl.NumberFormat {
  commas ??= new Intl.NumberFormat('en-GB')
  return commas
}
