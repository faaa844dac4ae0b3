type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns a line for each unknown variable whose name is so similar to a setting that it was probably meant as one. Values
 * are never repeated, since they may be secrets.
 */
export function doubtsAbout(environment: Environment, settings: readonly string[]): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    const { prefix, core, suffix } = partsOf(name)
    if (value.trim() === '' || (prefix === '' && settings.includes(core))) return []
    // Kubernetes sets PORT and HOST with the prefix DAYMARK_ for a service named daymark.
    if (prefix !== '' && ['PORT', 'HOST'].includes(core)) return []
    const nearest = nearestOf(core, settings)
    if (nearest === undefined) return []
    const meant = nearest + suffix
    // Where the names of variables are case-insensitive, the variable works anyway.
    if (environment[meant] === value) return []
    return [`${name} is set, but Daymark does not know it: did you mean ${meant}?`]
  })
}

function partsOf(name: string): { prefix: string; core: string; suffix: string } {
  const [, prefix = '', core = '', suffix = ''] = /^(DAYMARK_)?(.*?)(_FILE)?$/i.exec(name) ?? []
  return { prefix, core, suffix: suffix.toUpperCase() }
}

function nearestOf(name: string, settings: readonly string[]): string | undefined {
  const written = name.toUpperCase()
  const sameLetters = settings.find((setting) => setting.replaceAll('_', '') === written.replaceAll('_', ''))
  if (sameLetters !== undefined) return sameLetters
  return settings.find((setting) => distanceBetween(written, setting) <= slipsIn(setting))
}

/**
 * The number of typos allowed. A short name resembles many names with another meaning, such as HOME and HOST, or SITE_URL
 * and SMTP_URL.
 */
function slipsIn({ length }: string): number {
  if (length < 6) return 0
  return length < 10 ? 1 : 2
}

/** The number of missing, extra, wrong or transposed letters between two words. */
function distanceBetween(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let place = 1; place <= other.length; place += 1) {
      const wrong = one[row - 1] === other[place - 1] ? 0 : 1
      const swapped = one[row - 1] === other[place - 2] && one[row - 2] === other[place - 1]
      next.push(
        Math.min(
          (last[place] ?? 0) + 1,
          (next[place - 1] ?? 0) + 1,
          (last[place - 1] ?? 0) + wrong,
          swapped ? (beforeLast[place - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = next
  }
  return last[other.length] ?? 0
}
