import type { Schedule, Step } from '#app/testing/convergence/play/schedule.ts'

/**
 * Leaves out steps as long as what is left still fails, first many at once and then ever fewer, for at most `tries` plays.
 * Resolves with the shortest schedule that failed.
 */
export async function shrink(
  schedule: Schedule,
  fails: (shorter: Schedule) => Promise<boolean>,
  tries: number,
): Promise<Schedule> {
  let { steps } = schedule
  let left = tries
  for (let size = Math.ceil(steps.length / 2); size >= 1 && left > 0; ) {
    const before = steps.length
    // From the end: what happened after the fault is of no use at all.
    for (let end = steps.length; end > 0 && left > 0; end -= size) {
      const shorter = [...steps.slice(0, Math.max(0, end - size)), ...steps.slice(end)]
      left -= 1
      if (await fails({ ...schedule, steps: shorter })) steps = shorter
    }
    if (size === 1 && steps.length === before) break
    if (steps.length === before || size > steps.length) size = Math.floor(Math.min(size, steps.length) / 2)
  }
  return { ...schedule, steps }
}

/** A schedule in lines that a person can follow. Clients that only read are left out. */
export function tellSteps({ devices, steps }: Schedule): string {
  const acting = new Set(steps.map(({ device }) => device % devices.length))
  const clients = devices.flatMap(({ tabs, ahead }, place) => {
    if (!acting.has(place)) return []
    const clock = ahead === 0 ? 'a right clock' : `a clock ${tellDuration(ahead)} ahead`
    return [`  client ${place} has ${tabs} ${tabs === 1 ? 'tab' : 'tabs'} and ${clock}`]
  })
  return [...clients, ...steps.map((step, place) => `  ${place + 1}. ${tellStep(step)}`)].join('\n')
}

function tellStep({ after, meanwhile, device, tab, do: does, ...rest }: Step): string {
  const said = JSON.stringify(rest).replaceAll('"', '').slice(1, -1)
  const who = does === 'server' ? 'server' : `client ${device}, tab ${tab}`
  const then = { 'at once': '', 'a moment': ', then a moment', calm: ', then all is quiet' }[meanwhile]
  return `after ${tellDuration(after)}, ${who}: ${does}${said && ` ${said}`}${then}`
}

function tellDuration(milliseconds: number): string {
  if (milliseconds !== 0 && milliseconds % 60_000 === 0) return `${milliseconds / 60_000} min`
  return milliseconds !== 0 && milliseconds % 1_000 === 0 ? `${milliseconds / 1_000} s` : `${milliseconds} ms`
}
