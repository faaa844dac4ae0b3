import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '#testing/runs.ts'
import { settings } from './configuration.ts'
import { doubtsAbout } from './misspelt-settings.ts'

const doubts = (environment: Record<string, string>) => doubtsAbout(environment, settings)

it.each([
  ['SIGNUP', 'SIGN_UP'],
  ['SIGN_UPS', 'SIGN_UP'],
  ['sign_up', 'SIGN_UP'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['AUTH_SECERT', 'AUTH_SECRET'],
  ['AUTHSECRET_FILE', 'AUTH_SECRET_FILE'],
  ['TRUSTPROXY', 'TRUST_PROXY'],
  ['RATE_LIMITS', 'RATE_LIMIT'],
  ['DAYMARK_SIGN_UP', 'SIGN_UP'],
  ['DAYMARK_BASE_URL_FILE', 'BASE_URL_FILE'],
])('%s is taken for a misspelt %s', (name, meant) => {
  expect(doubts({ [name]: 'hunter2' })).toEqual([
    `${name} is set, but Daymark does not know it: did you mean ${meant}?`,
  ])
})

it('nothing is said of settings, in a file or not, and of what is empty', () => {
  for (const name of settings) expect(doubts({ [name]: 'x', [`${name}_FILE`]: 'x' })).toEqual([])
  expect(doubts({ SIGNUP: ' ' })).toEqual([])
})

it('nothing is said of another spelling that counts all the same, as on Windows', () => {
  expect(doubts({ sign_up: 'closed', SIGN_UP: 'closed' })).toEqual([])
  expect(doubts({ SIGNUP: 'closed', SIGN_UP: 'open' })).toHaveLength(1)
})

const ofOthers = `
  HOME PATH PWD OLDPWD SHELL SHLVL TERM TERM_PROGRAM COLORTERM LANG LANGUAGE LC_ALL LC_CTYPE LOGNAME USER USERNAME MAIL
  MAILCHECK HISTFILE HISTSIZE HISTCONTROL HOSTNAME HOSTTYPE HOST_NAME OSTYPE MACHTYPE EDITOR VISUAL PAGER LESS LS_COLORS TMPDIR
  TZ DISPLAY DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_SESSION_ID SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION SSH_TTY
  SUDO_USER SUDO_UID SUDO_COMMAND BASH_ENV PS1 IFS POST SORT PORTS
  __CF_USER_TEXT_ENCODING XPC_SERVICE_NAME COMMAND_MODE HOMEBREW_PREFIX ITERM_PROFILE
  ALLUSERSPROFILE APPDATA COMPUTERNAME ComSpec HOMEDRIVE HOMEPATH LOCALAPPDATA NUMBER_OF_PROCESSORS OS Path PATHEXT
  PROCESSOR_ARCHITECTURE ProgramData ProgramFiles PSModulePath SystemRoot TEMP TMP USERPROFILE windir
  NODE_ENV NODE_VERSION NODE_OPTIONS NODE_COMPILE_CACHE YARN_VERSION DOMAIN container GPG_KEY
  KUBERNETES_SERVICE_HOST KUBERNETES_PORT KUBERNETES_PORT_443_TCP_ADDR DAYMARK_PORT DAYMARK_SERVICE_HOST DAYMARK_SERVICE_PORT
  DAYMARK_PORT_3000_TCP DAYMARK_PORT_3000_TCP_PROTO SMTP_PORT SMTP_SERVICE_HOST DATABASE_PORT DATABASE_HOST DATABASE_USER
  CI GITHUB_ACTIONS GITHUB_TOKEN GITHUB_BASE_REF GITHUB_HEAD_REF GITHUB_SERVER_URL GITHUB_API_URL RUNNER_TEMP ACTIONS_RUNTIME_URL
  INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID STATE_DIRECTORY CREDENTIALS_DIRECTORY MANAGERPID NOTIFY_SOCKET MAINPID LISTEN_FDS
  npm_command npm_config_cache npm_config_user_agent npm_execpath npm_lifecycle_event npm_node_execpath npm_package_name INIT_CWD
  POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB POSTGRES_PASSWORD_FILE PGHOST PGPORT PGUSER PGDATABASE PGPASSWORD REDIS_URL HTTP_URL
  HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy ALL_PROXY FORCE_COLOR NO_COLOR DEBUG SITE_URL HOME_URL SMTP_HOST SMTP_USER
`
  .trim()
  .split(/\s+/)

it('nothing is said of what systems, shells, containers and other programs set', () => {
  expect(doubts(Object.fromEntries(ofOthers.map((name) => [name, 'set'])))).toEqual([])
})

it('a long setting with one letter missing, too many, wrong or changed with the next is always found', () => {
  const long = settings.filter(({ length }) => length >= 6)
  const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ_')
  const slip = fc.constantFrom('missing', 'added', 'wrong', 'swapped')
  fc.assert(
    fc.property(fc.constantFrom(...long), fc.nat(), letter, slip, (setting, somewhere, other, how) => {
      const at = somewhere % (setting.length - 1)
      const [before, here, next, after] = [
        setting.slice(0, at),
        setting[at],
        setting[at + 1],
        setting.slice(at + 2),
      ]
      const name = {
        missing: `${before}${next}${after}`,
        added: `${before}${here}${other}${next}${after}`,
        wrong: `${before}${other}${next}${after}`,
        swapped: `${before}${next}${here}${after}`,
      }[how]
      fc.pre(name !== setting)
      expect(doubts({ [name]: 'x' })).toEqual([expect.stringMatching(`did you mean ${setting}\\?$`)])
    }),
    { numRuns: runs(10_000, 300) },
  )
})
