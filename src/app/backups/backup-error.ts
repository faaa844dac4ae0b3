/** Why a backup was not made or restored, in words for a person. */
export class BackupError extends Error {
  override name = 'BackupError'
}
