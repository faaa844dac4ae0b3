// A process that prints 'ready', waits for a line, opens the database in its argument and prints the result: run
// several at once to have several processes start on the same data.
import { once } from 'node:events'
import { openDatabase } from '../opening/open-database.ts'

process.stdout.write('ready\n')
await once(process.stdin, 'data')
const database = await openDatabase(process.argv[2] ?? '')
const users = await database.read.selectFrom('user').select('id').execute()
await database.close()
process.stdout.write(`opened, ${users.length} users\n`)
process.exit()
