/** Metrics in Prometheus' text format, version 0.0.4. */
export interface Registry {
  add(family: Family): void
  text(): Promise<string>
}

export interface Family {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /**
   * Called when the metrics are read. If it throws, the metric is left out, so that a failing metric does not hide the others.
   */
  read: () => readonly Sample[] | Promise<readonly Sample[]>
}

interface Sample {
  /** Follows the family's name, such as `_bucket`. */
  suffix?: string
  labels?: Readonly<Record<string, string | number>>
  value: number
}

export const textFormat = 'text/plain; version=0.0.4; charset=utf-8'

export function createRegistry(): Registry {
  const families: Family[] = []
  return {
    add: (family) => families.push(family),
    async text() {
      const texts = await Promise.all(families.map(textOf))
      return texts.join('')
    },
  }
}

/** A metric with a single value. `undefined` means that it has none at the moment. */
export function single(
  name: string,
  help: string,
  type: 'counter' | 'gauge',
  read: () => number | undefined | Promise<number | undefined>,
): Family {
  return {
    name,
    help,
    type,
    async read() {
      const value = await read()
      return value === undefined ? [] : [{ value }]
    },
  }
}

async function textOf({ name, help, type, read }: Family): Promise<string> {
  const samples = await Promise.resolve()
    .then(read)
    .catch(() => [])
  if (samples.length === 0) return ''
  const lines = samples.map(
    ({ suffix = '', labels, value }) => `${name}${suffix}${labelsOf(labels)} ${formatValue(value)}\n`,
  )
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelsOf(labels: Sample['labels'] = {}): string {
  const pairs = Object.entries(labels).map(
    ([label, value]) => `${label}="${escaped(String(value)).replaceAll('"', '\\"')}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function formatValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}
