// npm run admin -- <command>: the operator's commands, also while Daymark is running. Without a command, it lists them.
import { runAdmin } from '../src/app/admin/admin.ts'

process.exitCode = await runAdmin(process.argv.slice(2), process.env)
