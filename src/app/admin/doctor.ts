import { dirname } from 'node:path'
import { migrations } from '#platform/database/migrations/migrations.ts'
import {
  type Inspection,
  inspectDatabase,
  inspectFutureRows,
  sqliteFile,
} from '#platform/database/opening/inspect.ts'
import { DatabaseError } from '#platform/database/storage/database-error.ts'
import { wordFor } from '#platform/format/words.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { newestBackup } from '../backups/make-backup.ts'
import { doctorKey, type Seen } from '../operating/doctor-endpoint.ts'
import { tablesToMend } from '../row-kinds.ts'
import { existingSecret, problemOfSecret } from '../settings/auth-secret.ts'
import { type Configuration, type Environment, readConfiguration } from '../settings/configuration.ts'
import type { CommandResult } from './command.ts'
import { formatBytes } from './format.ts'
import { type Outside, outside } from './outside.ts'
import { ownerProblem } from './owner.ts'

/** One check of the doctor. `fault` is undefined if all is fine. `--json` prints the finding as it is. */
export interface Finding {
  of: string
  fault: string | undefined
}

const second = 1_000
const hour = 3_600_000
// The most milliseconds by which the clock may be wrong. With a minute, reminders come a minute late. With more, other programs
// begin to reject requests.
const maxDrift = 60 * second
// The longest time in milliseconds that any check may take.
const timeout = 10 * second

/** The services that today's browsers push through. */
const pushServices = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com']

export async function runDoctor(environment: Environment): Promise<CommandResult & { isFault: boolean }> {
  const findings = await findFaults(environment, outside)
  const faults = findings.filter(({ fault }) => fault !== undefined).length
  const lines = findings.map(({ of, fault }) => (fault === undefined ? `✓ ${of}` : `✗ ${of}: ${fault}`))
  const verdict = faults === 0 ? 'All is well.' : `${faults} ${wordFor(faults, 'thing')} to fix.`
  return { text: [...lines, verdict].join('\n'), json: findings, isFault: faults > 0 }
}

/** Checks everything outside the program that can go wrong, all at once and independently of each other. */
export async function findFaults(environment: Environment, world: Outside): Promise<Finding[]> {
  const reading = readConfiguration(environment)
  if ('wrong' in reading) return [{ of: 'Settings', fault: `${reading.wrong}.` }]
  const { configuration, doubts } = reading
  const inspecting = checkDatabase(configuration.databaseUrl)
  const sendsPush = configuration.pushTo !== 'nowhere'
  const isShared = sqliteFile(configuration.databaseUrl) === undefined
  const checkingPush = sendsPush ? checkPushServices(world) : Promise.resolve([])
  const checks: Record<string, () => Promise<string | undefined>> = {
    Settings: async () => (doubts.length > 0 ? doubts.join(' ') : undefined),
    Database: async () => faultOfDatabase(await inspecting),
    ...(!isShared && {
      Files: async () => faultOfFiles(configuration, world),
      Disk: async () => faultOfDisk(configuration, world),
    }),
    Secret: () => faultOfSecret(configuration, world),
    ...(configuration.backups?.every !== undefined && {
      Backups: () => faultOfBackups(configuration.backups, world),
    }),
    ...(configuration.mail && { Mail: () => faultOfMail(configuration, world) }),
    ...(configuration.pushTo === 'internet' && { Push: async () => faultOfPush(await checkingPush) }),
    Server: () => faultOfServer(configuration, world),
    // A server with its own SQLite file and no internet access knows no other clock to compare with.
    ...((sendsPush || isShared) && {
      Clock: async () => faultOfClock(await inspecting, await checkingPush, world),
    }),
    Changes: async () => faultOfChanges(configuration, await inspecting, world),
  }
  return Promise.all(
    Object.entries(checks).map(async ([of, check]) => ({ of, fault: await withinTimeout(check()) })),
  )
}

async function withinTimeout(check: Promise<string | undefined>): Promise<string | undefined> {
  const finished = new AbortController()
  const late = new Promise<string>((resolve) => {
    const timer = setTimeout(resolve, timeout, `no answer within ${timeout / second} seconds.`)
    finished.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  try {
    return await Promise.race([check, late])
  } catch (error) {
    return `${reasonOf(error)}.`
  } finally {
    finished.abort()
  }
}

/** The state of the database, or why it could not be inspected. */
type DatabaseCheck = { look: Inspection } | { reason: string }

async function checkDatabase(url: string): Promise<DatabaseCheck> {
  try {
    return { look: await inspectDatabase(url, migrations) }
  } catch (error) {
    if (error instanceof DatabaseError) return { reason: `${error.message}.` }
    return { reason: `cannot be opened: ${reasonOf(error)}.` }
  }
}

function faultOfDatabase(inspection: DatabaseCheck): string | undefined {
  if ('reason' in inspection) return inspection.reason
  const { behind, damage } = inspection.look
  if (damage !== undefined) return `damaged: ${damage}. Restore a backup.`
  return behind > 0
    ? `${behind} ${wordFor(behind, 'update')} behind; start Daymark once, which updates it.`
    : undefined
}

function faultOfFiles({ databaseUrl }: Configuration, world: Outside): string | undefined {
  return ownerProblem(sqliteFile(databaseUrl) ?? '', world.user)
}

/** Checks the free space: an update keeps a copy, and a deletion writes a new file beside the old one. */
function faultOfDisk({ databaseUrl }: Configuration, world: Outside): string | undefined {
  const file = sqliteFile(databaseUrl) ?? ''
  const needed = Math.max(2 * world.bytesOf(file), 50e6)
  const free = world.freeBytes(dirname(file))
  if (free === undefined || free >= needed) return undefined
  return `${formatBytes(free)} free, and an update or a deletion needs ${formatBytes(needed)}.`
}

async function faultOfSecret({ secret }: Configuration, world: Outside): Promise<string | undefined> {
  // A secret from the settings was checked together with the other settings.
  if ('value' in secret) return undefined
  const mode = world.modeOf(secret.file)
  if (mode === undefined) return `${secret.file} is missing; start Daymark once, which makes it.`
  if ((mode & 0o077) !== 0) {
    return `${secret.file} can be read by others (mode ${mode.toString(8)}): chmod 600 it.`
  }
  const value = await existingSecret(secret.file)
  const problem = problemOfSecret(value ?? '')
  return problem === undefined ? undefined : `the secret in ${secret.file} ${problem}.`
}

async function faultOfMail({ mail }: Configuration, world: Outside): Promise<string | undefined> {
  if (!mail) return undefined
  const { hostname } = new URL(mail.url)
  const failure = await world.trySmtp(mail.url)
  if (failure === undefined) return undefined
  if (failure.code === 'EAUTH') return `${hostname} refused the sign-in (${failure.response}).`
  return `${hostname} cannot be used: ${failure.code ?? failure.response ?? 'no reason given'}.`
}

async function faultOfBackups(
  backups: Configuration['backups'],
  world: Outside,
): Promise<string | undefined> {
  if (backups?.every === undefined) return undefined
  const newest = await newestBackup(backups.to, world.now())
  if (!newest) return `there is none in ${backups.to}; the log of the server says why.`
  const hours = Math.floor((world.now() - newest.madeAt) / hour)
  // One backup may have been missed for a good reason, such as an update. The server makes up for a missed backup within the
  // hour.
  if (world.now() - newest.madeAt <= 2 * backups.every) return undefined
  return `the newest is ${hours} ${wordFor(hours, 'hour')} old; the log of the server says why none came after it.`
}

interface PushServiceCheck {
  host: string
  result: { at: number; serverTime: number | undefined } | { reason: string }
}

function checkPushServices(world: Outside): Promise<PushServiceCheck[]> {
  return Promise.all(pushServices.map(async (host) => ({ host, result: await world.reach(host) })))
}

function faultOfPush(checks: readonly PushServiceCheck[]): string | undefined {
  const lost = checks.flatMap(({ host, result }) =>
    'reason' in result ? [`${host} (${result.reason})`] : [],
  )
  return lost.length === 0 ? undefined : `cannot be reached: ${lost.join(', ')}.`
}

/** Compares the clock with better clocks: the push services' clocks, and PostgreSQL's, which several processes share. */
function faultOfClock(
  inspection: DatabaseCheck,
  checks: readonly PushServiceCheck[],
  world: Outside,
): string | undefined {
  const others = checks.flatMap(({ host, result }) =>
    'serverTime' in result && result.serverTime !== undefined
      ? [{ name: host, drift: result.at - result.serverTime }]
      : [],
  )
  if ('look' in inspection) others.unshift({ name: 'the database', drift: world.now() - inspection.look.now })
  const off = others.find(({ drift }) => Math.abs(drift) > maxDrift)
  if (!off) return undefined
  return `${Math.round(Math.abs(off.drift) / second)} s ${off.drift < 0 ? 'behind' : 'ahead of'} ${off.name}.`
}

/** Looks for changes made while a clock was ahead. Those instants are not indexed, so many millions of rows take too long. */
async function faultOfChanges(
  { databaseUrl }: Configuration,
  inspection: DatabaseCheck,
  world: Outside,
): Promise<string | undefined> {
  if ('reason' in inspection || inspection.look.damage !== undefined || inspection.look.behind > 0) {
    return undefined
  }
  const { rows, users } = await inspectFutureRows(
    databaseUrl,
    tablesToMend,
    world.now(),
    AbortSignal.timeout(0.8 * timeout),
  )
  if (rows === 0) return undefined
  return `${rows} ${wordFor(rows, 'row')} of ${users.size} ${wordFor(users.size, 'account')} dated in the future by a clock that was ahead; once it is right, run changes set-to-now.`
}

/** Sends a request the way people's requests come, and checks how it arrived. */
async function faultOfServer(configuration: Configuration, world: Outside): Promise<string | undefined> {
  const { secret, baseUrl, host, port } = configuration
  const value = 'value' in secret ? secret.value : await existingSecret(secret.file)
  if (value === undefined) return 'it has no secret yet, so it was never started.'
  const address = baseUrl ?? ownAddress(host, port)
  const seen = await world.askServer(address, doctorKey(value, world.now()))
  if ('reason' in seen) return `nothing answers at ${address}: ${seen.reason}.`
  if ('status' in seen) {
    return `what answers at ${address} (with ${seen.status}) is not this Daymark: another program, another secret, or a clock that is more than a minute off.`
  }
  return faultInRequest(seen, address)
}

function faultInRequest(seen: Seen, address: string): string | undefined {
  const { protocol, host } = new URL(address)
  const own = packageJson.version
  if (seen.version !== own) return `it runs ${seen.version}, but this is ${own}: restart it.`
  const proxies = `${seen.forwarded_for} ${wordFor(seen.forwarded_for, 'address', 'addresses')}`
  if (seen.trusted_proxies === 0 && seen.forwarded_for > 0) {
    return 'requests arrive with X-Forwarded-For, but TRUST_PROXY is off: everybody shares one limit.'
  }
  if (seen.forwarded_for < seen.trusted_proxies) {
    return `TRUST_PROXY is ${seen.trusted_proxies}, but X-Forwarded-For names ${proxies}: whoever calls can claim any address.`
  }
  if (seen.forwarded_for > seen.trusted_proxies) {
    return `X-Forwarded-For names ${proxies}, but TRUST_PROXY is ${seen.trusted_proxies}: everybody shares one limit.`
  }
  if (seen.forwarded_proto !== null && `${seen.forwarded_proto}:` !== protocol) {
    return `BASE_URL is ${protocol.slice(0, -1)}, but the proxy says ${seen.forwarded_proto}.`
  }
  if (seen.host.toLowerCase() !== host) {
    return `the proxy passes ${seen.host} on as the host, not ${host}: have it keep the Host header.`
  }
  return undefined
}

function ownAddress(host: string, port: number): string {
  const everywhere = ['0.0.0.0', '::']
  const name = everywhere.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message.replace(/\s+/g, ' ').replace(/\.$/, '') : String(error)
}
