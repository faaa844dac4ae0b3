// Separate from the chime: the code of the chime loads after the first screen, and the press that allows sound may come before.

let audio: AudioContext | undefined

/** Allows this page to make a sound. Browsers require a press for that, so call this while handling one. */
export function allowSound(): void {
  try {
    audio ??= new AudioContext()
    audio.resume().catch(() => {})
  } catch (error) {
    console.warn('This browser makes no sound', error)
  }
}

/** The audio context for sounds; undefined if no press has allowed sound yet. */
export function allowedSound(): AudioContext | undefined {
  return audio
}
