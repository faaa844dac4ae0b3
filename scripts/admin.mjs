// npm run admin -- <command>: what an operator does beside a Daymark that runs. Without a command it names them all.
import { runAdmin } from '../src/app/admin/admin.ts'

process.exitCode = await runAdmin(process.argv.slice(2), process.env)
