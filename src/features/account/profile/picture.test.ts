import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { headOfPicture, problemOfHead, problemOfSize } from './picture.ts'

const text = (content: string) => new TextEncoder().encode(content)
const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#165e42' } })

describe('what a file really is', () => {
  test('a PNG, a GIF and a JPG are recognised by their content, with their size', async () => {
    expect(headOfPicture(await blank(7, 5).png().toBuffer())).toEqual({
      type: 'image/png',
      width: 7,
      height: 5,
    })
    expect(headOfPicture(await blank(300, 5).gif().toBuffer())).toEqual({
      type: 'image/gif',
      width: 300,
      height: 5,
    })
    expect(headOfPicture(await blank(7, 500).jpeg().toBuffer())).toEqual({
      type: 'image/jpeg',
      width: 7,
      height: 500,
    })
  })

  test('a JPG is recognised behind whatever cameras and programs write before the picture', async () => {
    const withMetadata = await blank(8, 6)
      .withExif({ IFD0: { Copyright: 'x'.repeat(20_000) } })
      .withIccProfile('p3')
      .jpeg({ progressive: true })
      .toBuffer()
    expect(headOfPicture(withMetadata)).toEqual({ type: 'image/jpeg', width: 8, height: 6 })
  })

  test('anything else is none of them, whatever its name', async () => {
    const others = [
      text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      text('<!doctype html><title>Not a picture</title>'),
      text(''),
      text('GIF'),
      text('GIF90a\0\0\0\0'),
      await blank(4, 4).webp().toBuffer(),
      await blank(4, 4).tiff().toBuffer(),
    ]
    for (const bytes of others) {
      expect(headOfPicture(bytes)).toBeUndefined()
      expect(problemOfHead(headOfPicture(bytes))).toBe("This file isn't a JPG, PNG or GIF picture")
    }
  })

  test('a picture cut off anywhere in its header is none of them, and breaks nothing', async () => {
    for (const whole of [
      await blank(7, 5).png().toBuffer(),
      await blank(7, 5).gif().toBuffer(),
      await blank(7, 5).jpeg().toBuffer(),
    ]) {
      const head = headOfPicture(whole)
      for (let length = 0; length < whole.length; length++) {
        expect([undefined, head]).toContainEqual(headOfPicture(whole.subarray(0, length)))
      }
      expect(headOfPicture(whole.subarray(0, 9))).toBeUndefined()
    }
  })
})

describe('what is too much', () => {
  test('5 MB are accepted, and one byte more is reported', () => {
    expect(problemOfSize(5 * 1024 * 1024)).toBeUndefined()
    expect(problemOfSize(5 * 1024 * 1024 + 1)).toBe('This file is 5.1 MB, but pictures can be up to 5 MB')
    expect(problemOfSize(6 * 1024 * 1024)).toBe('This file is 6 MB, but pictures can be up to 5 MB')
  })

  test('a small file that would unpack to 30,000 × 30,000 pixels is recognised by its header', () => {
    expect(problemOfHead({ type: 'image/png', width: 30_000, height: 30_000 })).toBe(
      'This picture is too large to open: 30,000 × 30,000 pixels',
    )
    expect(problemOfHead({ type: 'image/jpeg', width: 8_000, height: 6_000 })).toBeUndefined()
  })
})
