import { getMigrations } from 'better-auth/db/migration'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { authOptions } from './better-auth.ts'

describeEachEngine('better-auth as it is set up here', (openEmpty) => {
  it('finds every table and column that it needs', async () => {
    const settings = { secret: 'x'.repeat(32), baseUrl: undefined, deleteAccount: async () => {} }
    const options = authOptions(await openEmpty(), settings, pino({ level: 'silent' }))
    const { toBeCreated, toBeAdded } = await getMigrations(options)
    expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] })
  })

  it('logs a failure without the address of a person', async () => {
    const lines: string[] = []
    const log = pino({ base: undefined }, { write: (line: string) => lines.push(line) })
    const settings = { secret: 'x'.repeat(32), baseUrl: undefined, deleteAccount: async () => {} }
    const { logger } = authOptions(await openEmpty(), settings, log)
    logger.log('error', 'Failed for ada@example.org', new Error('Key (email)=(ada@example.org) exists'))
    expect(lines.join()).toContain('better-auth: Failed for (address)')
    expect(lines.join()).toContain('"type":"Error"')
    expect(lines.join()).not.toContain('ada@')
  })
})
