import type { ReminderSubject } from '#features/reminders/reminder/push-message.ts'
import { type Day, dayFromNumber, dayNumber } from '#platform/calendar/day.ts'
import type { HabitTrack } from '../rhythm/habit-track.ts'
import { resultOf } from '../rhythm/period-result.ts'
import { periodOn } from '../rhythm/periods.ts'
import { isSummed, isWeekly, spanOn } from '../rhythm/rhythm.ts'

/** What a reminder says about a habit that is left to do on that day (`isLeftToDo`). */
export function reminderSubjectOf(track: HabitTrack, day: Day): ReminderSubject {
  const number = dayNumber(day)
  const { rhythm, target } = spanOn(track.spans, number)
  const ofDay = { asks: 'day', isLimit: false, lastDay: day } as const
  if (target !== 'yes' && target.at === 'most') return { ...ofDay, isLimit: true, soFar: null }
  const period = periodOn(track, number)
  if (!period) return { ...ofDay, soFar: null }
  const { counts, reached, target: asked } = resultOf(track, period, number)
  const lastDay = dayFromNumber(period.last)
  if (isWeekly(rhythm, target)) return { asks: 'week', isLimit: false, lastDay, soFar: null }
  if (target !== 'yes' && counts === 'at least') {
    const soFar = reached > 0 ? { reached, target: asked, unit: target.unit } : null
    return isSummed(target) ? { asks: target.per, isLimit: false, lastDay, soFar } : { ...ofDay, soFar }
  }
  if (!('times' in rhythm)) return { ...ofDay, soFar: null }
  const within = 'per' in rhythm ? rhythm.per : rhythm.days
  return { ...ofDay, soFar: { reached, target: asked, within } }
}
