// Preload this into a server (`--import`) to make it a newer version with one more migration.
import { migrations } from '#platform/database/migrations/migrations.ts'
import { waits } from './waiting-step.ts'

Array.prototype.push.call(migrations, waits)
