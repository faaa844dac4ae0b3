type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** Sleeps until woken or until a time has passed. A wake-up while awake ends the next sleep at once. */
export class Sleeper {
  #pause: Pause
  #woken = false
  #wakeUp: (() => void) | undefined

  constructor(pause: Pause) {
    this.#pause = pause
  }

  wake(): void {
    this.#woken = true
    this.#wakeUp?.()
  }

  /** Forgets earlier wake-ups because they have been handled. Only later ones end the next sleep. */
  clearWakeUp(): void {
    this.#woken = false
  }

  /** Sleeps until woken or until the time has passed. Resolves with true if the time passed, and rejects when aborted. */
  async sleep(signal: AbortSignal, milliseconds?: number): Promise<boolean> {
    signal.throwIfAborted()
    if (this.#woken) {
      this.#woken = false
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
    // After a stop and a new start, another sleep may have begun by now.
    if (this.#wakeUp === wakeUp) this.#wakeUp = undefined
    this.#woken = false
    signal.throwIfAborted()
    return passed
  }
}
