import type { Sharp } from 'sharp'
import { mostBytes, mostPixels, notAPicture as notAPictureWords } from '../picture.ts'
import { createPictureTurns, type NotMade } from './picture-turns.ts'

// What one picture may cost: about a second of one processor and 100 MB, whoever made it with the worst in mind. A JPG whose
// rows are stored one after another is shrunk while it is read; what goes over its pixels several times is held whole.
const mostPixelsOf = {
  jpeg: { byRows: mostPixels, whole: 12_000_000 },
  png: { byRows: 9_000_000, whole: 4_000_000 },
  gif: { byRows: 9_000_000, whole: 9_000_000 },
} as const
/** Of either side: of a row that is much longer, many have to be held at once. */
const longestSide = { jpeg: 8_192, png: 5_000, gif: 5_000 } as const
/** A progressive JPG has about ten. One that is nearly empty still costs a walk over all pixels. */
const mostScans = 40
/** People whose pictures may wait, each with up to 20 MB of what they sent. */
const mostWaiting = 8
const side = 256
/** Seconds. */
const patience = 10

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

type Made = { webp: Uint8Array } | { problem: string }
type Format = keyof typeof mostPixelsOf

/** Makes the picture of a user out of a data URL. */
export type PictureMaker = (user: string, dataUrl: string) => Promise<Made | NotMade>

/**
 * The picture of a data URL is looked at by its content, whatever it calls itself, and becomes upright, cropped to the
 * square in its middle, 256×256 pixels of WebP without metadata; of several frames the first. Otherwise the answer says
 * what is wrong, for the person. Users take turns.
 */
export function createPictureMaker(): PictureMaker {
  const inTurn = createPictureTurns<Made>(mostWaiting)
  return async (user, dataUrl) => {
    const sent = decode(dataUrl)
    return 'problem' in sent ? sent : inTurn(user, () => redraw(sent))
  }
}

function decode(dataUrl: string): { bytes: Uint8Array; format: Format } | { problem: string } {
  const encoded = /^data:[^,]{0,200};base64,/.exec(dataUrl)?.[0]
  if (encoded === undefined) return notAPicture
  const base64 = dataUrl.slice(encoded.length)
  if (base64.length > Math.ceil(mostBytes / 3) * 4) return tooLarge
  const bytes = fromBase64(base64)
  const kind = bytes && kinds.find(({ magic }) => magic.every((byte, index) => bytes[index] === byte))
  if (!kind) return notAPicture
  if (bytes.byteLength > mostBytes) return tooLarge
  return { bytes, format: kind.format }
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(text)
  } catch {
    return undefined
  }
}

async function redraw({ bytes, format }: { bytes: Uint8Array; format: Format }): Promise<Made> {
  const open = await sharp()
  try {
    const head = await open(bytes, Infinity).metadata()
    if (head.format !== format) return notAPicture
    const most = mostPixelsOf[format][head.isProgressive ? 'whole' : 'byRows']
    if (head.width * head.height > most || Math.max(head.width, head.height) > longestSide[format])
      return tooManyPixels
    if (format === 'jpeg' && scansOf(bytes) > mostScans) return tooManyScans
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

/** How often a JPG goes over its pixels. */
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

/** Whether a marker is followed by a segment with a length: the data of a scan and the marks within it have none. */
function hasSegment(marker: number): boolean {
  return marker >= 0xc0 && marker < 0xff && (marker < 0xd0 || marker > 0xd8)
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
