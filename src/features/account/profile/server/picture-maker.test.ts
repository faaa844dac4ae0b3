import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { createPictureMaker } from './picture-maker.ts'

const green = { r: 22, g: 94, b: 66 }
const red = { r: 200, g: 30, b: 30 }
const blank = (width: number, height: number, background = green) =>
  sharp({ create: { width, height, channels: 3, background } })

const makeOf = createPictureMaker()

/** Converts a picture of somebody who sends no other one. */
async function makePicture(url: string) {
  const made = await makeOf(crypto.randomUUID(), url)
  if (typeof made === 'string') throw new Error(made)
  return made
}

// sharp opens only the three formats, for the whole process; the test inspects the result by other means.
beforeAll(async () => {
  await makePicture(dataUrl(await blank(1, 1).png().toBuffer()))
  sharp.unblock({ operation: ['VipsForeignLoadWebp'] })
})

function dataUrl(bytes: Uint8Array | string, type = 'image/png'): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

async function made(bytes: Uint8Array, type?: string): Promise<Uint8Array> {
  const answer = await makePicture(dataUrl(bytes, type))
  if ('problem' in answer) throw new Error(answer.problem)
  return answer.webp
}

/** The colour of one pixel of the result. */
async function pixel(webp: Uint8Array, left: number, top: number) {
  const { data } = await sharp(webp)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { r: data[0] ?? 0, g: data[1] ?? 0, b: data[2] ?? 0 }
}

const like = (one: typeof green, other: typeof green) =>
  Math.abs(one.r - other.r) + Math.abs(one.g - other.g) + Math.abs(one.b - other.b) < 60

/** The left half is red, the right half green. */
const halves = (width: number, height: number) =>
  blank(width, height).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: red } }, left: 0, top: 0 },
  ])

describe('a picture that is chosen', () => {
  test.each([
    ['JPG', () => blank(640, 480).jpeg().toBuffer()],
    [
      'progressive JPG in the colours of print',
      () => blank(640, 480).toColourspace('cmyk').jpeg({ progressive: true }).toBuffer(),
    ],
    ['PNG', () => blank(640, 480).png().toBuffer()],
    ['PNG of 16 bit', () => blank(640, 480).toColourspace('rgb16').png().toBuffer()],
    ['GIF', () => blank(640, 480).gif().toBuffer()],
    ['PNG of one pixel', () => blank(1, 1).png().toBuffer()],
    ['JPG of 24 megapixels', () => blank(6000, 4000).jpeg().toBuffer()],
  ])('%s becomes 256×256 pixels of WebP', async (_, bytes) => {
    const head = await sharp(await made(await bytes())).metadata()
    expect(head).toMatchObject({ format: 'webp', width: 256, height: 256, space: 'srgb' })
  })

  test('is recognised by its content, whatever it claims to be', async () => {
    const png = await blank(9, 9).png().toBuffer()
    for (const type of ['image/jpeg', 'image/svg+xml', 'text/html;charset=utf-8', '']) {
      expect((await made(png, type)).length).toBeGreaterThan(0)
    }
  })

  test('is cropped to the square in its middle', async () => {
    const wide = await made(await halves(800, 200).png().toBuffer())
    expect(like(await pixel(wide, 10, 128), red)).toBe(true)
    expect(like(await pixel(wide, 245, 128), green)).toBe(true)
    const uneven = await blank(600, 200)
      .composite([
        { input: { create: { width: 150, height: 200, channels: 3, background: red } }, left: 0, top: 0 },
      ])
      .png()
      .toBuffer()
    expect(like(await pixel(await made(uneven), 2, 128), green)).toBe(true)
  })

  test('is turned upright, in all eight camera orientations', async () => {
    const corners = {
      topLeft: [10, 10],
      topRight: [245, 10],
      bottomLeft: [10, 245],
      bottomRight: [245, 245],
    } as const
    const redCorners: Record<number, (keyof typeof corners)[]> = {
      1: ['topLeft', 'bottomLeft'],
      2: ['topRight', 'bottomRight'],
      3: ['topRight', 'bottomRight'],
      4: ['topLeft', 'bottomLeft'],
      5: ['topLeft', 'topRight'],
      6: ['topLeft', 'topRight'],
      7: ['bottomLeft', 'bottomRight'],
      8: ['bottomLeft', 'bottomRight'],
    }
    for (const [orientation, expected] of Object.entries(redCorners)) {
      const lying = await halves(400, 300)
        .withMetadata({ orientation: Number(orientation) })
        .jpeg()
        .toBuffer()
      const webp = await made(lying)
      const found: string[] = []
      for (const [name, [left, top]] of Object.entries(corners)) {
        if (like(await pixel(webp, left, top), red)) found.push(name)
      }
      expect({ orientation, found }).toEqual({ orientation, found: expected })
      expect((await sharp(webp).metadata()).orientation).toBeUndefined()
    }
  })

  test('no longer reveals where, when and with what it was taken', async () => {
    const telling = await blank(300, 300)
      .withExif({ IFD0: { Copyright: 'SECRET-owner' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withIccProfile('p3')
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SECRET-xmp</x:xmpmeta>')
      .jpeg()
      .toBuffer()
    expect(telling.toString('latin1')).toContain('SECRET')
    const webp = await made(telling)
    expect(Buffer.from(webp).toString('latin1')).not.toContain('SECRET')
    const { exif, icc, xmp, iptc } = await sharp(webp).metadata()
    expect({ exif, icc, xmp, iptc }).toEqual({})
  })

  test('stays transparent where it was', async () => {
    const transparent = sharp({
      create: { width: 50, height: 50, channels: 4, background: { ...green, alpha: 0 } },
    })
    expect((await sharp(await made(await transparent.png().toBuffer())).stats()).isOpaque).toBe(false)
  })

  test('shows the first frame of an animated GIF', async () => {
    const frames = [red, green, { r: 0, g: 0, b: 99 }].map((colour) => blank(64, 64, colour).png().toBuffer())
    const moving = await sharp(await Promise.all(frames), { join: { animated: true } })
      .gif()
      .toBuffer()
    expect((await sharp(moving).metadata()).pages).toBe(3)
    const webp = await made(moving)
    expect((await sharp(webp).metadata()).pages ?? 1).toBe(1)
    expect(like(await pixel(webp, 128, 128), red)).toBe(true)
  })
})

describe('what is refused', () => {
  const problemOf = async (url: string) => {
    const answer = await makePicture(url)
    return 'problem' in answer ? answer.problem : 'nothing'
  }
  const notAPicture = "This file isn't a JPG, PNG or GIF picture"
  const tooManyPixels = "This picture's dimensions are too large"
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'

  test.each([
    ['nothing', ''],
    ['no data URL', 'https://example.org/me.png'],
    ['a path of our own', '/api/pictures/018f0000-0000-7000-8000-000000000000'],
    ['an empty data URL', 'data:image/png;base64,'],
    ['a data URL that is not base64', 'data:image/png,%89PNG'],
    ['base64 that is none', 'data:image/png;base64,iVBORw0KGgo*'],
    ['an SVG', dataUrl(svg, 'image/svg+xml')],
    ['an SVG that calls itself a PNG', dataUrl(svg)],
    ['a page renamed .png', dataUrl('<!doctype html><title>Not a picture</title>')],
    ['a PDF', dataUrl('%PDF-1.7\n')],
  ])('%s', async (_, url) => {
    expect(await problemOf(url)).toBe(notAPicture)
  })

  test.each(['webp', 'tiff', 'avif'] as const)('a picture in another format: %s', async (format) => {
    expect(await problemOf(dataUrl(await blank(9, 9).toFormat(format).toBuffer()))).toBe(notAPicture)
  })

  test('a page disguised by the first bytes of a picture', async () => {
    for (const magic of ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'GIF89a', 'GIF87a', 'GIF8']) {
      const bytes = Buffer.from(`${magic}<script>alert(1)</script>${svg}`, 'latin1')
      expect(await problemOf(dataUrl(bytes))).toMatch(/can't be read|is not a/)
    }
  })

  test('a picture that is cut off, wherever', async () => {
    const noise = sharp(crypto.getRandomValues(new Uint8Array(60 * 60 * 3)), {
      raw: { width: 60, height: 60, channels: 3 },
    })
    for (const format of ['jpeg', 'png', 'gif'] as const) {
      const whole = await noise.clone().toFormat(format).toBuffer()
      for (const part of [0.1, 0.5, 0.9, 0.98]) {
        const cut = whole.subarray(0, Math.floor(whole.length * part))
        expect({ format, part, problem: await problemOf(dataUrl(cut)) }).toEqual({
          format,
          part,
          problem: expect.stringMatching(/^This picture can't be read/),
        })
      }
    }
  })

  test('more than 5 MB, even if only a part of them is the picture', async () => {
    const png = await blank(9, 9).png().toBuffer()
    const of = (size: number) => dataUrl(Buffer.concat([png, Buffer.alloc(size - png.length)]))
    expect(await problemOf(of(5 * 2 ** 20))).toBe('nothing')
    expect(await problemOf(of(5 * 2 ** 20 + 1))).toBe('Pictures can be up to 5 MB')
    expect(await problemOf(of(6 * 2 ** 20))).toBe('Pictures can be up to 5 MB')
  })

  test('a bomb of 30,000×30,000 pixels, quickly and without unpacking it', async () => {
    const bomb = bombOf(30_000, 30_000)
    expect(bomb.length).toBeLessThan(200_000)
    await makePicture(dataUrl(await blank(9, 9).png().toBuffer()))
    const before = process.memoryUsage().rss
    const start = process.cpuUsage()
    expect(await problemOf(dataUrl(bomb))).toBe("This picture's dimensions are too large")
    const { user, system } = process.cpuUsage(start)
    expect(user + system).toBeLessThan(2_000_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 2 ** 20)
  })

  test.each([
    ['JPG of 50 megapixels, as phones take', 8_160, 6_120, 'jpeg', false, 'nothing'],
    ['JPG of more', 8_160, 6_130, 'jpeg', false, tooManyPixels],
    ['progressive JPG of 12 megapixels', 4_000, 3_000, 'jpeg', true, 'nothing'],
    ['progressive JPG of more', 4_000, 3_010, 'jpeg', true, tooManyPixels],
    ['PNG of a whole 4K screen', 3_840, 2_160, 'png', false, 'nothing'],
    ['PNG of more than 9 megapixels', 3_001, 3_001, 'png', false, tooManyPixels],
    ['interlaced PNG of 4 megapixels', 2_000, 2_000, 'png', true, 'nothing'],
    ['interlaced PNG of more', 2_001, 2_001, 'png', true, tooManyPixels],
    ['GIF of more than 9 megapixels', 3_001, 3_001, 'gif', false, tooManyPixels],
    ['PNG whose rows are too long', 5_001, 10, 'png', false, tooManyPixels],
    ['JPG whose rows are too long', 8_193, 10, 'jpeg', false, tooManyPixels],
  ] as const)('only what costs too much: %s', async (_, width, height, format, progressive, problem) => {
    const picture = blank(width, height)
    const bytes = format === 'gif' ? picture.gif({ effort: 1 }) : picture.toFormat(format, { progressive })
    expect(await problemOf(dataUrl(await bytes.toBuffer()))).toBe(problem)
  })

  test('a small file that passes over its pixels hundreds of times', async () => {
    expect(await problemOf(dataUrl(scannedOften(64, 20)))).toBe('nothing')
    expect(await problemOf(dataUrl(scannedOften(2_000, 882)))).toBe('This picture has too many layers')
  })
})

describe('pictures of many people at once', () => {
  test('are each converted correctly', async () => {
    const colours = Array.from({ length: 9 }, (_, index) => ({ r: index * 20, g: 255 - index * 20, b: 90 }))
    const pictures = await Promise.all(
      colours.map(async (colour) => made(await blank(40, 40, colour).png().toBuffer())),
    )
    for (const [index, colour] of colours.entries()) {
      expect(like(await pixel(pictures[index] ?? new Uint8Array(), 128, 128), colour)).toBe(true)
    }
  })

  test('an unreadable one holds up nobody', async () => {
    const good = await blank(9, 9).png().toBuffer()
    const answers = await Promise.all(
      [good, good.subarray(0, 40), good].map((bytes) => makePicture(dataUrl(bytes))),
    )
    expect(answers.map((answer) => 'webp' in answer)).toEqual([true, false, true])
  })
})

/** A complete PNG of black pixels, one bit each, compressed as small as possible. */
function bombOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const pixels = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height), { level: 9 })
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(data.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), named.length + 4)
  return whole
}

/** A grey progressive JPG with `scans` scans, refining every coefficient bit by bit. */
function scannedOften(side: number, scans: number): Buffer {
  const blocks = Math.ceil(side / 8) ** 2
  const segment = (marker: number, ...bytes: number[]) =>
    Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff, ...bytes])
  const oneCode = (table: number, symbol: number) => segment(0xc4, table, 1, ...Array(15).fill(0), symbol)
  const scan = (from: number, to: number, bits: number) => segment(0xda, 1, 1, 0, from, to, bits)
  // The only code, a single 0, means 'unchanged' for brightness, and 'none in this run of blocks' for coefficients.
  const runBits = Math.floor(Math.log2(blocks))
  const size = [side >> 8, side & 0xff, side >> 8, side & 0xff]
  const refinements = Array.from({ length: scans }, (_, index) => {
    const coefficient = 1 + Math.floor(index / 14)
    const bit = 13 - (index % 14)
    return Buffer.concat([
      scan(coefficient, coefficient, ((bit === 13 ? 0 : bit + 1) << 4) | bit),
      inBytes(`0${(blocks - 2 ** runBits).toString(2).padStart(runBits, '0')}`),
    ])
  })
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array(64).fill(1)),
    segment(0xc2, 8, ...size, 1, 1, 0x11, 0),
    oneCode(0x00, 0),
    oneCode(0x10, runBits << 4),
    scan(0, 0, 0),
    inBytes('0'.repeat(blocks)),
    ...refinements,
    Buffer.from([0xff, 0xd9]),
  ])
}

/** Zeros and ones as the data of a scan. */
function inBytes(bits: string): Buffer {
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1')
  const bytes = (padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])))
}
