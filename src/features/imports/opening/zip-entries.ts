/** A file in a zip file, as the zip's directory describes it. The directory may be wrong or forged. */
export interface EntryOfZip {
  path: string
  /** The compression method. 0: none; 8: deflate. */
  method: number
  encrypted: boolean
  /** The file's bytes in the zip file, still packed. */
  packed: Uint8Array<ArrayBuffer>
  /** The size in bytes after unpacking, as the directory states it. */
  size: number
}

const endOfDirectory = 0x06054b50
const entryOfDirectory = 0x02014b50
const localHeader = 0x04034b50
/** The length of the record that ends the directory, and of the longest comment that may follow it. */
const [endLength, longestComment] = [22, 65_535]

/**
 * Reads the directory of a zip file, which is at the file's end. Undefined if the zip has no directory, or if the directory
 * points outside of the file. fflate's own reader is not used, because it unpacks each file as a whole and trusts the size in the
 * directory.
 */
export function entriesOfZip(bytes: Uint8Array<ArrayBuffer>): EntryOfZip[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = placeOfEnd(view)
  if (end === undefined) return undefined
  try {
    const count = view.getUint16(end + 10, true)
    let place = view.getUint32(end + 16, true)
    const entries: EntryOfZip[] = []
    while (entries.length < count) {
      if (view.getUint32(place, true) !== entryOfDirectory) return undefined
      const nameLength = view.getUint16(place + 28, true)
      const restLength = view.getUint16(place + 30, true) + view.getUint16(place + 32, true)
      const packed = packedBytes(
        bytes,
        view,
        view.getUint32(place + 42, true),
        view.getUint32(place + 20, true),
      )
      if (!packed) return undefined
      entries.push({
        path: new TextDecoder().decode(bytes.subarray(place + 46, place + 46 + nameLength)),
        method: view.getUint16(place + 10, true),
        encrypted: (view.getUint16(place + 8, true) & 1) === 1,
        packed,
        size: view.getUint32(place + 24, true),
      })
      place += 46 + nameLength + restLength
    }
    return entries
  } catch (error) {
    // The directory points outside of the file.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function placeOfEnd(view: DataView): number | undefined {
  const last = view.byteLength - endLength
  for (let place = last; place >= Math.max(0, last - longestComment); place -= 1) {
    if (view.getUint32(place, true) === endOfDirectory) return place
  }
  return undefined
}

function packedBytes(
  bytes: Uint8Array<ArrayBuffer>,
  view: DataView,
  header: number,
  length: number,
): Uint8Array<ArrayBuffer> | undefined {
  if (view.getUint32(header, true) !== localHeader) return undefined
  const start = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true)
  return start + length > bytes.length ? undefined : bytes.subarray(start, start + length)
}
