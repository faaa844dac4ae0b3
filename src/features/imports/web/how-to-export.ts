/** What can be imported, and what somebody has to press to get the file, in the order in which it is offered. */
export const howToExport: readonly { source: string; name: string; how: string }[] = [
  {
    source: 'todoist',
    name: 'Todoist',
    how: 'Settings → Backups: download the latest backup (ZIP). Or one project: its menu → Export as CSV.',
  },
  {
    source: 'ticktick',
    name: 'TickTick',
    how: 'In the web app: Settings → Account → Backup & Restore → Generate Backup (CSV).',
  },
  {
    source: 'super-productivity',
    name: 'Super Productivity',
    how: 'Settings → Sync & Export → Export data (JSON), without encryption.',
  },
  { source: 'vikunja', name: 'Vikunja', how: 'Settings → Export your data from Vikunja (ZIP).' },
  {
    source: 'ics',
    name: 'Nextcloud, Thunderbird and other calendars',
    how: 'Download or export the calendar or list that holds your tasks (ICS).',
  },
  {
    source: 'google-tasks',
    name: 'Google Tasks',
    how: 'takeout.google.com: choose Tasks only (JSON, in a ZIP).',
  },
  {
    source: 'microsoft-to-do',
    name: 'Microsoft To Do',
    how: 'Save the answers of Graph Explorer for your lists and their tasks (JSON).',
  },
  { source: 'tududi', name: 'tududi', how: 'Profile → Backup → Export (JSON).' },
  {
    source: 'loop',
    name: 'Loop Habit Tracker',
    how: 'Settings → Export as CSV (ZIP). A full backup (.db) can’t be read.',
  },
  {
    source: 'habitica',
    name: 'Habitica',
    how: 'Settings → Site Data → Export your data: user data as JSON, or task history as CSV.',
  },
  { source: 'habittrove', name: 'HabitTrove', how: 'Its data folder: the file habits.json.' },
  { source: 'habitkit', name: 'HabitKit', how: 'Settings → Import & Export → Export data (JSON).' },
  { source: 'toggl', name: 'Toggl Track', how: 'Reports → Detailed → Export → CSV.' },
  { source: 'csv', name: 'Any table', how: 'Save it as CSV. You choose what its columns mean.' },
  { source: 'daymark', name: 'Daymark', how: 'Settings → Your data → Download.' },
]
