// npm run restore -- FOLDER [--yes]: replaces the contents of the database with a backup or a SQLite file.
await import('../src/app/backups/restore-program.ts')
