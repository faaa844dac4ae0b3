// A process that writes two rows per transaction, many at a time, and prints the number of each transaction that was
// acknowledged.
import { openDatabase } from '../opening/open-database.ts'
import { addUser } from './add-user.ts'

const [url = '', round = ''] = process.argv.slice(2)
const database = await openDatabase(url)
let begun = 0
await Promise.all(Array.from({ length: 32 }, keepWriting))

async function keepWriting(): Promise<never> {
  for (;;) {
    const number = `${round}-${begun++}`
    await database.write(async (tx) => {
      await addUser(tx, database.engine, `${number} first`)
      await addUser(tx, database.engine, `${number} second`)
    })
    process.stdout.write(`${number}\n`)
  }
}
