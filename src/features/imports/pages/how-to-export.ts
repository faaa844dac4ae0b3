/** The apps from which files can be imported, in the order of the screen, and how to get the file out of each. */
export const howToExport: readonly { source: string; name: string; how: string }[] = [
  {
    source: 'todoist',
    name: 'Todoist',
    how: 'Settings → Backups: download a backup (ZIP). Or the menu of one project: Export as CSV.',
  },
  { source: 'ticktick', name: 'TickTick', how: 'In the web app: Settings → Backup, Generate Backup (CSV).' },
  {
    source: 'super-productivity',
    name: 'Super Productivity',
    how: 'In its settings: export your data to a file (JSON), without encryption.',
  },
  { source: 'vikunja', name: 'Vikunja', how: 'In your user settings: export your data (ZIP).' },
  {
    source: 'ics',
    name: 'Nextcloud, Thunderbird and others',
    how: 'Download or export the list or calendar that your tasks are in (ICS).',
  },
  {
    source: 'google-tasks',
    name: 'Google Tasks',
    how: 'At takeout.google.com: choose Tasks, and download the archive (ZIP, or Tasks.json in it).',
  },
  {
    source: 'microsoft-todo',
    name: 'Microsoft To Do',
    how: 'It has no export of its own. What its API (Microsoft Graph) answers for your lists and tasks can be read (JSON).',
  },
  { source: 'tududi', name: 'tududi', how: 'In its settings: export a backup (JSON).' },
  { source: 'loop', name: 'Loop Habit Tracker', how: 'Settings → Export as CSV (ZIP).' },
  {
    source: 'habitica',
    name: 'Habitica',
    how: 'In its settings, under your data: user data (JSON), or task history (CSV).',
  },
  { source: 'habittrove', name: 'HabitTrove', how: 'In its folder data: the file habits.json.' },
  { source: 'habitkit', name: 'HabitKit', how: 'In its settings: export a backup (JSON).' },
  { source: 'toggl', name: 'Toggl Track', how: 'Reports → Detailed: export as CSV.' },
  {
    source: 'things',
    name: 'Things',
    how: 'It has no export. On a Mac, copy the to-dos of a list into a spreadsheet, below a cell that says Title, and save it as CSV.',
  },
  { source: 'csv', name: 'Any table (CSV)', how: 'Save it as CSV. You choose what its columns mean.' },
  { source: 'daymark', name: 'Daymark', how: 'Settings → Your data → Download (JSON).' },
]
