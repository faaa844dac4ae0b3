import fc from 'fast-check'
import { expect, it } from 'vitest'
import { longestDelay } from '#features/reminders/reminder/late-reminders.ts'
import { nextReminder } from '#features/reminders/reminder/next-reminder.ts'
import { isSameReminder, type Reminder } from '#features/reminders/reminder/reminder.ts'
import { type Day, instantToWire } from '#platform/calendar/day.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { runs } from '#testing/runs.ts'
import { openApplication } from '../testing/application.ts'

// The Saturday before the clocks in Copenhagen and New York have both gone back, and those in Cairo too.
const start = Date.parse('2026-10-24T12:00:00Z')
const minute = 60_000

const reminder: fc.Arbitrary<Reminder | null> = fc.option(
  fc.record({
    time: fc.oneof(fc.constantFrom(0, 90, 150, 1439), fc.integer({ min: 0, max: 1439 })),
    weekdays: fc.subarray<Reminder['weekdays'][number]>([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
  }),
  { freq: 4 },
)
const which = fc.constantFrom(0, 1)
const step = fc.oneof(
  fc.record({ kind: fc.constant('remind of habit' as const), which, reminder }),
  fc.record({
    kind: fc.constant('remind of todo' as const),
    which,
    inMinutes: fc.option(fc.integer({ min: -600, max: 3_000 }), { freq: 5 }),
  }),
  fc.record({ kind: fc.constantFrom('delete habit', 'restore habit', 'complete habit'), which }),
  fc.record({
    kind: fc.constantFrom('delete todo', 'restore todo', 'complete todo', 'reopen todo', 'rename todo'),
    which,
  }),
  fc.record({
    kind: fc.constant('fly' as const),
    zone: fc.constantFrom(
      'Europe/Copenhagen',
      'America/New_York',
      'Africa/Cairo',
      'Pacific/Kiritimati',
      'Pacific/Niue',
    ),
  }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 2_000 }) }),
)

/** What is known about a person: the alarms follow from it, however it came about. */
interface PersonState {
  zone: string
  habits: { reminder: Reminder | null; deleted: boolean; remindedOn: Day | null }[]
  todos: { remindAt: number | null; deleted: boolean; completed: boolean }[]
}

describeEachEngine('whatever changes', (openEmpty) => {
  it('the next alarm matches the current reminders, on the clocks where the person is', async () => {
    const database = await openEmpty()
    let now = start
    const daymark = openApplication(database, { clock: () => now })
    let people = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        now = start
        const person = await daymark.signUp(`Ada${++people}`)
        const ask = async (method: string, path: string, body?: unknown) => {
          const asked = await daymark.ask(method, path, { cookie: person.cookie, body })
          expect(asked.status, JSON.stringify(asked.body)).toBeOneOf([200, 201, 404])
        }
        const ids = [0, 1].map((row) => newRowId(start + row, new Uint8Array(10)))
        for (const id of ids) {
          await ask('POST', '/api/habits', { id, name: 'Read', start_date: '2026-10-01' })
          await ask('POST', '/api/todos', { id, title: 'Water the plants' })
        }
        const state: PersonState = {
          zone: 'UTC',
          habits: ids.map(() => ({ reminder: null, deleted: false, remindedOn: null })),
          todos: ids.map(() => ({ remindAt: null, deleted: false, completed: false })),
        }
        for (const each of steps) {
          // No two changes at the same instant.
          now += 1_000
          await take(each)
          expect(await alarmsOf(person.id), JSON.stringify(each)).toEqual(expectedOf(state, ids, now))
        }

        async function take(each: (typeof steps)[number]): Promise<void> {
          if (each.kind === 'wait') return wait(each.minutes * minute)
          if (each.kind === 'fly') {
            state.zone = each.zone
            return ask('PATCH', '/api/preferences', { time_zone: each.zone })
          }
          const [id = '', habit, todo] = [ids[each.which], state.habits[each.which], state.todos[each.which]]
          if (!habit || !todo) return
          if (each.kind === 'remind of habit') {
            const isSame = isSameReminder(habit.reminder, each.reminder)
            if (!habit.deleted && !isSame) Object.assign(habit, { reminder: each.reminder, remindedOn: null })
            return ask('PUT', `/api/habits/${id}`, { reminder: each.reminder })
          }
          if (each.kind === 'remind of todo') {
            const remindAt = each.inMinutes === null ? null : now + each.inMinutes * minute
            if (!todo.deleted) todo.remindAt = remindAt
            const remind_at = remindAt === null ? null : instantToWire(remindAt)
            return ask('PUT', `/api/todos/${id}/edit`, { remind_at })
          }
          const [verb, noun] = each.kind.split(' ')
          const row = noun === 'habit' ? habit : todo
          const path = `/api/${noun}s/${id}`
          if (verb === 'delete') {
            row.deleted = true
            return ask('DELETE', path)
          }
          if (verb === 'restore') {
            if (row === habit && habit.deleted) habit.remindedOn = null
            row.deleted = false
            return ask('POST', `${path}/restore`)
          }
          if (noun === 'habit') return ask('POST', `${path}/complete`)
          if (verb === 'rename') return ask('PUT', `${path}/edit`, { title: `At ${now}` })
          if (!todo.deleted) todo.completed = verb === 'complete'
          return ask('PUT', path, { completed: verb === 'complete' ? 1 : 0 })
        }

        async function wait(milliseconds: number): Promise<void> {
          const before = now
          now += milliseconds
          for (const habit of state.habits) {
            if (habit.deleted || !habit.reminder) continue
            let passed = habit.remindedOn
            const next = () => nextReminder(habit.reminder ?? never(), before, state.zone, passed)
            for (let due = next(); due.at <= now; due = next()) {
              passed = due.day
              // One that comes too late is not sent: who flies west may be reminded on that day yet.
              if (now - due.at <= longestDelay) habit.remindedOn = due.day
            }
          }
          await daymark.reminding.remindNow()
        }
      }),
      { numRuns: runs(1_000, 4) },
    )

    async function alarmsOf(user: string) {
      const alarms = await database.read
        .selectFrom('alarms')
        .select(['kind', 'row_id', 'due_at'])
        .where('user_id', '=', user)
        .execute()
      return alarms.map(({ kind, row_id, due_at }) => `${kind} ${row_id} ${instantToWire(due_at)}`).sort()
    }
  })
})

function expectedOf({ zone, habits, todos }: PersonState, ids: readonly string[], now: number): string[] {
  const ofHabits = habits.flatMap(({ reminder, deleted, remindedOn }, row) =>
    reminder && !deleted
      ? [`habit ${ids[row]} ${instantToWire(nextReminder(reminder, now, zone, remindedOn).at)}`]
      : [],
  )
  const ofTodos = todos.flatMap(({ remindAt, deleted, completed }, row) =>
    remindAt !== null && remindAt > now && !deleted && !completed
      ? [`todo ${ids[row]} ${instantToWire(remindAt)}`]
      : [],
  )
  return [...ofHabits, ...ofTodos].sort()
}

function never(): never {
  throw new Error('There is a reminder')
}
