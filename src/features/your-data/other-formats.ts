/** The formats for other apps, besides the file that contains everything. */
export const otherFormats = ['tasks-csv', 'completions-csv', 'sessions-csv', 'tasks-ics'] as const
export type OtherFormat = (typeof otherFormats)[number]
