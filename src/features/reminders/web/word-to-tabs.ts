/** What the service worker says to the open tabs. */
export type WordToTabs =
  /** What was pressed on a notification has changed something of the user's on the server. */
  | { daymark: 'changed'; user: string }
  /** A notification was pressed: go to this page. */
  | { daymark: 'open'; url: string }
