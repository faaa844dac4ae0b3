/** Under which the query of what `useReminders` reads is kept. */
export const remindersKey = (account: string) => ['reminders', account]
