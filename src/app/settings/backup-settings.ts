export interface BackupSettings {
  /** Milliseconds between two backups; undefined if the server makes none. */
  every: number | undefined
  to: string
  keep: Keep
}

/** The numbers of past days and weeks for which a backup is kept. */
export interface Keep {
  daily: number
  weekly: number
}

/** Where the data is stored. */
export type DatabasePlace = {
  /** Undefined if the secret is in the settings: after a restore, the same secret has to be set. */
  secretFile: string | undefined
} & ({ engine: 'sqlite'; path: string } | { engine: 'postgres'; directUrl: string })

const hour = 60 * 60 * 1000
const maxHours = 30 * 24

/** Parses `off` or an interval from one hour to 30 days. Returns undefined for anything else. */
export function readEvery(text: string): { every: number | undefined } | undefined {
  if (text === 'off') return { every: undefined }
  const [, number, unit] = /^(\d{1,3})([hd])$/.exec(text) ?? []
  const hours = Number(number) * (unit === 'd' ? 24 : 1)
  return hours >= 1 && hours <= maxHours ? { every: hours * hour } : undefined
}

/** Parses how many backups to keep. Returns undefined if the text keeps none or is invalid. */
export function readKeep(text: string): Keep | undefined {
  const keep = { daily: 0, weekly: 0 }
  for (const part of text.split(',')) {
    const [, number, span] = /^\s*(\d{1,3})\s+(daily|weekly)\s*$/.exec(part) ?? []
    if (span !== 'daily' && span !== 'weekly') return undefined
    keep[span] = Number(number)
  }
  return keep.daily + keep.weekly > 0 ? keep : undefined
}
