import type { Sharp } from 'sharp'
import { maxBytes, maxPixels, notAPicture as notAPictureWords } from '../picture.ts'
import { createPictureQueue, type NotMade } from './picture-queue.ts'

// The most pixels for each format, so that any picture, however malicious, takes at most about a second of one processor and 100
// MB. `byRows` is for pictures that are stored row by row and shrunk while they are read. `whole` is for progressive and
// interlaced pictures: they are read in several passes, so all their pixels are held in memory.
const maxPixelsOf = {
  jpeg: { byRows: maxPixels, whole: 12_000_000 },
  png: { byRows: 9_000_000, whole: 4_000_000 },
  gif: { byRows: 9_000_000, whole: 9_000_000 },
} as const
/** The longest side allowed, in pixels: decoding has to hold many rows at once, which much longer rows would make expensive. */
const maxSide = { jpeg: 8_192, png: 5_000, gif: 5_000 } as const
/** The most scans allowed. A progressive JPG has about ten, and even a nearly empty scan costs a pass over all pixels. */
const maxScans = 40
/** How many people may have a picture waiting. Each may take up to 20 MB of upload. */
const maxWaiting = 8
const side = 256
/** Seconds that one conversion may take. */
const timeout = 10

const kinds = [
  { format: 'jpeg', magic: [0xff, 0xd8, 0xff] },
  { format: 'png', magic: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { format: 'gif', magic: [...new TextEncoder().encode('GIF8')] },
] as const

const notAPicture = { problem: notAPictureWords }
const tooLarge = { problem: 'Pictures can be up to 5 MB' }
const tooManyPixels = { problem: "This picture's dimensions are too large" }
const tooManyScans = { problem: 'This picture has too many layers' }
const unreadable = { problem: "This picture can't be read: it may be damaged or incomplete" }

type MadePicture = { webp: Uint8Array } | { problem: string }
type Format = keyof typeof maxPixelsOf

/** Converts a data URL into the user's picture, or says why it could not. */
export type PictureMaker = (user: string, dataUrl: string) => Promise<MadePicture | NotMade>

/**
 * Recognises the picture in a data URL by its content, whatever type it claims. Converts the first frame to 256×256 pixels of
 * WebP without metadata, upright and cropped to the square in the middle. Otherwise returns what is wrong, in words for the
 * person. Users take turns.
 */
export function createPictureMaker(): PictureMaker {
  const enqueue = createPictureQueue<MadePicture>(maxWaiting)
  return async (user, dataUrl) => {
    const sent = decode(dataUrl)
    return 'problem' in sent ? sent : enqueue(user, () => convert(sent))
  }
}

function decode(dataUrl: string): { bytes: Uint8Array; format: Format } | { problem: string } {
  const encoded = /^data:[^,]{0,200};base64,/.exec(dataUrl)?.[0]
  if (encoded === undefined) return notAPicture
  const base64 = dataUrl.slice(encoded.length)
  if (base64.length > Math.ceil(maxBytes / 3) * 4) return tooLarge
  const bytes = fromBase64(base64)
  const kind = bytes && kinds.find(({ magic }) => magic.every((byte, index) => bytes[index] === byte))
  if (!kind) return notAPicture
  if (bytes.byteLength > maxBytes) return tooLarge
  return { bytes, format: kind.format }
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(text)
  } catch {
    return undefined
  }
}

async function convert({ bytes, format }: { bytes: Uint8Array; format: Format }): Promise<MadePicture> {
  const open = await sharp()
  try {
    const head = await open(bytes, Infinity).metadata()
    if (head.format !== format) return notAPicture
    const max = maxPixelsOf[format][head.isProgressive ? 'whole' : 'byRows']
    if (head.width * head.height > max || Math.max(head.width, head.height) > maxSide[format])
      return tooManyPixels
    if (format === 'jpeg' && scansOf(bytes) > maxScans) return tooManyScans
    const webp = await open(bytes, max)
      .autoOrient()
      .resize(side, side, { fit: 'cover' })
      .webp({ quality: 82 })
      .timeout({ seconds: timeout })
      .toUint8Array()
    return { webp: webp.data }
  } catch {
    return unreadable
  }
}

/** How many scans, that is passes over the pixels, a JPG has. */
function scansOf(bytes: Uint8Array): number {
  let scans = 0
  for (let at = 2; at + 3 < bytes.length; ) {
    const marker = bytes[at] === 0xff ? (bytes[at + 1] ?? 0) : 0
    if (marker === 0xd9) break
    if (hasSegment(marker)) {
      if (marker === 0xda) scans += 1
      at += 2 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0)
    } else at += 1
  }
  return scans
}

/** Whether a segment with a length follows the marker. Scan data and the markers inside it have no length. */
function hasSegment(marker: number): boolean {
  return marker >= 0xc0 && marker < 0xff && (marker < 0xd0 || marker > 0xd8)
}

let loaded: Promise<(bytes: Uint8Array, pixels: number) => Sharp> | undefined

/** Loads sharp with the first picture, because most processes never convert one. */
function sharp() {
  loaded ??= load()
  return loaded
}

async function load() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  // sharp supports thirty formats; allow only these three.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif'] })
  return (bytes: Uint8Array, pixels: number) =>
    sharp(bytes, { limitInputPixels: pixels === Infinity ? false : pixels, failOn: 'error' })
}
