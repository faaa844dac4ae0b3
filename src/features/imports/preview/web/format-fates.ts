import { integerFormat } from '#platform/format/format-number.ts'
import type { Fate } from '../fates.ts'
import type { PreviewLine } from './preview-lines.ts'

/** The names of the fates before and after the rows are written. */
export const fateNames: Record<'before' | 'after', Record<Fate, string>> = {
  before: { new: 'New', there: 'Already here', changed: 'Come changed', refused: 'Cannot come' },
  after: { new: 'Created', there: 'Already here', changed: 'Came changed', refused: 'Left out' },
}

/** The lines in a sentence: '286 new, 24 already here, 6 come changed, 2 cannot come'. */
export function formatLines(lines: readonly PreviewLine[], told: 'before' | 'after'): string {
  return lines
    .map(({ fate, count }) => `${integerFormat.format(count)} ${fateNames[told][fate].toLowerCase()}`)
    .join(', ')
}
