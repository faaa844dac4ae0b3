// The floor of the database: the bare driver with statements prepared once, run one after another. Each message
// {url, seconds, user} is one measurement of how long a read and a write take.
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

process.on('message', (/** @type {{ url: string, seconds: number, user: string }} */ message) => {
  measure(message).then((measured) => process.send?.(measured))
})
process.once('disconnect', () => process.exit())

/** @param {{ url: string, seconds: number, user: string }} message */
async function measure({ url, seconds, user }) {
  const driver = url.startsWith('sqlite:') ? sqlite(url, user) : await postgres(url, user)
  const run = async (/** @type {() => unknown} */ work, /** @type {number} */ count) => {
    const times = []
    const end = performance.now() + seconds * 1000
    while (performance.now() < end || times.length < count) {
      const started = performance.now()
      await work()
      times.push(performance.now() - started)
    }
    times.sort((a, b) => a - b)
    return { median: times[Math.floor(times.length / 2)], p99: times[Math.floor(times.length * 0.99)] }
  }
  const read = await run(driver.read, 10)
  const write = await run(driver.write, 10)
  await driver.close()
  return { read, write }
}

const select =
  'select id, title, completed, completed_at, created_at, updated_at from todos where user_id = ? and deleted_at is null order by created_at desc, id desc'
const insert =
  'insert into todos (user_id, id, title, title_at, completed, completed_changed_at, created_at, updated_at, deletion_changed_at) values (?, ?, ?, 1, 0, 1, 1, 1, 1)'
const title = 'Answer the letter of the insurance'

/** @param {string} url @param {string} user */
function sqlite(url, user) {
  const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5_000 })
  database.exec('pragma synchronous = full')
  const reading = database.prepare(select)
  const writing = database.prepare(insert)
  return {
    read: () => JSON.stringify(reading.all(user)),
    write: () => writing.run(user, randomUUID(), title),
    close: () => database.close(),
  }
}

/** @param {string} url @param {string} user */
async function postgres(url, user) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const numbered = (/** @type {string} */ text) => {
    let number = 0
    return text.replaceAll('?', () => `$${++number}`)
  }
  const [reading, writing] = [numbered(select), numbered(insert)]
  return {
    read: async () =>
      JSON.stringify((await client.query({ name: 'read', text: reading, values: [user] })).rows),
    write: () => client.query({ name: 'write', text: writing, values: [user, randomUUID(), title] }),
    close: () => client.end(),
  }
}
