import { storedChoice } from '#platform/browser/device/stored-choice.ts'
import { allowedSound } from '../timer/web/allowed-sound.ts'

/** Whether this device makes a sound when the time is up. */
export const soundChoice = storedChoice('daymark-focus-sound', ['on', 'off'])

// Two soft notes, a fifth apart. `pitch` is in hertz, `at` in seconds from the start.
const notes = [
  { pitch: 523.25, at: 0 },
  { pitch: 783.99, at: 0.35 },
]
const fade = 1.6

/** Plays the sound in only one of the tabs that may play sound, unless the person muted it. */
export async function chime(run: string): Promise<void> {
  const context = allowedSound()
  if (!context || soundChoice.read() === 'off') return
  // Browsers suspend audio, and some resume it only at the next press, which would be too late. Stop waiting after half a second.
  await Promise.race([context.resume(), new Promise((done) => setTimeout(done, 500))])
  if (context.state !== 'running') return
  if (!navigator.locks) return play(context)
  await navigator.locks.request(`daymark-chime-${run}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return
    play(context)
    // Holds the lock while the other tabs notice the end, so that they find it taken and stay silent.
    await new Promise((done) => setTimeout(done, 5_000))
  })
}

function play(context: AudioContext): void {
  const start = context.currentTime + 0.05
  for (const { pitch, at } of notes) {
    const volume = new GainNode(context, { gain: 0 })
    volume.gain.setValueAtTime(0, start + at)
    volume.gain.linearRampToValueAtTime(0.2, start + at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, start + at + fade)
    const tone = new OscillatorNode(context, { frequency: pitch })
    tone.connect(volume).connect(context.destination)
    tone.start(start + at)
    tone.stop(start + at + fade)
  }
}
