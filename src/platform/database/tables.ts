import type { Day, Instant } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Engine } from './migrations/migration-step.ts'

/** Every table. Ours hold text, integers and reals only, so that nothing of an engine leaks into a store. */
export interface Tables {
  user: UserTable
  session: SessionTable
  account: AccountTable
  verification: VerificationTable
  rateLimit: RateLimitTable
  sign_ups: SignUpsTable
  invitations: InvitationsTable
  deleted_accounts: DeletedAccountsTable
  closed_accounts: ClosedAccountsTable
  todos: TodosTable
  preferences: PreferencesTable
  habits: HabitsTable
  completions: CompletionsTable
  habit_years: HabitYearsTable
  focus_sessions: FocusSessionsTable
  focus_days: FocusDaysTable
  focus_timers: FocusTimersTable
  pictures: PicturesTable
  alarms: AlarmsTable
  push_devices: PushDevicesTable
  mail_reminders: MailRemindersTable
  deliveries: DeliveriesTable
  push_keys: PushKeysTable
  revisions: RevisionsTable
}

/** better-auth's tables keep its own types, which differ by engine: SQLite gives the first, PostgreSQL the second. */
export type AuthInstant = string | Date
type AuthFlag = number | boolean

export function instantOfAuth(stored: AuthInstant): Instant {
  return typeof stored === 'string' ? Date.parse(stored) : stored.getTime()
}

export function instantForAuth(engine: Engine, instant: Instant): AuthInstant {
  const date = new Date(instant)
  return engine === 'sqlite' ? date.toISOString() : date
}

interface UserTable {
  id: string
  name: string
  email: string
  emailVerified: AuthFlag
  image: string | null
  createdAt: AuthInstant
  updatedAt: AuthInstant
}

interface SessionTable {
  id: string
  expiresAt: AuthInstant
  token: string
  createdAt: AuthInstant
  updatedAt: AuthInstant
  ipAddress: string | null
  userAgent: string | null
  userId: string
}

interface AccountTable {
  id: string
  accountId: string
  providerId: string
  userId: string
  accessToken: string | null
  refreshToken: string | null
  idToken: string | null
  accessTokenExpiresAt: AuthInstant | null
  refreshTokenExpiresAt: AuthInstant | null
  scope: string | null
  password: string | null
  createdAt: AuthInstant
  updatedAt: AuthInstant
}

interface VerificationTable {
  id: string
  identifier: string
  value: string
  expiresAt: AuthInstant
  createdAt: AuthInstant
  updatedAt: AuthInstant
}

interface RateLimitTable {
  id: string
  key: string
  count: number
  lastRequest: Instant
}

/** An account that is made once the link of a mail is followed. Of secrets, hashes alone. */
interface SignUpsTable {
  token_hash: string
  email: string
  name: string
  password_hash: string
  /** The browser in which the password was chosen. */
  device_hash: string
  expires_at: Instant
}

/** Accounts that are being deleted: nobody gets into them any more, and their rows go one after the other. */
interface DeletedAccountsTable {
  user_id: string
}

/** What lets one person make an account, whoever else may: of its token, the hash alone. */
interface InvitationsTable {
  token_hash: string
  /** In lower case; null where it is for whoever has the link. */
  email: string | null
  name: string | null
  made_at: Instant
  expires_at: Instant
}

/** Those who cannot sign in until they are opened again. */
interface ClosedAccountsTable {
  user_id: string
  closed_at: Instant
}

/** Each changeable field has the instant of its last change beside it: whoever changed last, wins. */
interface TodosTable {
  user_id: string
  id: string
  title: string
  title_at: Instant
  completed: 0 | 1
  completed_on: Day | null
  completed_at: Instant | null
  completed_changed_at: Instant
  due_day: Day | null
  due_day_at: Instant
  remind_at: Instant | null
  remind_changed_at: Instant
  /** The instant of the reminder that was last said, or skipped: it is not said again, whatever arrives late. */
  reminded_at: Instant | null
  created_at: Instant
  updated_at: Instant
  /** null while it is not deleted */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

interface PreferencesTable {
  user_id: string
  time_zone: string
  time_zone_follows_browser: 0 | 1
  time_zone_at: Instant
  day_start: number
  day_start_at: Instant
  week_start: WeekStart
  week_start_at: Instant
  theme: 'system' | 'light' | 'dark'
  theme_at: Instant
}

interface HabitsTable {
  user_id: string
  id: string
  name: string
  name_at: Instant
  description: string
  description_at: Instant
  frequency: 'daily' | 'weekly'
  frequency_at: Instant
  start_day: Day
  /** Minutes after local midnight; null where nobody is to be reminded. */
  reminder_time: number | null
  /** Such as '12345', Monday to Friday; there exactly where a time is. */
  reminder_weekdays: string | null
  reminder_changed_at: Instant
  /** What the completions before `earlier_from` come to, summed up for this rhythm; null until they are summed up again. */
  earlier_rhythm: string | null
  earlier_from: Day | null
  earlier_run: number | null
  earlier_longest: number | null
  created_at: Instant
  updated_at: Instant
  /** null while it is not deleted */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

/** A completion that was taken back stays as a row that is not done, with the instant of that. */
interface CompletionsTable {
  user_id: string
  habit_id: string
  day: Day
  done: 0 | 1
  changed_at: Instant
}

/** What the completions of a whole year are, whatever the rhythm; gone as soon as one of them changes. */
interface HabitYearsTable {
  user_id: string
  habit_id: string
  year: number
  /** as `packed-year.ts` packs them */
  days: string
}

interface FocusSessionsTable {
  user_id: string
  id: string
  /** whole seconds */
  duration: number
  started_at: Instant
  ended_at: Instant
  /** the last of its days, on which it counts */
  ended_on: Day
  created_at: Instant
  updated_at: Instant
  /** null while it is not deleted */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

/** The seconds of a session on each of its days add up to its duration. */
interface FocusDaysTable {
  user_id: string
  session_id: string
  day: Day
  seconds: number
}

/** The one timer of all devices of a user. */
interface FocusTimersTable {
  user_id: string
  /** as it travels, in JSON */
  timer: string
  changed_at: Instant
}

interface PicturesTable {
  user_id: string
  /** another one with every picture */
  id: string
  /** base64 */
  webp: string
}

/** What there is to be reminded of: a habit at its time, a habit that was put off, a todo. */
export type AlarmKind = 'habit' | 'habit-later' | 'todo'

/** At most one alarm of each kind for a row: where the next is not known yet, the one that is due by now. */
interface AlarmsTable {
  user_id: string
  kind: AlarmKind
  row_id: string
  due_at: Instant
  /** of a habit: the day on the wall calendar that was reminded of last */
  reminded_on: Day | null
  /** of a habit that was put off: the day that it is about */
  day: Day | null
}

/** A browser that may be pushed to: one to a sign-in session, with which it ends. */
interface PushDevicesTable {
  user_id: string
  id: string
  session_id: string
  endpoint: string
  p256dh: string
  auth: string
  added_at: Instant
  last_at: Instant | null
  last_outcome: 'delivered' | 'refused' | 'unreachable' | null
}

/** Those who are reminded by mail as well. */
interface MailRemindersTable {
  user_id: string
}

/** A reminder on its way to one device, or into one mailbox; gone once it is there or given up. */
interface DeliveriesTable {
  user_id: string
  kind: AlarmKind
  row_id: string
  /** a device's id, or 'mail' */
  target: string
  /** of a habit: the day that it is about */
  day: Day | null
  due_at: Instant
  /** not before; while it is claimed: when the claim ends */
  send_at: Instant
  tries: number
  /** whose it is until `send_at` */
  claim: string | null
}

/** One row: the pair of keys by which push services know this Daymark. */
interface PushKeysTable {
  id: 1
  public_key: string
  private_key: string
}

interface RevisionsTable {
  user_id: string
  /** Another one with every write of the user. */
  revision: string
}
