// npm run restore -- FOLDER [--yes]: puts a backup, or a file of SQLite, in the place of what is in the database.
await import('../src/app/backups/restore-program.ts')
