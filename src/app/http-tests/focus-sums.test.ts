import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, type Day, instantToWire } from '#platform/calendar/day.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '#testing/runs.ts'
import { openApplication } from '../testing/application.ts'

const today = '2026-11-20' as Day
const minute = 60_000

interface Shown {
  duration: number
  days: { day: string; seconds: number }[]
}

// Sessions on days around a night in which New York's clocks go back, so that many share a day.
const ended = fc.integer({ min: 0, max: 12 * 24 * 60 }).map((back) => Date.UTC(2026, 10, 7) - back * minute)
const duration = fc.oneof(fc.integer({ min: 1, max: 1_500 }), fc.integer({ min: 1, max: 86_400 }))
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      ended,
      duration,
      pauses: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 48 * 60 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('delete' as const, 'restore' as const), which: fc.nat() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      time_zone: fc.constantFrom(
        'America/New_York',
        'Asia/Kolkata',
        'Pacific/Kiritimati',
        'Pacific/Pago_Pago',
      ),
      day_start: fc.integer({ min: 0, max: 360 }),
    }),
  },
)
const range = fc
  .tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 20 }))
  .map(([back, length]) => ({ from: addDays(today, -back - length), to: addDays(today, -back) }))

/** Every day counted independently, from the listed sessions. */
function countByHand(sessions: Shown[], { from, to }: { from: Day; to: Day }) {
  const days = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    let [count, seconds] = [0, 0]
    for (const session of sessions) {
      if (session.days.at(-1)?.day === day) count += 1
      for (const part of session.days) if (part.day === day) seconds += part.seconds
    }
    days.push({ day, count, seconds })
  }
  let [count, seconds] = [0, 0]
  for (const each of days) {
    count += each.count
    seconds += each.seconds
  }
  return { count, seconds, days }
}

describeEachEngine('focus totals', (openEmpty) => {
  it('match the listed sessions over any range, after any additions, deletions, restorations and moves', async () => {
    const daymark = openApplication(await openEmpty(), { clock: () => Date.parse(`${today}T12:00:00Z`) })
    const { cookie } = await daymark.signUp('Ada')
    const ask = async (method: string, path: string, body?: unknown) => {
      const asked = await daymark.ask(method, path, { cookie, body })
      expect(asked.status).toBeLessThan(500)
      return asked
    }
    // Deleted again between the runs: what is deleted must not count anywhere.
    const clear = async () => {
      for (const { id } of (await ask('GET', '/api/focus?from=1900-01-01')).body.sessions)
        await ask('DELETE', `/api/focus/${id}`)
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), range, async (steps, asked) => {
        await clear()
        const added = new Map<string, Shown>()
        const deleted = new Set<string>()
        for (const step of steps) {
          if (step.kind === 'move') {
            await ask('PATCH', '/api/preferences', { time_zone: step.time_zone, day_start: step.day_start })
          } else if (step.kind === 'add') {
            const started = step.ended - step.duration * 1000 - step.pauses * minute
            const { session } = (
              await ask('POST', '/api/focus', {
                duration: step.duration,
                started_at: instantToWire(started),
                ended_at: instantToWire(step.ended),
              })
            ).body
            added.set(session.id, session)
          } else {
            const id = [...added.keys()][step.which % added.size]
            if (id === undefined) continue
            if (step.kind === 'delete') {
              await ask('DELETE', `/api/focus/${id}`)
              deleted.add(id)
            } else {
              await ask('POST', `/api/focus/${id}/restore`)
              deleted.delete(id)
            }
          }
        }
        const kept = [...added.keys()].filter((id) => !deleted.has(id))
        const { sessions } = (await ask('GET', '/api/focus?from=1900-01-01')).body
        expect(sessions.map(({ id }: { id: string }) => id).toSorted()).toEqual(kept.toSorted())
        for (const session of sessions) {
          expect(session).toEqual(added.get(session.id))
          const sum = session.days.reduce(
            (total: number, { seconds }: { seconds: number }) => total + seconds,
            0,
          )
          expect(sum).toBe(session.duration)
        }

        const query = `from=${asked.from}&to=${asked.to}`
        expect((await ask('GET', `/api/focus/completed?${query}`)).body).toEqual(countByHand(sessions, asked))
        // Exactly the sessions of a range are enough to count it.
        const ofRange = (await ask('GET', `/api/focus?${query}`)).body.sessions
        expect(ofRange).toEqual(
          sessions.filter(({ days }: Shown) => days.some(({ day }) => day >= asked.from && day <= asked.to)),
        )
      }),
      { numRuns: runs(1_000, 4) },
    )
  })
})
