import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfiguration } from './configuration.ts'

const mail = { SMTP_URL: 'smtp://user:pass@mail.example:587', BASE_URL: 'https://daymark.example' }
const postgres = 'postgres://daymark:pass@db.example/daymark'
const secret = '0123456789abcdef0123456789abcdef'

describe('configuration', () => {
  it('has a default for everything', () => {
    expect(readConfiguration({})).toEqual({
      configuration: {
        host: '127.0.0.1',
        port: 3000,
        databaseUrl: 'sqlite:data/daymark.db',
        baseUrl: undefined,
        secret: { file: resolve('data/auth-secret') },
        signUp: 'open',
        mail: undefined,
        pushTo: 'internet',
        proxies: 0,
        rateLimit: true,
      },
    })
  })

  it('takes what the environment says', () => {
    expect(
      readConfiguration({
        ...mail,
        PORT: '8080',
        HOST: '::',
        DATABASE_URL: postgres,
        AUTH_SECRET: secret,
        SIGN_UP: 'closed',
        MAIL_FROM: 'Daymark <hello@daymark.example>',
        PUSH_TO: 'anywhere',
        TRUST_PROXY: 'on',
        RATE_LIMIT: 'off',
      }),
    ).toEqual({
      configuration: {
        host: '::',
        port: 8080,
        databaseUrl: postgres,
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
      },
    })
  })

  it('an empty value is as good as none', () => {
    const empty = Object.fromEntries(
      [
        'PORT',
        'HOST',
        'DATABASE_URL',
        'BASE_URL',
        'AUTH_SECRET',
        'SIGN_UP',
        'SMTP_URL',
        'MAIL_FROM',
        'PUSH_TO',
        'TRUST_PROXY',
        'RATE_LIMIT',
      ].map((name) => [name, name === 'PORT' ? ' ' : '']),
    )
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
      [{ PUSH_TO: 'home' }, 'PUSH_TO must be internet or anywhere, not "home"'],
      [{ RATE_LIMIT: 'false' }, 'RATE_LIMIT must be on or off, not "false"'],
    ])('%o', (environment, line) => {
      expect(readConfiguration(environment)).toEqual({ wrong: line })
      expect(line).not.toContain(hidden)
    })
  })
})
