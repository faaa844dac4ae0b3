/** The key of the query that `useReminders` runs. */
export const remindersKey = (account: string) => ['reminders', account]
