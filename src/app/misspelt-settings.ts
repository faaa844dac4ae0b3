type Environment = Readonly<Record<string, string | undefined>>

/**
 * A line for each variable that is set, unknown, and so much like a setting that it was probably meant as one. Values are
 * never repeated: they may be secrets.
 */
export function doubtsAbout(environment: Environment, settings: readonly string[]): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    const { prefix, core, suffix } = partsOf(name)
    if (value.trim() === '' || (prefix === '' && settings.includes(core))) return []
    // What Kubernetes sets for a service that is called daymark.
    if (prefix !== '' && ['PORT', 'HOST'].includes(core)) return []
    const nearest = nearestOf(core, settings)
    if (nearest === undefined) return []
    const meant = nearest + suffix
    // It counts all the same where names are not told apart by their case.
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

/** A short name is near to many that mean something else: HOME and HOST, SITE_URL and SMTP_URL. */
function slipsIn({ length }: string): number {
  if (length < 6) return 0
  return length < 10 ? 1 : 2
}

/** How many letters are missing, too many, wrong, or have changed places with their neighbour. */
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
