const pattern = /^daymark-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

/** The name of a backup made at `now`, such as `daymark-20261122T030000Z`: unlike a file's date, it survives copying. */
export function nameAt(now: number): string {
  return `daymark-${compactInstant(now)}`
}

/** An instant in UTC, to the second, such as `20261122T030000Z`. */
export function compactInstant(now: number): string {
  return new Date(now)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '')
}

/** When the backup with this name was made; undefined if the name is not one of ours. */
export function parseName(name: string): number | undefined {
  const found = pattern.exec(name)
  if (!found) return undefined
  const [, year, month, day, hour, minute, second] = found
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at) ? undefined : at
}
