// Which files are accepted as a picture. The browser sends only the small square in the middle. For clients that send a whole
// file, the server allows fewer pixels, depending on how much work the format takes.

/** The largest file that may be chosen: 5 MB. */
export const maxBytes = 5 * 1024 * 1024

/** The most pixels that a phone camera puts into a file of `maxBytes`. */
export const maxPixels = 50_000_000

export type PictureType = 'image/jpeg' | 'image/png' | 'image/gif'

export interface PictureHead {
  type: PictureType
  /** Width and height in pixels, as stored. A camera that is held upright may store the picture sideways. */
  width: number
  height: number
}

export const notAPicture = "This file isn't a JPG, PNG or GIF picture"

/** What is wrong with a picture file, judging by its size alone; undefined if nothing is. */
export function problemOfSize(bytes: number): string | undefined {
  if (bytes <= maxBytes) return undefined
  const megabytes = Math.ceil((bytes / maxBytes) * 50) / 10
  return `This file is ${megabytes} MB, but pictures can be up to 5 MB`
}

/**
 * What is wrong with a picture, judging by its first bytes; undefined if nothing is. Nothing is decoded, because a small file may
 * hold a huge picture.
 */
export function problemOfHead(head: PictureHead | undefined): string | undefined {
  if (!head) return notAPicture
  if (head.width * head.height <= maxPixels) return undefined
  const [width, height] = [head.width, head.height].map((length) => length.toLocaleString('en'))
  return `This picture is too large to open: ${width} × ${height} pixels`
}

/**
 * Reads a file's type and size from its content, whatever its name says. Returns undefined unless the file is a JPG, PNG or GIF
 * with a valid size.
 */
export function headOfPicture(bytes: Uint8Array): PictureHead | undefined {
  const head = headOfPng(bytes) ?? headOfGif(bytes) ?? headOfJpeg(bytes)
  return head && head.width > 0 && head.height > 0 ? head : undefined
}

const pngMagic = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

function headOfPng(bytes: Uint8Array): PictureHead | undefined {
  if (bytes.length < 24 || !startsWith(bytes, pngMagic) || textAt(bytes, 12, 4) !== 'IHDR') return undefined
  const view = viewOf(bytes)
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
}

function headOfGif(bytes: Uint8Array): PictureHead | undefined {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) return undefined
  const view = viewOf(bytes)
  return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

/** A JPG's size is in its frame header, which follows any number of other segments. */
function headOfJpeg(bytes: Uint8Array): PictureHead | undefined {
  if (!startsWith(bytes, [0xff, 0xd8, 0xff])) return undefined
  const view = viewOf(bytes)
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
    } else if (isFrameHeader(marker)) {
      return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    } else {
      at += 2 + view.getUint16(at + 2)
    }
  }
  return undefined
}

/** The markers SOF0 to SOF15. DHT, JPG and DAC lie in that range, but are no frame headers. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte)
}

function textAt(bytes: Uint8Array, start: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(start, start + length))
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
