import { headOfPicture, problemOfHead, problemOfSize } from '../picture.ts'

/** A file that may become the person's picture. */
export interface ChosenPicture {
  /** The whole file, as a data URL. */
  image: string
  /** The square in its middle, upright, as the server will cut it. */
  square: ImageBitmap
}

export const previewSide = 256

const damaged = 'This picture is damaged and cannot be opened'

/** Looks at a chosen file before anything is sent; the text says what is wrong with it. Never rejects. */
export async function openPicture(file: File): Promise<ChosenPicture | string> {
  const tooLarge = problemOfSize(file.size)
  if (tooLarge) return tooLarge
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const head = headOfPicture(bytes)
    const problem = problemOfHead(head)
    if (!head || problem) return problem ?? damaged
    // Its name may claim another type than it is.
    const picture = new Blob([bytes], { type: head.type })
    return { image: await dataUrl(picture), square: await middleSquare(picture) }
  } catch (error) {
    console.warn('The chosen file could not be opened', error)
    return damaged
  }
}

async function middleSquare(picture: Blob): Promise<ImageBitmap> {
  const whole = await createImageBitmap(picture, { imageOrientation: 'from-image' })
  const side = Math.min(whole.width, whole.height)
  const left = Math.floor((whole.width - side) / 2)
  const top = Math.floor((whole.height - side) / 2)
  const square = await createImageBitmap(whole, left, top, side, side, {
    resizeWidth: previewSide,
    resizeHeight: previewSide,
    resizeQuality: 'high',
  })
  whole.close()
  return square
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}
