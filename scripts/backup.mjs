// npm run backup [-- FOLDER]: a verified copy of the database and its secret, also while Daymark is running. Without a
// name, it is named after its time and goes to BACKUP_TO, where older ones are removed as BACKUP_KEEP says.
await import('../src/app/backups/backup-program.ts')
