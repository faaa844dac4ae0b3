import { accounts } from './0001-accounts.ts'
import { todos } from './0002-todos.ts'
import type { MigrationStep } from './migration-step.ts'

export const migrations: readonly MigrationStep[] = [accounts, todos]
