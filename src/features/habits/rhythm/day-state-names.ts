/** What a day is: the first of these that holds. */
export const dayStates = ['done', 'skipped', 'paused', 'not_due', 'unknown', 'open', 'missed'] as const
export type DayState = (typeof dayStates)[number]
