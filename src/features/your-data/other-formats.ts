/** What an account can be exported as, beside the file that has everything. */
export const otherFormats = ['tasks-csv', 'completions-csv', 'sessions-csv', 'tasks-ics'] as const
export type OtherFormat = (typeof otherFormats)[number]
