import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfiguration, settings } from './configuration.ts'

const mail = { SMTP_URL: 'smtp://user:pass@mail.example:587', BASE_URL: 'https://daymark.example' }
const postgres = 'postgres://daymark:pass@db.example/daymark'
const direct = 'postgres://daymark:pass@db.example:5433/daymark'
const secret = '0123456789abcdef0123456789abcdef'

describe('configuration', () => {
  it('has a default for everything', () => {
    expect(readConfiguration({})).toEqual({
      configuration: {
        host: '127.0.0.1',
        port: 3000,
        databaseUrl: 'sqlite:data/daymark.db',
        directUrl: undefined,
        poolSize: 10,
        baseUrl: undefined,
        secret: { file: resolve('data/auth-secret') },
        signUp: 'open',
        mail: undefined,
        pushTo: 'internet',
        proxies: 0,
        rateLimit: true,
        logLevel: 'info',
        place: { engine: 'sqlite', path: 'data/daymark.db', secretFile: resolve('data/auth-secret') },
        backups: { every: undefined, to: join('data', 'backups'), keep: { daily: 7, weekly: 4 } },
        metricsToken: undefined,
      },
      doubts: [],
    })
  })

  it('takes what the environment says', () => {
    expect(
      readConfiguration({
        ...mail,
        PORT: '8080',
        HOST: '::',
        DATABASE_URL: postgres,
        DATABASE_DIRECT_URL: direct,
        DATABASE_POOL_SIZE: '25',
        AUTH_SECRET: secret,
        SIGN_UP: 'closed',
        MAIL_FROM: 'Daymark <hello@daymark.example>',
        PUSH_TO: 'anywhere',
        TRUST_PROXY: 'on',
        RATE_LIMIT: 'off',
        LOG_LEVEL: 'warn',
        BACKUP_EVERY: '1d',
        BACKUP_TO: '/srv/backups',
        BACKUP_KEEP: '14 daily',
        METRICS_TOKEN: secret,
      }),
    ).toEqual({
      configuration: {
        host: '::',
        port: 8080,
        databaseUrl: postgres,
        directUrl: direct,
        poolSize: 25,
        baseUrl: 'https://daymark.example',
        secret: { value: secret },
        signUp: 'closed',
        mail: {
          url: mail.SMTP_URL,
          from: 'Daymark <hello@daymark.example>',
          baseUrl: 'https://daymark.example',
        },
        pushTo: 'anywhere',
        proxies: 1,
        rateLimit: false,
        logLevel: 'warn',
        place: { engine: 'postgres', directUrl: direct, secretFile: undefined },
        backups: { every: 86_400_000, to: '/srv/backups', keep: { daily: 14, weekly: 0 } },
        metricsToken: secret,
      },
      doubts: [],
    })
  })

  it('an empty value is as good as none', () => {
    const empty = Object.fromEntries(settings.map((name) => [name, name === 'PORT' ? ' ' : '']))
    expect(readConfiguration(empty)).toEqual(readConfiguration({}))
  })

  it.each([
    ['sqlite:my.db', 'auth-secret'],
    ['sqlite:./data/my.db', 'data/auth-secret'],
    ['sqlite:///var/lib/daymark/my.db', '/var/lib/daymark/auth-secret'],
    ['sqlite:/var/lib/daymark/my.db', '/var/lib/daymark/auth-secret'],
  ])('keeps the secret beside the data of %s', (url, file) => {
    expect(readConfiguration({ DATABASE_URL: url })).toMatchObject({
      configuration: { secret: { file: resolve(file) } },
    })
  })

  it.each([
    ['http://localhost:3000/', 'http://localhost:3000'],
    ['HTTPS://Daymark.Example', 'https://daymark.example'],
    ['https://daymark.example:443', 'https://daymark.example'],
  ])('reads BASE_URL=%s as the origin that a browser names', (given, origin) => {
    expect(readConfiguration({ BASE_URL: given })).toMatchObject({ configuration: { baseUrl: origin } })
  })

  it('mail is sent from the public host unless another sender is named', () => {
    expect(readConfiguration(mail)).toMatchObject({
      configuration: { mail: { from: 'Daymark <daymark@daymark.example>' } },
    })
  })

  it.each([
    ['off', 0],
    ['on', 1],
    ['2', 2],
  ])('TRUST_PROXY=%s', (given, proxies) => {
    expect(readConfiguration({ TRUST_PROXY: given })).toMatchObject({ configuration: { proxies } })
  })

  describe('a wrong value is named, with what is wrong about it, in one line', () => {
    const hidden = 'hunter2-hunter2'
    it.each<[Record<string, string>, string]>([
      [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535, not "http"'],
      [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535, not "65536"'],
      [{ PORT: '-1' }, 'PORT must be a whole number from 0 to 65535, not "-1"'],
      [{ PORT: '80.5' }, 'PORT must be a whole number from 0 to 65535, not "80.5"'],
      [
        { HOST: 'http://localhost' },
        'HOST must be an address or a name to listen on, such as 127.0.0.1 or ::, not "http://localhost"',
      ],
      [
        { HOST: '[::1]' },
        'HOST must be an address or a name to listen on, such as 127.0.0.1 or ::, not "[::1]"',
      ],
      [
        { HOST: '256.0.0.1' },
        'HOST must be an address or a name to listen on, such as 127.0.0.1 or ::, not "256.0.0.1"',
      ],
      [
        { DATABASE_URL: `mysql://root:${hidden}@db/x` },
        'DATABASE_URL must be sqlite:path/of/a/file.db or postgres://user:password@host/database',
      ],
      [
        { DATABASE_URL: 'data/daymark.db' },
        'DATABASE_URL must be sqlite:path/of/a/file.db or postgres://user:password@host/database',
      ],
      [
        { DATABASE_URL: 'sqlite:' },
        'DATABASE_URL must be sqlite:path/of/a/file.db or postgres://user:password@host/database',
      ],
      [
        { DATABASE_URL: 'sqlite::memory:' },
        'DATABASE_URL must be sqlite:path/of/a/file.db or postgres://user:password@host/database',
      ],
      [
        { DATABASE_URL: `postgres://root:${hidden}@db:port/x` },
        'DATABASE_URL is not a valid address: expected postgres://user:password@host/database',
      ],
      [
        { DATABASE_URL: 'sqlite:data/' },
        'DATABASE_URL names a folder; name a file in it, such as sqlite:data/daymark.db',
      ],
      ...['a#b', '1234#b'].map((before): [Record<string, string>, string] => [
        { DATABASE_URL: `postgres://root:${before}${hidden}@db/x` },
        'DATABASE_URL has a # in it; inside a password write it as %23',
      ]),
      ...['/', '?', '@/'].map((between): [Record<string, string>, string] => [
        { DATABASE_URL: `postgres://root:${hidden}${between}${hidden}@db/x` },
        'DATABASE_URL is not a valid address: inside a password write / as %2F, ? as %3F and @ as %40',
      ]),
      [
        { DATABASE_DIRECT_URL: 'sqlite:data/daymark.db' },
        'DATABASE_DIRECT_URL must be postgres://user:password@host/database',
      ],
      [
        { DATABASE_DIRECT_URL: `postgres://root:a#${hidden}@db/x` },
        'DATABASE_DIRECT_URL has a # in it; inside a password write it as %23',
      ],
      ...['many', '0', '501', '1.5'].map((size): [Record<string, string>, string] => [
        { DATABASE_POOL_SIZE: size },
        `DATABASE_POOL_SIZE must be a whole number from 1 to 500, not "${size}"`,
      ]),
      [
        { BACKUP_EVERY: 'daily' },
        'BACKUP_EVERY must be off or a number of hours or days such as 6h or 1d, not "daily"',
      ],
      [{ BACKUP_KEEP: 'many' }, 'BACKUP_KEEP must be such as "7 daily, 4 weekly", not "many"'],
      [
        { DATABASE_URL: postgres, AUTH_SECRET: secret, BACKUP_EVERY: '1d' },
        'BACKUP_TO is required with PostgreSQL: it names the folder that backups go to',
      ],
      [{ METRICS_TOKEN: 'a token' }, 'METRICS_TOKEN must have at least 32 characters, not 7'],
      [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be error or warn or info, not "loud"'],
      [
        { BASE_URL: 'daymark.example' },
        'BASE_URL must be an address such as https://daymark.example, not "daymark.example"',
      ],
      [
        { BASE_URL: 'ftp://daymark.example' },
        'BASE_URL must be an address such as https://daymark.example, not "ftp://daymark.example"',
      ],
      [
        { BASE_URL: 'https://' },
        'BASE_URL must be an address such as https://daymark.example, not "https://"',
      ],
      [
        { BASE_URL: 'https://example.org/daymark' },
        'BASE_URL must end after the host and port, as https://example.org, not "https://example.org/daymark"',
      ],
      [
        { BASE_URL: 'https://example.org/?a=1' },
        'BASE_URL must end after the host and port, as https://example.org, not "https://example.org/?a=1"',
      ],
      [{ BASE_URL: `https://me:${hidden}@example.org` }, 'BASE_URL must not hold a user or a password'],
      [{ AUTH_SECRET: hidden }, 'AUTH_SECRET must have at least 32 characters, not 15'],
      [
        { AUTH_SECRET: 'x'.repeat(64) },
        'AUTH_SECRET is too easy to guess: it has only 1 different character',
      ],
      [
        { AUTH_SECRET: 'secret'.repeat(12) },
        'AUTH_SECRET is too easy to guess: it has only 5 different characters',
      ],
      [
        { DATABASE_URL: postgres },
        'AUTH_SECRET is required with PostgreSQL: every process has to have the same one',
      ],
      [{ SIGN_UP: 'yes' }, 'SIGN_UP must be open or closed, not "yes"'],
      [{ SIGN_UP: 'Open' }, 'SIGN_UP must be open or closed, not "Open"'],
      [
        { SMTP_URL: mail.SMTP_URL },
        'BASE_URL is required with SMTP_URL: links in mail are never built from a request',
      ],
      [
        { ...mail, SMTP_URL: `https://${hidden}@mail` },
        'SMTP_URL must be an address such as smtp://user:password@host:587',
      ],
      [{ ...mail, SMTP_URL: 'smtp://' }, 'SMTP_URL must be an address such as smtp://user:password@host:587'],
      [
        { ...mail, MAIL_FROM: 'Daymark' },
        'MAIL_FROM must be an address such as Daymark <daymark@example.com>',
      ],
      [
        { MAIL_FROM: 'a@b\r\nBcc: c@d' },
        'MAIL_FROM must be an address such as Daymark <daymark@example.com>',
      ],
      [
        { TRUST_PROXY: 'yes' },
        'TRUST_PROXY must be off, on or the number of proxies in front (1 to 9), not "yes"',
      ],
      [
        { TRUST_PROXY: '0' },
        'TRUST_PROXY must be off, on or the number of proxies in front (1 to 9), not "0"',
      ],
      [{ PUSH: 'no' }, 'PUSH must be on or off, not "no"'],
      [{ PUSH: 'off', PUSH_TO: 'home' }, 'PUSH_TO must be internet or anywhere, not "home"'],
      [{ PUSH_TO: 'home' }, 'PUSH_TO must be internet or anywhere, not "home"'],
      [{ RATE_LIMIT: 'false' }, 'RATE_LIMIT must be on or off, not "false"'],
    ])('%o', (environment, line) => {
      expect(readConfiguration(environment)).toEqual({ wrong: line })
      expect(line).not.toContain(hidden)
    })
  })
})

it('a variable that looks like a misspelt setting is told, and never with its value', () => {
  expect(readConfiguration({ SIGNUP: 'closed' })).toMatchObject({
    configuration: { signUp: 'open' },
    doubts: ['SIGNUP is set, but Daymark does not know it: did you mean SIGN_UP?'],
  })
})

it('a setting can be read from the file that its name with _FILE says, and a missing file is told', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'port')
  writeFileSync(file, '4711\n')
  expect(readConfiguration({ PORT: '', PORT_FILE: file })).toMatchObject({ configuration: { port: 4711 } })
  expect(readConfiguration({ PORT_FILE: `${file}-not-there` })).toEqual({
    wrong: `PORT_FILE names a file that cannot be read: ${file}-not-there`,
  })
})
