type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** Sleeps until it is woken, or for a time. What wakes it while it is awake ends its next sleep at once. */
export class Sleeper {
  #pause: Pause
  #awake = false
  #wakeUp: (() => void) | undefined

  constructor(pause: Pause) {
    this.#pause = pause
  }

  wake(): void {
    this.#awake = true
    this.#wakeUp?.()
  }

  /** What woke it before is seen to: what wakes it from here on is worth another look. */
  attend(): void {
    this.#awake = false
  }

  /** Until woken, or for a time: true when that has passed. Rejects when aborted. */
  async sleep(signal: AbortSignal, milliseconds?: number): Promise<boolean> {
    signal.throwIfAborted()
    if (this.#awake) {
      this.#awake = false
      return false
    }
    const over = new AbortController()
    let wakeUp = () => {}
    const woken = new Promise<false>((resolve) => {
      wakeUp = () => resolve(false)
    })
    this.#wakeUp = wakeUp
    signal.addEventListener('abort', wakeUp, { once: true, signal: over.signal })
    const waits: Promise<boolean>[] = [woken]
    if (milliseconds !== undefined) {
      const time = this.#pause(milliseconds, AbortSignal.any([signal, over.signal]))
      waits.push(
        time.then(
          () => true,
          () => false,
        ),
      )
    }
    const passed = await Promise.race(waits)
    over.abort()
    // Who was stopped and started again may sleep anew by now.
    if (this.#wakeUp === wakeUp) this.#wakeUp = undefined
    this.#awake = false
    signal.throwIfAborted()
    return passed
  }
}
