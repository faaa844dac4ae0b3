/** Why a backup was not made or restored, in words for the person who asked for it. */
export class BackupError extends Error {
  override name = 'BackupError'
}
