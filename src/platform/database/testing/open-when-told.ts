// A process that prints 'ready', waits for a line, opens the database named by its argument and prints the result. Run several to
// make processes start on the same data at once.
import { once } from 'node:events'
import { openDatabase } from '../opening/open-database.ts'

process.stdout.write('ready\n')
await once(process.stdin, 'data')
const database = await openDatabase(process.argv[2] ?? '')
const users = await database.read.selectFrom('user').select('id').execute()
await database.close()
process.stdout.write(`opened, ${users.length} users\n`)
process.exit()
