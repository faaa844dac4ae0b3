/** The state of a day: the first of these that applies. */
export const dayStates = ['done', 'skipped', 'paused', 'not_due', 'unknown', 'open', 'missed'] as const
export type DayState = (typeof dayStates)[number]
