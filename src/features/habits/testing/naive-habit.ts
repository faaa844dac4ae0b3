import type { DayState } from '../rhythm/day-state-names.ts'
import type { HabitDays } from '../rhythm/habit-track.ts'
import type { Rhythm, StreakUnit, Target } from '../rhythm/rhythm.ts'

// The rules of habits implemented a second time, to check the real ones. It walks day by day without day arithmetic: slow, and
// built differently from the real rules.

export interface NaiveDay {
  text: string
  weekday: number
  month: string
  /** The first day of the week that contains the day. */
  week: string
}

interface Row {
  from: string
  rhythm: Rhythm
  target: Target
  brought: string
}

export interface NaivePeriod {
  row: Row
  /** The days of the period. Except for Weekly, days before the habit's start are left out. */
  days: NaiveDay[]
  cut: boolean
  status: 'done' | 'failed' | 'out' | 'possible' | 'no longer'
  share: number
  target: number
  reached: number
}

/** Every day of a range, found by walking from its first day. */
function walk(from: string, to: string, weekStart: number): NaiveDay[] {
  const days: NaiveDay[] = []
  let cursor = Temporal.PlainDate.from(from)
  let week = cursor
  while (week.dayOfWeek !== weekStart) week = week.subtract({ days: 1 })
  for (let text = from; text <= to; cursor = cursor.add({ days: 1 }), text = cursor.toString()) {
    if (cursor.dayOfWeek === weekStart) week = cursor
    days.push({ text, weekday: cursor.dayOfWeek, month: text.slice(0, 7), week: week.toString() })
  }
  return days
}

const canonical = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) =>
    Array.isArray(part)
      ? part.toSorted()
      : part && typeof part === 'object'
        ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => one.localeCompare(other)))
        : part,
  )

function rowsOf(habit: HabitDays): Row[] {
  const rows: Row[] = []
  for (const { from_day, rhythm, target } of [...habit.rows].sort((a, b) =>
    a.from_day.localeCompare(b.from_day),
  )) {
    const last = rows.at(-1)
    const next = { rhythm: rhythm ?? last?.rhythm ?? { every: 1 }, target: target ?? last?.target ?? 'yes' }
    if (last && canonical(next) === canonical({ rhythm: last.rhythm, target: last.target })) continue
    const same = last && canonical(last.rhythm) === canonical(next.rhythm)
    rows.push({ from: from_day, ...next, brought: same ? last.brought : from_day })
  }
  return rows
}

const isSum = (target: Target) => target !== 'yes' && target.per !== 'day'
const isWeekly = ({ rhythm, target }: Row) =>
  canonical(rhythm) === '{"per":"week","times":1}' && !isSum(target)

function unitOfRow({ rhythm, target }: Row): StreakUnit {
  const per = target !== 'yes' && target.per !== 'day' ? target.per : 'per' in rhythm ? rhythm.per : undefined
  if (per) return per === 'week' ? 'weeks' : 'months'
  return canonical(rhythm) === '{"every":1}' ? 'days' : 'times'
}

export function naiveHabit(habit: HabitDays, today: string) {
  const rows = rowsOf(habit)
  const entries = [...habit.amounts.keys()].sort()
  const latest = [today, ...habit.states.keys(), ...entries].sort().at(-1) ?? today
  const away = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()
  const earliest = [habit.startDay as string, ...rows.map(({ from }) => from)].sort()[0] ?? today
  // Walks 60 more days at both ends, since no period in the tests is longer.
  const days = walk(
    away(earliest, -60),
    away([latest, rows.at(-1)?.from ?? ''].sort().at(-1) ?? latest, 60),
    habit.weekStart,
  )
  const place = new Map(days.map(({ text }, index) => [text, index]))

  const rowOn = (day: string) => {
    let found = rows[0]
    for (const row of rows) if (row.from <= day) found = row
    if (!found) throw new Error('No row')
    return found
  }
  const takenOut = (day: string) =>
    habit.states.get(day as never) === 'skipped' ||
    habit.pauses.some((pause) => day >= pause.from_day && (pause.to_day === null || day <= pause.to_day)) ||
    (habit.archivedOn !== null && day >= habit.archivedOn)
  const amountOn = (day: string) => habit.amounts.get(day as never)
  const firstEntry = entries.find((day) => day >= habit.startDay)

  /**
   * For each row, the due day, week, month or block that each day would belong to, as if the row always held; null where not due.
   */
  const labels = new Map<Row, (string | null)[]>()
  for (const row of rows) {
    const sum = row.target !== 'yes' && row.target.per !== 'day' ? row.target.per : null
    const origin = place.get(row.brought) ?? 0
    labels.set(
      row,
      days.map((day, index) => {
        const { rhythm } = row
        const per = sum ?? ('per' in rhythm ? rhythm.per : null)
        if (per) return per === 'week' ? day.week : day.month
        if ('weekdays' in rhythm) return rhythm.weekdays.includes(day.weekday) ? day.text : null
        const step = 'every' in rhythm ? rhythm.every : 'days' in rhythm ? rhythm.days : 1
        let begin = origin
        while (begin > index) begin -= step
        while (begin + step <= index) begin += step
        if ('every' in rhythm) return begin === index ? day.text : null
        return String(begin)
      }),
    )
  }

  const naturals = new Map<Row, Map<string, NaiveDay[]>>()
  for (const row of rows) {
    const grouped = new Map<string, NaiveDay[]>()
    days.forEach((day, index) => {
      const label = labels.get(row)?.[index]
      if (typeof label === 'string') grouped.set(label, [...(grouped.get(label) ?? []), day])
    })
    naturals.set(row, grouped)
  }

  const doneOn = (day: string, now: string): boolean => {
    const { target } = rowOn(day)
    if (target === 'yes') return habit.states.get(day as never) === 'done'
    const amount = amountOn(day)
    if (target.at === 'least') return amount !== undefined && amount >= (isSum(target) ? 1 : target.amount)
    if (day >= now) return false
    if (amount !== undefined) return amount <= target.amount
    return firstEntry !== undefined && day > firstEntry && !takenOut(day)
  }

  const judge = (row: Row, own: NaiveDay[], natural: NaiveDay[], now: string): NaivePeriod => {
    const cut = natural.some(({ text }) => !own.some((day) => day.text === text))
    const days = own
    // Entries from before a start that was chosen later don't count.
    const begun = own.filter(({ text }) => text >= habit.startDay)
    const open = begun.filter(({ text }) => !takenOut(text))
    const over = own.every(({ text }) => text < now)
    const { rhythm, target } = row
    const sum = begun.reduce((total, { text }) => total + (amountOn(text) ?? 0), 0)
    const byTimes = 'times' in rhythm && !isSum(target)
    if (target !== 'yes' && target.at === 'most' && !byTimes) {
      const share = sum <= target.amount ? 1 : target.amount / sum
      const entered = begun.some(({ text }) => amountOn(text) !== undefined)
      let status: NaivePeriod['status'] = sum <= target.amount ? 'done' : cut ? 'out' : 'failed'
      if (!own.some(({ text }) => firstEntry !== undefined && text >= firstEntry)) status = 'out'
      if (!over) status = sum <= target.amount ? 'possible' : 'no longer'
      if (open.length === 0 && !entered) status = 'out'
      return { row, days, cut, status, share, target: target.amount, reached: sum }
    }
    const full = byTimes ? rhythm.times : target === 'yes' ? 1 : target.amount
    const counted = byTimes || target === 'yes'
    const reached = counted ? begun.filter(({ text }) => doneOn(text, now)).length : sum
    // Rounds up the target's share for the remaining days.
    let lowered = Math.max(0, Math.floor((full * Math.max(1, open.length)) / own.length) - 1)
    while (lowered * own.length < full * Math.max(1, open.length)) lowered += 1
    const coming = open.filter(({ text }) => text >= now)
    const stillPossible = counted
      ? reached +
          coming.filter(
            ({ text }) =>
              !doneOn(text, now) &&
              !(target !== 'yes' && target.at === 'most' && (amountOn(text) ?? 0) > target.amount),
          ).length >=
        lowered
      : coming.length > 0
    const status =
      reached >= lowered
        ? 'done'
        : open.length === 0
          ? 'out'
          : !over
            ? stillPossible
              ? 'possible'
              : 'no longer'
            : cut
              ? 'out'
              : 'failed'
    return { row, days, cut, status, share: Math.min(1, reached / lowered), target: lowered, reached }
  }

  const periodsAsOf = (now: string): NaivePeriod[] => {
    const found: NaivePeriod[] = []
    const seen = new Set<string>()
    days.forEach((day, index) => {
      const row = rowOn(day.text)
      const label = labels.get(row)?.[index]
      if (label === null || label === undefined) return
      if (day.text < habit.startDay) return
      const key = `${rows.indexOf(row)} ${label}`
      if (seen.has(key)) return
      seen.add(key)
      const natural = naturals.get(row)?.get(label) ?? []
      const own = natural.filter(
        ({ text }) => rowOn(text) === row && (text >= habit.startDay || isWeekly(row)),
      )
      found.push(judge(row, own, natural, now))
    })
    return found.filter(({ days: [first] }) => first && first.text <= latest)
  }

  const firstOf = ({ days: [first] }: NaivePeriod) => first?.text ?? ''
  const periods = periodsAsOf(today)

  /** Whether a rhythm row after one day and up to another changes the unit of streaks. */
  const unitTurns = (after: string, upTo: string) =>
    rows.some((row, index) => {
      const before = rows[index - 1]
      return before && row.from > after && row.from <= upTo && unitOfRow(row) !== unitOfRow(before)
    })

  const streaks = () => {
    const ahead = periods
      .filter(
        (period) => firstOf(period) > today && period.status === 'done' && !unitTurns(today, firstOf(period)),
      )
      .at(-1)
    const now = ahead ? firstOf(ahead) : today
    const counted = periodsAsOf(now).filter((period) => firstOf(period) <= now)
    const ends = (at: number): number => {
      let length = 0
      let newer = firstOf(counted[at] as NaivePeriod)
      for (let index = at; index >= 0; index -= 1) {
        const period = counted[index] as NaivePeriod
        if (unitTurns(firstOf(period), newer) || period.status === 'failed') break
        newer = firstOf(period)
        if (period.status === 'done') length += 1
      }
      return length
    }
    const records: Record<StreakUnit, number> = { days: 0, weeks: 0, months: 0, times: 0 }
    counted.forEach((period, index) => {
      if (period.status !== 'done') return
      const unit = unitOfRow(period.row)
      records[unit] = Math.max(records[unit], ends(index))
    })
    const last = counted.at(-1)
    const current = !last || unitTurns(firstOf(last), today) ? 0 : ends(counted.length - 1)
    const unit = unitOfRow(rowOn(today))
    return { unit, current, longest: records[unit], records }
  }

  const rate = (from: string, to: string) => {
    const inRange = periods.filter(
      (period) =>
        firstOf(period) <= to &&
        firstOf(period) <= today &&
        period.days.some(({ text }) => text >= from && text <= to && text <= today && text >= habit.startDay),
    )
    const done = inRange.filter(({ status }) => status === 'done').length
    return { done, due: done + inRange.filter(({ status }) => status === 'failed').length }
  }

  const strength = (): number | null => {
    if (today < away(habit.startDay, 14)) return null
    const newestFirst = periods
      .filter((period) => firstOf(period) <= today && !['possible', 'no longer'].includes(period.status))
      .reverse()
    let weights = 0
    let shares = 0
    let weight = 1
    for (const period of newestFirst) {
      if (period.status !== 'out') {
        weights += weight
        shares += weight * period.share
      }
      const { rhythm } = period.row
      const length =
        unitOfRow(period.row) === 'times' && 'weekdays' in rhythm
          ? 7 / rhythm.weekdays.length
          : unitOfRow(period.row) === 'times' && 'every' in rhythm
            ? rhythm.every
            : period.days.length
      weight *= 0.5 ** (1 / Math.max(4, 30 / length))
    }
    return weights === 0 ? null : (100 * shares) / weights
  }

  const stateOn = (day: string): DayState => {
    const row = rowOn(day)
    const { target, rhythm } = row
    const index = place.get(day) ?? 0
    const due =
      day >= habit.startDay &&
      (habit.archivedOn === null || day < habit.archivedOn) &&
      labels.get(row)?.[index] !== null
    const amount = amountOn(day)
    const limit = target !== 'yes' && target.at === 'most'
    let done = doneOn(day, today)
    if (limit && amount === undefined) done = done && due
    if (limit && amount !== undefined && isSum(target)) {
      const period = periods.find((one) => one.days.some(({ text }) => text === day))
      const before = (period?.days ?? [{ text: day }]).filter(({ text }) => text <= day)
      const sum = before.reduce((total, { text }) => total + (amountOn(text) ?? 0), 0)
      done = day < today && sum <= target.amount
    }
    if (done) return 'done'
    if (habit.states.get(day as never) === 'skipped') return 'skipped'
    if (
      habit.pauses.some((pause) => day >= pause.from_day && (pause.to_day === null || day <= pause.to_day))
    ) {
      return 'paused'
    }
    if (!due) return 'not_due'
    if (limit && amount === undefined && (day >= today || firstEntry === undefined || day < firstEntry)) {
      return 'unknown'
    }
    if (day >= today || 'times' in rhythm || isSum(target)) return 'open'
    return 'missed'
  }

  const periodOfToday = () => periods.find((period) => period.days.some(({ text }) => text === today))

  const completed = (): boolean => {
    const row = rowOn(today)
    const { target } = row
    if (target !== 'yes' && target.at === 'most') {
      if (amountOn(today) === undefined) return false
      const counted = isSum(target) ? (periodOfToday()?.days ?? [{ text: today }]) : [{ text: today }]
      const sum = counted.reduce(
        (total, { text }) => (text <= today ? total + (amountOn(text) ?? 0) : total),
        0,
      )
      return sum <= target.amount
    }
    if (isWeekly(row) || isSum(target)) return periodOfToday()?.status === 'done'
    return doneOn(today, today)
  }

  const leftToDo = () => !completed() && !takenOut(today) && periodOfToday()?.status === 'possible'

  /** The days on which the habit counts, with how often it was completed and due. */
  const counted = (from: string, to: string) => {
    const found: Record<string, { completed: number; due: number }> = {}
    const count = (day: string, completed: number, due: number) => {
      if (day < from || day > to || due === 0) return
      const before = found[day] ?? { completed: 0, due: 0 }
      found[day] = { completed: before.completed + completed, due: before.due + due }
    }
    for (const { row, days, status, target } of periods) {
      const last = days.at(-1)?.text ?? ''
      const isLimit = row.target !== 'yes' && row.target.at === 'most'
      const summed = isSum(row.target)
      const dueDay = !summed && ('every' in row.rhythm || 'weekdays' in row.rhythm)
      const over = last < today || (dueDay && last === today && !isLimit)
      if ((summed || dueDay) && isLimit) {
        if (over && status !== 'out') count(last, status === 'done' ? 1 : 0, 1)
        continue
      }
      const many = !summed && !dueDay
      let sum = 0
      let done = 0
      for (const { text } of days) {
        if (text < habit.startDay) continue
        const before = sum
        if (row.target === 'yes') sum += habit.states.get(text as never) === 'done' ? 1 : 0
        else if (many) sum += doneOn(text, today) ? 1 : 0
        else sum += amountOn(text) ?? 0
        const counts =
          many || row.target === 'yes' ? sum > before && sum <= target : before < target && sum >= target
        if (!counts) continue
        done += 1
        count(text, 1, 1)
      }
      if (over && status !== 'out') count(last, 0, Math.max(0, (many ? target : 1) - done))
    }
    return found
  }

  return {
    periods,
    counted,
    streaks,
    rate,
    strength,
    stateOn,
    completed,
    leftToDo,
    doneOn: (day: string) => doneOn(day, today),
    walk: days,
  }
}
