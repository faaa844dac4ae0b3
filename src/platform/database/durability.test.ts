import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { randomBelow, runs } from '../../../testing/runs.ts'
import { openDatabase } from './opening/open-database.ts'
import { describeEachEngineUrl } from './testing/engines.ts'

describeEachEngineUrl('Killed at any moment', (emptyUrl, engine) => {
  // On SQLite the kills fall between the steps of commits that many writes share.
  const kills = runs(60, engine === 'sqlite' ? 3 : 1)

  test('every acknowledged write survives a kill, and none by half', async () => {
    const url = await emptyUrl()
    const answered: string[] = []
    const below = randomBelow()
    for (let round = 0; round < kills; round++) {
      const moment = below(100)
      const before = answered.length
      answered.push(...(await writeUntilKilled(url, round, moment)))
      expect(answered.length, 'some writes were answered').toBeGreaterThan(before)

      const db = await openDatabase(url)
      const rows = await db.read.selectFrom('user').select('id').execute()
      await db.close()
      const stored = new Set(rows.map((row) => row.id))
      const missing = answered.filter(
        (write) => !stored.has(`${write} first`) || !stored.has(`${write} second`),
      )
      const halves = [...stored].filter((id) => !stored.has(otherHalf(id)))
      expect({ missing, halves }, `killed ${moment} ms after its first answer`).toEqual({
        missing: [],
        halves: [],
      })
    }
  })
})

/** The writes that were acknowledged before the process was killed, `moment` milliseconds after the first acknowledgment. */
async function writeUntilKilled(url: string, round: number, moment: number): Promise<string[]> {
  const script = fileURLToPath(new URL('testing/write-until-killed.ts', import.meta.url))
  const child = spawn(process.execPath, [script, url, `${round}`], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), closed])
  await pause(moment)
  child.kill('SIGKILL')
  await closed
  // Text after the last line break was cut off.
  return said.split('\n').slice(0, -1)
}

function otherHalf(id: string): string {
  return id.endsWith('first') ? id.replace('first', 'second') : id.replace('second', 'first')
}
