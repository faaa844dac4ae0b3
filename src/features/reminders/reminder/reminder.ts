import * as z from 'zod/mini'

const timeProblem = 'Expected minutes after midnight, 0 to 1439'

/** When a person is reminded of a habit: at a time on their own clock, on some weekdays or all (1 is Monday). */
export const reminderSchema = z.object({
  time: z.int(timeProblem).check(z.minimum(0, timeProblem), z.maximum(1439, timeProblem)),
  weekdays: z
    .array(z.literal([1, 2, 3, 4, 5, 6, 7], 'Expected weekdays from 1 (Monday) to 7 (Sunday)'))
    .check(
      z.minLength(1, 'Choose at least one day'),
      z.refine(
        (days) => days.every((day, place) => place === 0 || day > (days[place - 1] ?? 0)),
        'Expected each weekday once, in their order',
      ),
    ),
})
export type Reminder = z.infer<typeof reminderSchema>

export function isSameReminder(one: Reminder | null, other: Reminder | null): boolean {
  return one?.time === other?.time && one?.weekdays.join() === other?.weekdays.join()
}
