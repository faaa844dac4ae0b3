// Apart from the chime, which comes after the first screen: a press there may be the one that allows it.

let audio: AudioContext | undefined

/** Browsers make a sound only after the person has pressed something, so call this from a press. */
export function allowSound(): void {
  try {
    audio ??= new AudioContext()
    audio.resume().catch(() => {})
  } catch (error) {
    console.warn('This browser makes no sound', error)
  }
}

/** What makes a sound; undefined if no press has allowed it. */
export function allowedSound(): AudioContext | undefined {
  return audio
}
