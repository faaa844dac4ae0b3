import type { Sharp } from 'sharp'
import { mostBytes, mostPixels, notAPicture as notAPictureWords } from '../picture.ts'

// One that is stored for being shown bit by bit has to be held whole: 240 MB at its worst.
const mostPixelsAtOnce = 25_000_000
const side = 256
const patience = 20

const kinds = [
  { format: 'jpeg', magic: [0xff, 0xd8, 0xff] },
  { format: 'png', magic: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { format: 'gif', magic: [...new TextEncoder().encode('GIF8')] },
] as const

const notAPicture = { problem: notAPictureWords }
const tooLarge = { problem: 'A picture may be 5 MB at most' }
const tooManyPixels = { problem: 'This picture has too many pixels' }
const unreadable = { problem: 'This picture cannot be read: it may be damaged or cut off' }

type Made = { webp: Uint8Array } | { problem: string }

/**
 * The picture of a data URL, looked at by its content whatever it calls itself: upright, cropped to the square in its
 * middle, 256×256 pixels of WebP without metadata; of several frames the first. Otherwise what is wrong, for the person.
 */
export async function makePicture(dataUrl: string): Promise<Made> {
  const encoded = /^data:[^,]{0,200};base64,/.exec(dataUrl)?.[0]
  if (encoded === undefined) return notAPicture
  const base64 = dataUrl.slice(encoded.length)
  if (base64.length > Math.ceil(mostBytes / 3) * 4) return tooLarge
  const bytes = fromBase64(base64)
  const kind = bytes && kinds.find(({ magic }) => magic.every((byte, index) => bytes[index] === byte))
  if (!kind) return notAPicture
  if (bytes.byteLength > mostBytes) return tooLarge
  return inTurn(() => redraw(bytes, kind.format))
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(text)
  } catch {
    return undefined
  }
}

async function redraw(bytes: Uint8Array, format: string): Promise<Made> {
  const open = await sharp()
  try {
    const head = await open(bytes, Infinity).metadata()
    if (head.format !== format) return notAPicture
    const most = head.isProgressive ? mostPixelsAtOnce : mostPixels
    if (head.width * head.height > most) return tooManyPixels
    const webp = await open(bytes, most)
      .autoOrient()
      .resize(side, side, { fit: 'cover' })
      .webp({ quality: 82 })
      .timeout({ seconds: patience })
      .toUint8Array()
    return { webp: webp.data }
  } catch {
    return unreadable
  }
}

let lastTurn: Promise<unknown> = Promise.resolve()

/** One picture after another: each takes a thread that hashing and files need too, and much memory. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(work)
  lastTurn = turn.catch(() => {})
  return turn
}

let loaded: Promise<(bytes: Uint8Array, pixels: number) => Sharp> | undefined

/** Loaded with the first picture: most processes never see one. */
function sharp() {
  loaded ??= load()
  return loaded
}

async function load() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  // It knows thirty formats; nothing but these three is ever to be opened here.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif'] })
  return (bytes: Uint8Array, pixels: number) =>
    sharp(bytes, { limitInputPixels: pixels === Infinity ? false : pixels, failOn: 'error' })
}
