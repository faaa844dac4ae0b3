import { headOfPicture, problemOfHead, problemOfSize } from '../picture.ts'

/** A file that may become the person's picture. */
export interface ChosenPicture {
  /** The picture to send, as a data URL. */
  image: string
  /** The square in the middle of the picture, upright, as the server will crop it. */
  square: ImageBitmap
}

export const previewSide = 256

const damaged = "This picture is damaged and can't be opened"

/** Checks a chosen file before anything is sent. Returns a message if something is wrong with the file; never rejects. */
export async function openPicture(file: File): Promise<ChosenPicture | string> {
  const tooLarge = problemOfSize(file.size)
  if (tooLarge) return tooLarge
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const head = headOfPicture(bytes)
    const problem = problemOfHead(head)
    if (!head || problem) return problem ?? damaged
    // Use the type that the content shows, because the file's name may claim another.
    const picture = new Blob([bytes], { type: head.type })
    const square = await middleSquare(picture)
    // Send only the small square: the server keeps nothing else, however large the file is.
    return { image: await dataUrl((await fileOf(square)) ?? picture), square }
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

/** The square as a PNG file. Undefined if the browser returns no pixels or wrong ones, as some do to prevent fingerprinting. */
async function fileOf(square: ImageBitmap): Promise<Blob | undefined> {
  try {
    const canvas = new OffscreenCanvas(previewSide, previewSide)
    const context = canvas.getContext('2d')
    if (!context || !givesOutWhatWasDrawn(context)) return undefined
    context.clearRect(0, 0, previewSide, previewSide)
    context.drawImage(square, 0, 0)
    return await canvas.convertToBlob({ type: 'image/png' })
  } catch (error) {
    console.warn('The picture is sent whole', error)
    return undefined
  }
}

function givesOutWhatWasDrawn(context: OffscreenCanvasRenderingContext2D): boolean {
  context.fillStyle = '#165e42'
  context.fillRect(0, 0, previewSide, previewSide)
  const { data } = context.getImageData(0, 0, previewSide, previewSide)
  const drawn = [0x16, 0x5e, 0x42, 0xff]
  return data.every((value, place) => value === drawn[place % 4])
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}
