import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { createAuth } from '#features/account/server/auth.ts'
import { migrations } from '#platform/database/migrations/migrations.ts'
import { countPendingSteps, sqliteFile } from '#platform/database/opening/inspect.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { DatabaseError } from '#platform/database/storage/database-error.ts'
import { userTables } from '../row-kinds.ts'
import { existingSecret } from '../settings/auth-secret.ts'
import { type Configuration, type Environment, readConfiguration } from '../settings/configuration.ts'
import { setChangesToNow } from './changes.ts'
import { CommandError, type CommandResult, type Context, UsageError } from './command.ts'
import { runDoctor } from './doctor.ts'
import { listInvitations, withdraw } from './invitations.ts'
import { ownerProblem } from './owner.ts'
import { endEverySession, endSessions, listSessions } from './sessions.ts'
import { showSizes } from './sizes.ts'
import { addUser, closeUser, deleteUser, invite, listUsers, reopenUser, resetPassword } from './users.ts'

const usage = `npm run admin -- <command>

  users [--search TEXT]             everyone who has an account
  users add EMAIL [--name NAME]     a link for that person to create their account
  users reset EMAIL                 a link for that person to choose a new password
  users close EMAIL                 sign out everywhere and block sign-in; the data stays
  users reopen EMAIL                let that person sign in again
  users delete EMAIL [--yes]        permanently delete the account and everything in it
  sessions EMAIL                    where someone is signed in
  sessions end EMAIL | --all        sign one person, or everyone, out
  invite [--email EMAIL] [--days 7] a link for one person to create an account, even with SIGN_UP=closed
  invitations                       those not used yet
  invitations withdraw ID           withdraw one of them
  changes set-to-now [EMAIL]        after the clock was ahead: changes dated in the future become changes of now
  sizes                             what takes up space, by table and by account
  doctor                            check this Daymark and explain what is wrong

  --json                            for programs: npm run --silent admin -- users --json`

/**
 * Runs a command. Returns the exit code: 0 for success, 1 if the command was refused or found a fault, 2 if it was not
 * understood.
 */
export async function runAdmin(
  args: readonly string[],
  environment: Environment,
  terminal = ownTerminal,
): Promise<0 | 1 | 2> {
  const { say, warn } = terminal
  try {
    const { command, isJson } = commandOf(args)
    const result = await command(environment, terminal)
    say(isJson && 'json' in result ? JSON.stringify(result.json, undefined, 2) : result.text)
    return result.isFault ? 1 : 0
  } catch (error) {
    if (error instanceof UsageError) {
      warn(`${error.message}\n\n${usage}`)
      return 2
    }
    if (error instanceof CommandError) warn(error.message)
    else if (error instanceof DatabaseError) warn(`${error.message} (DATABASE_URL says where it is)`)
    else throw error
    return 1
  }
}

interface Terminal {
  say(text: string): void
  warn(text: string): void
  ask: Context['ask']
}

type Command = (
  environment: Environment,
  terminal: Terminal,
) => Promise<CommandResult & { isFault?: boolean }>

const options = {
  search: { type: 'string' },
  name: { type: 'string' },
  email: { type: 'string' },
  days: { type: 'string' },
  all: { type: 'boolean' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
} as const
type GivenOptions = ReturnType<typeof parse>['values']

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function commandOf(args: readonly string[]): { command: Command; isJson: boolean } {
  const { values, positionals } = parse(args)
  const [group = '', ...rest] = positionals
  const isJson = values.json === true
  if (group === 'doctor' && rest.length === 0) {
    onlyWith(values, [])
    return { command: runDoctor, isJson }
  }
  const work = workOf(group, rest, values)
  return { command: (environment, { ask }) => withDatabase(environment, ask, work), isJson }
}

type CommandWork = (context: Context) => Promise<CommandResult>

function workOf(group: string, rest: readonly string[], given: GivenOptions): CommandWork {
  const [verb = '', ...more] = rest
  const [target = ''] = more
  const isOne = target !== '' && more.length === 1
  if (group === 'users' && rest.length === 0) {
    onlyWith(given, ['search'])
    return (context) => listUsers(context, given.search)
  }
  if (group === 'users' && isOne) {
    if (verb === 'add') {
      onlyWith(given, ['name'])
      return (context) => addUser(context, target, given.name)
    }
    if (verb === 'delete') {
      onlyWith(given, ['yes'])
      return (context) => deleteUser(context, target, given.yes === true)
    }
    const plain = { reset: resetPassword, close: closeUser, reopen: reopenUser }
    if (isKeyOf(plain, verb)) {
      onlyWith(given, [])
      return (context) => plain[verb](context, target)
    }
  }
  if (group === 'sessions' && verb === 'end') {
    onlyWith(given, ['all'])
    if (given.all && more.length === 0) return endEverySession
    if (!given.all && isOne) return (context) => endSessions(context, target)
  }
  if (group === 'sessions' && verb !== '' && verb !== 'end' && more.length === 0) {
    onlyWith(given, [])
    return (context) => listSessions(context, verb)
  }
  if (group === 'invite' && rest.length === 0) {
    onlyWith(given, ['email', 'days'])
    const days = daysOf(given.days ?? '7')
    return (context) => invite(context, { email: given.email, days })
  }
  if (group === 'invitations' && (rest.length === 0 || (verb === 'withdraw' && isOne))) {
    onlyWith(given, [])
    return rest.length === 0 ? listInvitations : (context) => withdraw(context, target)
  }
  if (group === 'changes' && verb === 'set-to-now' && (more.length === 0 || isOne)) {
    onlyWith(given, [])
    return (context) => setChangesToNow(context, more[0])
  }
  if (group === 'sizes' && rest.length === 0) {
    onlyWith(given, [])
    return showSizes
  }
  throw new UsageError(group === '' ? 'Name a command.' : `"${[group, ...rest].join(' ')}" is not a command.`)
}

function onlyWith(given: GivenOptions, allowed: readonly (keyof GivenOptions)[]): void {
  const names = Object.keys(given).filter((name) => name !== 'json')
  const unknown = names.find((name) => !allowed.some((each) => each === name))
  if (unknown !== undefined) throw new UsageError(`--${unknown} is not an option of this command.`)
}

function daysOf(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  throw new UsageError(`--days must be a whole number from 1 to 99, not "${text}"`)
}

function isKeyOf<T extends object>(object: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(object, key)
}

async function withDatabase(
  environment: Environment,
  ask: Context['ask'],
  work: CommandWork,
): Promise<CommandResult> {
  const reading = readConfiguration(environment)
  if ('wrong' in reading) throw new CommandError(reading.wrong)
  const { configuration } = reading
  const { databaseUrl, directUrl } = configuration
  const file = sqliteFile(databaseUrl)
  const problem = file === undefined ? undefined : ownerProblem(file)
  if (problem !== undefined) throw new CommandError(problem)
  // Only the server updates the database, since it keeps a copy first and reports its progress.
  if ((await countPendingSteps(databaseUrl, migrations)) > 0) {
    throw new CommandError('The database is older than this program: start Daymark once, which updates it.')
  }
  const database = await openDatabase(databaseUrl, migrations, { directUrl, poolSize: 2 })
  try {
    return await work({
      database,
      databaseUrl,
      now: Date.now(),
      linkTo: (page, token) => linkTo(configuration, page, token),
      auth: async () => {
        const { baseUrl } = configuration
        const silent = pino({ level: 'silent' })
        return createAuth(database, { secret: await secretOf(configuration), baseUrl, userTables }, silent)
      },
      ask,
    })
  } finally {
    await database.close()
  }
}

/** Reads the secret. Never creates one, because it would differ from the secret that the server creates. */
async function secretOf({ secret }: Configuration): Promise<string> {
  const value = 'value' in secret ? secret.value : await existingSecret(secret.file)
  if (value === undefined)
    throw new CommandError('Daymark has no secret yet: start it once, which makes one.')
  return value
}

function linkTo({ baseUrl, port }: Configuration, page: string, token: string): string {
  const link = new URL(page, baseUrl ?? `http://localhost:${port}`)
  link.searchParams.set('token', token)
  if (baseUrl !== undefined) return link.href
  return `${link.href}\nIt works on this machine only. Set BASE_URL to the address at which others reach Daymark.`
}

const ownTerminal: Terminal = {
  say: (text) => void process.stdout.write(`${text}\n`),
  warn: (text) => void process.stderr.write(`${text}\n`),
  async ask(question) {
    if (!process.stdin.isTTY) return undefined
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return await lines.question(question)
    } finally {
      lines.close()
    }
  },
}
