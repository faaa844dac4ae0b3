// What ten years of to-dos cost: 36,500 of them, 200 open, beside somebody who has those 200 and no others. In Chromium on a
// processor slowed down four times, over 1.6 Mbit/s and 150 ms: the time until the to-do screen is usable, what it reads, and
// what the page keeps in memory. The promises are ratios of the two, in the same rounds.
// `node bench/screens/ten-years.mjs [rounds]`; the same as JSON in dist/bench/ten-years.json.
import { note, print } from '../web/measurements.mjs'
import { openedTwice } from '../web/opened-twice.mjs'
import { personOfTenYears } from '../web/people.mjs'
import { base, withBrowser } from '../web/slow-browser.mjs'

const rounds = Number(process.argv[2] ?? 5)
const open = 200
const all = 36_500

await withBrowser(async (browser) => {
  const few = await personOfTenYears(browser, base, { open, all: open })
  const many = await personOfTenYears(browser, base, { open, all })
  for (let round = 0; round < rounds; round++) {
    // In turns, so that what else the machine does hits both.
    const [one, other] = [await openedTwice(browser, few), await openedTwice(browser, many)]
    for (const [name, unit, most] of /** @type {const} */ ([
      ['cold', 'ms', 1.2],
      ['warm', 'ms', 1.2],
      ['memory', 'MB', 1.5],
    ])) {
      note(`${name}: ${open} to-dos`, unit, undefined, one[name])
      note(`${name}: ${all} to-dos, ${open} open`, unit, undefined, other[name])
      note(`${name}: times as much`, '', most, other[name] / one[name])
    }
    note(`read: ${open} to-dos`, 'KB', undefined, one.read)
    note(`read: ${all} to-dos, ${open} open`, 'KB', 100, other.read)
  }
})
print('ten-years', rounds)
