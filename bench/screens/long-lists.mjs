// What a list costs by its length: 20, 1,000 and 5,000 open tasks, and ten years of tasks with 200 open, in Chromium on a processor
// slowed down four times, over 1.6 Mbit/s and 150 ms: the time until the to-do screen is usable, beside 20; of a cold start without
// the seconds that the bytes of the tasks take on the line; what its scripts keep, and the elements of the page.
// `node bench/screens/long-lists.mjs [rounds]`; the same as JSON in dist/bench/long-lists.json.
import { note, print } from '../web/measurements.mjs'
import { openedTwice } from '../web/opened-twice.mjs'
import { personOfTenYears, personWithTasks } from '../web/people.mjs'
import { base, conditions, withBrowser } from '../web/slow-browser.mjs'

const rounds = Number(process.argv[2] ?? 5)
const few = 20
const promises = { [few]: [undefined, undefined], 1000: [1.2, 1.2], 5000: [1.5, 1.5] }

await withBrowser(async (browser) => {
  const people = []
  for (const [count, [cold, warm]] of Object.entries(promises)) {
    const cookies = await personWithTasks(browser, base, Number(count))
    people.push({ name: `${count} open`, cookies, cold, warm })
  }
  const tenYears = await personOfTenYears(browser, base, { open: 200, all: 36_500 })
  people.push({ name: '200 open of 36,500', cookies: tenYears, cold: undefined, warm: undefined })

  for (let round = 0; round < rounds; round++) {
    /** @type {{ cold: number, warm: number } | undefined} */
    let first
    // In turns, so that what else the machine does hits all.
    for (const { name, cookies, cold, warm } of people) {
      const opened = await openedTwice(browser, cookies)
      const line = (opened.read * 1_024 * 1_000) / conditions.bytesPerSecond
      const one = { cold: opened.cold - line, warm: opened.warm }
      first ??= one
      note(`${name}: cold`, 'ms', undefined, opened.cold)
      note(`${name}: of these, bytes of tasks on the line`, 'ms', undefined, line)
      note(`${name}: cold without these, times 20`, '', cold, one.cold / first.cold)
      note(`${name}: warm`, 'ms', undefined, one.warm)
      note(`${name}: warm, times 20`, '', warm, one.warm / first.warm)
      note(`${name}: memory`, 'MB', undefined, opened.memory)
      note(`${name}: elements`, '', undefined, opened.elements)
    }
  }
})
print('long-lists', rounds)
