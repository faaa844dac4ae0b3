import { dirname } from 'node:path'
import { DatabaseRefusal } from '#platform/database/database-refusal.ts'
import { type Look, lookAtDatabase, sqliteFile } from '#platform/database/inspect.ts'
import { migrations } from '#platform/database/migrations/migrations.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { problemOfSecret, secretMadeBefore } from '../auth-secret.ts'
import { newestBackup } from '../backups/make-backup.ts'
import { type Configuration, type Environment, readConfiguration } from '../configuration.ts'
import { doctorKey, type Seen } from '../doctor-endpoint.ts'
import type { Told } from './command.ts'
import { type Outside, outside } from './outside.ts'
import { problemOfOwner } from './owner.ts'
import { megabytes, plural } from './words.ts'

/** What was looked at, and what is wrong with it; undefined where it is well. */
export interface Finding {
  of: string
  fault: string | undefined
}

const second = 1_000
const hour = 3_600_000
// A minute off, reminders come a minute late; more than that, and other programs begin to refuse.
const mostDrift = 60 * second
// The longest that any one check is waited for.
const patience = 10 * second

/** Those that browsers of today push through. */
const pushServices = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com']

export async function examine(environment: Environment): Promise<Told & { isFault: boolean }> {
  const findings = await findFaults(environment, outside)
  const faults = findings.filter(({ fault }) => fault !== undefined).length
  const lines = findings.map(({ of, fault }) => (fault === undefined ? `✓ ${of}` : `✗ ${of}: ${fault}`))
  const verdict = faults === 0 ? 'All is well.' : `${plural(faults, 'thing')} to fix.`
  return { says: [...lines, verdict].join('\n'), json: findings, isFault: faults > 0 }
}

/** Everything that can be wrong outside of the program, each looked at by itself and all of them at once. */
export async function findFaults(environment: Environment, world: Outside): Promise<Finding[]> {
  const reading = readConfiguration(environment)
  if ('wrong' in reading) return [{ of: 'Settings', fault: `${reading.wrong}.` }]
  const { configuration, doubts } = reading
  const looked = look(configuration.databaseUrl)
  const pushed = reachPushServices(world)
  const checks: Record<string, () => Promise<string | undefined>> = {
    Settings: async () => (doubts.length > 0 ? doubts.join(' ') : undefined),
    Database: async () => faultOfDatabase(await looked),
    ...(sqliteFile(configuration.databaseUrl) !== undefined && {
      Files: async () => faultOfFiles(configuration, world),
      Disk: async () => faultOfDisk(configuration, world),
    }),
    Secret: () => faultOfSecret(configuration, world),
    ...(configuration.backups?.every !== undefined && {
      Backups: () => faultOfBackups(configuration.backups, world),
    }),
    ...(configuration.mail && { Mail: () => faultOfMail(configuration, world) }),
    ...(configuration.pushTo === 'internet' && { Push: async () => faultOfPush(await pushed) }),
    Server: () => faultOfServer(configuration, world),
    Clock: async () => faultOfClock(await looked, await pushed, world),
  }
  return Promise.all(
    Object.entries(checks).map(async ([of, check]) => ({ of, fault: await inTime(check()) })),
  )
}

async function inTime(check: Promise<string | undefined>): Promise<string | undefined> {
  const waiting = new AbortController()
  const late = new Promise<string>((resolve) => {
    const timer = setTimeout(resolve, patience, `no answer within ${patience / second} seconds.`)
    waiting.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  try {
    return await Promise.race([check, late])
  } catch (error) {
    return `${reasonOf(error)}.`
  } finally {
    waiting.abort()
  }
}

/** The database, or why it cannot be looked at. */
type Looked = { look: Look } | { reason: string }

async function look(url: string): Promise<Looked> {
  try {
    return { look: await lookAtDatabase(url, migrations) }
  } catch (error) {
    if (error instanceof DatabaseRefusal) return { reason: `${error.message}.` }
    return { reason: `cannot be opened: ${reasonOf(error)}.` }
  }
}

function faultOfDatabase(looked: Looked): string | undefined {
  if ('reason' in looked) return looked.reason
  const { behind, damage } = looked.look
  if (damage !== undefined) return `damaged: ${damage}. Restore a backup.`
  return behind > 0 ? `${plural(behind, 'update')} behind; start Daymark once, which updates it.` : undefined
}

function faultOfFiles({ databaseUrl }: Configuration, world: Outside): string | undefined {
  return problemOfOwner(sqliteFile(databaseUrl) ?? '', world.user)
}

/** An update keeps a copy, and a deletion writes the file anew beside the old one. */
function faultOfDisk({ databaseUrl }: Configuration, world: Outside): string | undefined {
  const file = sqliteFile(databaseUrl) ?? ''
  const needed = Math.max(2 * world.bytesOf(file), 50e6)
  const free = world.freeBytes(dirname(file))
  if (free === undefined || free >= needed) return undefined
  return `${megabytes(free)} free, and an update or a deletion needs ${megabytes(needed)}.`
}

async function faultOfSecret({ secret }: Configuration, world: Outside): Promise<string | undefined> {
  // The one that is given was looked at with the other settings.
  if ('value' in secret) return undefined
  const mode = world.modeOf(secret.file)
  if (mode === undefined) return `${secret.file} is missing; start Daymark once, which makes it.`
  if ((mode & 0o077) !== 0) {
    return `${secret.file} can be read by others (mode ${mode.toString(8)}): chmod 600 it.`
  }
  const known = await secretMadeBefore(secret.file)
  const problem = problemOfSecret(known ?? '')
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
  const newest = await newestBackup(backups.to)
  if (!newest) return `there is none in ${backups.to}; the log of the server says why.`
  const hours = Math.floor((world.now() - newest.madeAt) / hour)
  // One may have been missed for a good reason, such as an update; it is made up for within the hour.
  if (world.now() - newest.madeAt <= 2 * backups.every) return undefined
  return `the newest is ${plural(hours, 'hour')} old; the log of the server says why none came after it.`
}

interface Reached {
  host: string
  answer: { at: number; serverTime: number | undefined } | { reason: string }
}

function reachPushServices(world: Outside): Promise<Reached[]> {
  return Promise.all(pushServices.map(async (host) => ({ host, answer: await world.reach(host) })))
}

function faultOfPush(reached: readonly Reached[]): string | undefined {
  const lost = reached.flatMap(({ host, answer }) =>
    'reason' in answer ? [`${host} (${answer.reason})`] : [],
  )
  return lost.length === 0 ? undefined : `cannot be reached: ${lost.join(', ')}.`
}

/** By whoever knows the time better: the database, which several processes share, and those who answer on the internet. */
function faultOfClock(looked: Looked, reached: readonly Reached[], world: Outside): string | undefined {
  const others = reached.flatMap(({ host, answer }) =>
    'serverTime' in answer && answer.serverTime !== undefined
      ? [{ name: host, drift: answer.at - answer.serverTime }]
      : [],
  )
  if ('look' in looked) others.unshift({ name: 'the database', drift: world.now() - looked.look.now })
  const off = others.find(({ drift }) => Math.abs(drift) > mostDrift)
  if (!off) return undefined
  return `${Math.round(Math.abs(off.drift) / second)} s ${off.drift < 0 ? 'behind' : 'ahead of'} ${off.name}.`
}

/** What a request that came as people's do looked like once it was there. */
async function faultOfServer(configuration: Configuration, world: Outside): Promise<string | undefined> {
  const { secret, baseUrl, host, port } = configuration
  const known = 'value' in secret ? secret.value : await secretMadeBefore(secret.file)
  if (known === undefined) return 'it has no secret yet, so it was never started.'
  const address = baseUrl ?? ownAddress(host, port)
  const seen = await world.askServer(address, doctorKey(known, world.now()))
  if ('reason' in seen) return `nothing answers at ${address}: ${seen.reason}.`
  if ('status' in seen) {
    return `what answers at ${address} (with ${seen.status}) is not this Daymark: another program, another secret, or a clock that is more than a minute off.`
  }
  return faultOfSeen(seen, address)
}

function faultOfSeen(seen: Seen, address: string): string | undefined {
  const { protocol, host } = new URL(address)
  const own = packageJson.version
  if (seen.version !== own) return `it runs ${seen.version}, but this is ${own}: restart it.`
  const proxies = `${seen.forwarded_for} ${seen.forwarded_for === 1 ? 'address' : 'addresses'}`
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
