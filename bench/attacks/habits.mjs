// Attacks by what habits are computed from: amounts, focused minutes, pauses and rhythms.
import { addDays } from '../../src/platform/calendar/day.ts'
import { addAttacker, addHabits, addRows, newIds } from './accounts.mjs'
import { declare } from './attack.mjs'
import { address, habitListsAfterChanges, today } from './requests.mjs'

/** @typedef {import('../../src/platform/database/database.ts').Database} Database */
/** @typedef {import('./siege.mjs').Asked} Asked */
/** @typedef {{ cookie: string, habit: string }} Target */

const glasses = { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' }
/** As many as a day takes. */
const [amountsOfDay, sessionsOfDay] = [300, 300]

const renames = declare({
  name: 'renames of a habit whose sets name 1,000 entries each',
  prepare: addHabitWithSets,
  attack: (siege, target) => siege.keepAsking(4, (_connection, turn) => manyRenames(target, turn)),
})

const unreadRenames = declare({
  name: 'changes whose answers nobody reads',
  prepare: addHabitWithSets,
  attack: (siege, target) => siege.leaveUnread(30, manyRenames(target, 0)),
})

const fullDays = declare({
  name: 'amounts of one day: 300, in a month of such days',
  async prepare(database, name) {
    const { user, cookie, habit } = await addHabitOfAmounts(database, name, { ...glasses, per: 'month' })
    const adds = newIds(31 * amountsOfDay).map((id, place) => ({
      id,
      habit_id: habit,
      day: addDays(today, -Math.floor(place / amountsOfDay)),
      value: 1_000,
      is_set: 0,
      settles: null,
      ...writtenLongAgo,
    }))
    await addRows(database, user, 'amounts', adds)
    return { cookie, habit, adds: adds.slice(0, 10).map(({ id }) => id) }
  },
  attack(siege, { cookie, habit, adds }) {
    const path = `/api/habits/${habit}/amounts`
    return siege.keepAsking(adds.length, (connection, turn) => {
      const own = `${path}/${adds[connection]}`
      if (turn % 3 === 0) return { method: 'DELETE', path: own, cookie, address }
      if (turn % 3 === 1) return { method: 'POST', path: `${own}/restore`, cookie, address }
      // Refused, since the day is full, once the server has found that out.
      return { method: 'POST', path, cookie, address, body: { day: today, value: 1_000, set: true } }
    })
  },
})

const pausesAndRhythms = declare({
  name: 'pauses and rhythms: 10,000 of each, and 100 habits',
  async prepare(database, name) {
    const { user, cookie } = await addAttacker(database, name)
    const start = addDays(today, -40_000)
    const habits = await addHabits(database, user, 101, { letters: 20, start })
    // Each habit has its first rhythm. So many take others:
    const [changing, changesOfEach] = [10, 989]
    const rhythms = Array.from({ length: changing * changesOfEach }, (_, place) => ({
      habit_id: habits[place % changing] ?? '',
      from_day: addDays(start, 40 * (Math.floor(place / changing) + 1)),
      rhythm: JSON.stringify({ every: 2 - (place % 2) }),
      rhythm_at: 1,
      target: null,
      target_at: 0,
    }))
    await addRows(database, user, 'rhythms', rhythms)
    const pauses = newIds(10_000).map((id, place) => ({
      id,
      habit_id: null,
      from_day: addDays(today, -4 * place - 2),
      from_day_at: 1,
      to_day: addDays(today, -4 * place - 1),
      to_day_at: 1,
      ...writtenLongAgo,
    }))
    await addRows(database, user, 'pauses', pauses)
    return { cookie, habits }
  },
  attack: habitListsAfterChanges,
})

const sumsOfMinutes = declare({
  name: 'sums of minutes: 100,000 sessions in 334 days',
  async prepare(database, name) {
    const { user, cookie, habit } = await addHabitOfAmounts(database, name, { ...glasses, unit: 'minutes' })
    const sessions = newIds(100_000).map((id, place) => {
      const day = addDays(today, -Math.floor(place / sessionsOfDay))
      const started_at = Date.parse(day) + (place % sessionsOfDay) * 1_000
      return {
        id,
        kind: 'countdown',
        knows_phases: 1,
        todo_id: null,
        habit_id: habit,
        subject_at: 1,
        duration: 60,
        started_at,
        ended_at: started_at + 60_000,
        ended_on: day,
        time_at: 1,
        ...writtenLongAgo,
      }
    })
    await addRows(database, user, 'focus_sessions', sessions)
    const days = sessions.map(({ id, ended_on }) => ({ session_id: id, day: ended_on, seconds: 60 }))
    await addRows(database, user, 'focus_days', days)
    return { cookie, sessions: sessions.slice(0, 10).map(({ id }) => id) }
  },
  attack: (siege, { cookie, sessions }) =>
    siege.keepAsking(sessions.length, (connection, turn) => {
      if (turn % 2 === 1) return { path: '/api/habits', cookie, address }
      const path = `/api/focus/${sessions[connection]}`
      return { method: 'PUT', path, cookie, address, body: { duration: 60 + (turn % 600) } }
    }),
})

export const habits = [renames, unreadRenames, fullDays, pausesAndRhythms, sumsOfMinutes]

const writtenLongAgo = { created_at: 1, updated_at: 1, deleted_at: null, deletion_changed_at: 1 }

/** A habit of amounts and its 100 sets of today. @param {Database} database @param {string} name @returns {Promise<Target>} */
async function addHabitWithSets(database, name) {
  const { user, cookie, habit } = await addHabitOfAmounts(database, name, glasses)
  const sets = newIds(100).map((id) => ({
    id,
    habit_id: habit,
    day: today,
    value: 1_000,
    is_set: 1,
    settles: JSON.stringify(newIds(1_000)),
    ...writtenLongAgo,
  }))
  await addRows(database, user, 'amounts', sets)
  return { cookie, habit }
}

/** @param {Database} database @param {string} name @param {object} target */
async function addHabitOfAmounts(database, name, target) {
  const { user, cookie } = await addAttacker(database, name)
  const wishes = { letters: 20, start: addDays(today, -100), target }
  const [habit = ''] = await addHabits(database, user, 1, wishes)
  return { user, cookie, habit }
}

/** As many as can be sent together. @param {Target} target @param {number} turn @returns {Asked} */
function manyRenames({ cookie, habit }, turn) {
  const path = `/api/habits/${habit}`
  const rows = Array.from({ length: 100 }, (_, place) => [
    { method: 'PUT', path, body: { name: `Glasses ${turn}-${place}` } },
  ])
  return { method: 'POST', path: '/api/changes', cookie, address, body: { rows } }
}
