const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts how many durations, in seconds, fall into each bucket. */
export class Histogram {
  readonly #counts = new Array<number>(bounds.length + 1).fill(0)
  #sum = 0

  observe(seconds: number): void {
    let place = 0
    while (place < bounds.length && seconds > (bounds[place] ?? 0)) place += 1
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
    this.#sum += seconds
  }

  samples(labels: Readonly<Record<string, string>> = {}) {
    let cumulative = 0
    const buckets = this.#counts.map((count, place) => {
      cumulative += count
      const le = bounds[place] ?? '+Inf'
      return { suffix: '_bucket', labels: { ...labels, le }, value: cumulative }
    })
    return [
      ...buckets,
      { suffix: '_sum', labels, value: this.#sum },
      { suffix: '_count', labels, value: cumulative },
    ]
  }
}
