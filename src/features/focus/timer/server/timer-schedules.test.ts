import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addFocusSession,
  completedFocus,
  listFocusSessions,
} from '#features/focus/sessions/server/focus-store.ts'
import { clocks, happenings, live, type Write } from '#features/focus/testing/played-devices.ts'
import { shared } from '#features/focus/testing/stretches.ts'
import { instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '#testing/runs.ts'
import { timerToWire } from '../focus-timer.ts'
import { focusedFor, type Run } from '../phase.ts'
import { sessionOfRun } from '../session-of-run.ts'
import { readFocusTimer, storeFocusTimer } from './focus-timer-store.ts'

// What two devices did with phases, breaks, plans, subjects and clocks that are off, online and offline, and then what they
// sent, in the order in which it arrived.

const zone = 'Europe/Copenhagen'
/** An hour before midnight there, in winter: one hour ahead of UTC. */
const eleven = Date.UTC(2026, 10, 20, 22)
const hour = 3_600_000

async function take(
  db: Database,
  user: string,
  { write, now }: { write: Write; now: number },
): Promise<void> {
  if ('timer' in write) {
    const sent = { timer: write.timer, at: Math.min(write.at, now) }
    await storeFocusTimer(db, user, sent, now)
    return
  }
  const { id, started_at, ended_at, ...session } = sessionOfRun(write.run, zone, 0)
  const addition = {
    ...session,
    startedAt: instantFromWire(started_at),
    endedAt: instantFromWire(ended_at),
    replaces: true,
    at: Math.min(write.at, now),
  }
  // The subjects are no habits.
  await addFocusSession(db, user, id, addition, async () => {})
}

/** The seconds of each day, counted by hand: every second, on the day on which it ends. */
function secondsByHand(recorded: readonly Run[]): Map<string, number> {
  const days = new Map<string, number>()
  for (const { stretches } of recorded) {
    let passed = 0
    for (const { from, to } of stretches) {
      for (let at = from + 1_000 - (passed % 1_000); at <= to; at += 1_000) {
        const day = instantToWire(at - 1 + hour).slice(0, 10)
        days.set(day, (days.get(day) ?? 0) + 1)
      }
      passed += to - from
    }
  }
  return days
}

describeEachEngine('Two devices and a store between them', (openEmpty, engine) => {
  test('it ends with the timer that both show, each focus recorded once with the right minutes on each day, no minute twice, and no break', async () => {
    const db = await openEmpty()
    let people = 0
    await fc.assert(
      fc.asyncProperty(happenings, clocks, async (happenings, clocks) => {
        const user = `user ${people++}`
        await addUser(db.auth, engine, user)
        const { server, devices, breaks } = live(happenings, clocks, eleven)
        for (const each of server.taken) await take(db, user, each)

        const standing = await readFocusTimer(db, user)
        expect(standing && timerToWire(standing.timer)).toEqual(
          server.standing && timerToWire(server.standing.timer),
        )
        expect(standing?.at).toBe(server.standing?.at)

        const range = { from: '2026-11-19', to: '2026-12-25' } as Parameters<typeof completedFocus>[2]
        const listed = (await Array.fromAsync(listFocusSessions(db, user, range))).flat()
        const recorded = [...server.sessions.values()].map(({ run }) => run)
        const durations = (rows: { id: string; duration: number }[]) =>
          Object.fromEntries(rows.map(({ id, duration }) => [id, duration]))
        expect(durations(listed)).toEqual(
          durations(recorded.map((run) => ({ id: run.id, duration: Math.floor(focusedFor(run) / 1_000) }))),
        )
        for (const { id, kind, todo_id, habit_id } of listed) {
          expect(breaks).not.toContain(id)
          const run = recorded.find((each) => each.id === id)
          expect(kind).toBe(run?.kind)
          const subject = todo_id ? { todo_id } : habit_id ? { habit_id } : undefined
          expect(subject).toEqual(run?.subject)
        }

        for (const { run, recorded } of devices.flatMap(({ replaced }) => replaced)) {
          expect(shared(run, recorded)).toBe(0)
        }

        const byHand = secondsByHand(recorded)
        const { days, count } = await completedFocus(db, user, range)
        expect(count).toBe(recorded.length)
        const summed = days.filter(({ seconds }) => seconds > 0).map(({ day, seconds }) => [day, seconds])
        expect(new Map(summed as [string, number][])).toEqual(
          new Map([...byHand].toSorted(([one], [other]) => (one < other ? -1 : 1))),
        )
      }),
      { numRuns: runs(5_000, 15) },
    )
  })
})
