import type { Rhythm } from '#features/habits/rhythm/rhythm.ts'
import { times as inWords } from '#platform/format/words.ts'

const codes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
/** The most days that a rhythm can span. */
const mostDays = 366

/**
 * Reads a habit's rhythm from an iCalendar rule, 'FREQ=WEEKLY;BYDAY=MO,WE', or from a word such as 'weekly'. Undefined if Daymark
 * has no similar rhythm. `changed` gets the differences.
 */
export function rhythmOfRrule(written: string, changed: string[]): Rhythm | undefined {
  const parts = partsOf(written)
  const every = Math.max(1, Math.trunc(Number(parts.get('INTERVAL') ?? 1)) || 1)
  const weekdays = [...new Set((parts.get('BYDAY') ?? '').split(','))]
    .map((code) => codes.indexOf(code.trim()) + 1)
    .filter((day) => day > 0)
    .sort()
  const change = (rhythm: Rhythm) => {
    changed.push(`The rhythm “${written.trim()}” becomes ${wordsOf(rhythm)}`)
    return rhythm
  }
  switch (parts.get('FREQ')) {
    case 'DAILY': {
      if (weekdays.length > 0 && weekdays.length < 7) return onWeekdays(weekdays)
      return every <= mostDays ? { every } : change({ every: mostDays })
    }
    case 'WEEKLY': {
      if (every === 1) {
        return weekdays.length === 0 ? { times: 1, per: 'week' } : onWeekdays(weekdays)
      }
      const days = Math.min(mostDays, 7 * every)
      const rhythm = { times: Math.max(1, weekdays.length), days }
      return weekdays.length === 0 && days === 7 * every ? rhythm : change(rhythm)
    }
    case 'MONTHLY': {
      const times = Math.max(1, listOf(parts.get('BYMONTHDAY')).length, listOf(parts.get('BYDAY')).length)
      const isExact = every === 1 && !parts.has('BYMONTHDAY') && !parts.has('BYDAY')
      const rhythm: Rhythm =
        every === 1
          ? { times: Math.min(28, times), per: 'month' }
          : { times, days: Math.min(mostDays, 30 * every) }
      return isExact ? rhythm : change(rhythm)
    }
    case 'YEARLY':
      return change({ times: 1, days: mostDays })
    default:
      return undefined
  }
}

function partsOf(written: string): Map<string, string> {
  const rule = written
    .split(/[\r\n]+/)
    .filter((line) => !/^DTSTART/i.test(line.trim()))
    .join(';')
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
  if (/^[A-Z]+$/.test(rule)) return new Map([['FREQ', rule]])
  const pairs = rule.replaceAll('RRULE:', '').split(';')
  return new Map(pairs.map((pair) => [pair.split('=')[0]?.trim() ?? '', pair.split('=')[1]?.trim() ?? '']))
}

function listOf(value: string | undefined): string[] {
  return (value ?? '').split(',').filter((part) => part.trim() !== '')
}

function onWeekdays(weekdays: number[]): Rhythm {
  return weekdays.length === 7 ? { every: 1 } : { weekdays }
}

/** The rhythm in words: 'twice in 14 days'. */
function wordsOf(rhythm: Rhythm): string {
  if ('every' in rhythm) return rhythm.every === 1 ? 'daily' : `every ${rhythm.every} days`
  if ('weekdays' in rhythm) return `${rhythm.weekdays.length} weekdays`
  const times = rhythm.times === 2 ? 'twice' : inWords(rhythm.times)
  return 'per' in rhythm ? `${times} a ${rhythm.per}` : `${times} in ${rhythm.days} days`
}
