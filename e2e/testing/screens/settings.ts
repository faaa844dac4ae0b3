import { crc32, deflateSync } from 'node:zlib'
import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import sharp, { type JpegOptions } from 'sharp'
import { type Person, signUpBehindTheScreens } from '../person/person.ts'

export const updateUser = '**/api/auth/update-user'
export const listSessions = '**/api/auth/list-sessions'

/** The response of a server with an internal error. */
export const broken = { status: 500, json: { code: 'INTERNAL_ERROR', message: 'Something went wrong.' } }

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'

export const card = (page: Page, name: string) => page.getByRole('region', { name })
export const chooser = (page: Page) => page.getByLabel('Change Picture')
export const preview = (page: Page) => page.getByRole('img', { name: 'Preview of your new picture' })
export const upload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true })
export const fullName = (page: Page) => page.getByLabel('Full Name')
export const devices = (page: Page) =>
  page.getByRole('list', { name: 'Signed-in devices' }).getByRole('listitem')
export const userMenu = (page: Page) => page.getByRole('button', { name: /account menu$/ })
export const toast = (page: Page, text: string) =>
  page.locator('[data-sonner-toast]').filter({ hasText: text })
export const passwordDialog = (page: Page) => page.getByRole('dialog', { name: 'Change Password' })
export const question = (page: Page) => page.getByRole('alertdialog', { name: 'Are you absolutely sure?' })

/** Tells the page, as the browser does, that the person is back. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
}

export async function openSettings(page: Page, person?: Person): Promise<Person> {
  const signedUp = await signUpBehindTheScreens(page, person)
  await page.goto('/settings')
  await expect(devices(page).getByText('This device')).toBeVisible()
  return signedUp
}

/** The same person in another browser, on a blank page. */
export async function anotherBrowser(
  browser: Browser,
  { email, password }: Person,
  options: BrowserContextOptions = { userAgent: iPhone },
): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const { origin } = new URL((await page.request.get('/api/health')).url())
  const response = await page.request.post('/api/auth/sign-in/email', {
    data: { email, password },
    headers: { origin },
  })
  expect(response.status()).toBe(200)
  return page
}

/** Who is signed in in this browser, according to the server. */
export async function userOf(page: Page): Promise<{ name: string; image: string | null } | undefined> {
  return (await (await page.request.get('/api/auth/get-session')).json())?.user
}

/** Counts the requests to one of better-auth's endpoints. */
export function countSent(page: Page, call: string): () => number {
  let sent = 0
  page.on('request', (request) => {
    if (request.url().endsWith(`/api/auth/${call}`)) sent++
  })
  return () => sent
}

export async function fillPasswords(page: Page, current: string, wanted: string, confirmed = wanted) {
  const dialog = passwordDialog(page)
  await dialog.getByLabel('Current Password').fill(current)
  await dialog.getByLabel('New Password', { exact: true }).fill(wanted)
  await dialog.getByLabel('Confirm New Password').fill(confirmed)
  await dialog.getByRole('button', { name: 'Update Password' }).click()
}

export interface ChosenFile {
  name: string
  mimeType: string
  buffer: Buffer
}

/** Red at the top, green in the middle, blue at the bottom; taken upright but stored sideways, as cameras do. */
export async function portrait(): Promise<ChosenFile> {
  const band = (background: string) => ({
    create: { width: 300, height: 300, channels: 3 as const, background },
  })
  const upright = await sharp({ create: { width: 300, height: 900, channels: 3, background: '#00ff00' } })
    .composite([
      { input: band('#ff0000'), top: 0, left: 0 },
      { input: band('#0000ff'), top: 600, left: 0 },
    ])
    .png()
    .toBuffer()
  const buffer = await sharp(upright)
    .rotate(-90)
    // 'Rotate by 90° to view.'
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  return { name: 'me.jpg', mimeType: 'image/jpeg', buffer }
}

export async function plainPicture(type: 'png' | 'gif'): Promise<ChosenFile> {
  const buffer = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#165e42' } })
    .toFormat(type)
    .toBuffer()
  return { name: `me.${type}`, mimeType: `image/${type}`, buffer }
}

/** A JPG in which every pixel differs, so that it compresses badly. */
export async function photo(width: number, height: number, options?: JpegOptions): Promise<ChosenFile> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const buffer = await sharp({ create: { width, height, channels: 3, background: '#000000', noise } })
    .jpeg(options)
    .toBuffer()
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer }
}

/** A real but plain picture with this many bytes. */
export async function heavyPicture(bytes: number): Promise<ChosenFile> {
  const { buffer } = await plainPicture('png')
  return { name: 'heavy.png', mimeType: 'image/png', buffer: Buffer.concat([buffer], bytes) }
}

/** A few hundred kB that decompress to 900 million pixels. */
export function bomb(): ChosenFile {
  const side = 30_000
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // One bit of grey per pixel.
  header[8] = 1
  const rows = deflateSync(Buffer.alloc(side * (1 + side / 8)), { level: 1 })
  const chunks = [chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  return {
    name: 'bomb.png',
    mimeType: 'image/png',
    buffer: Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]),
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

export function fileOf(name: string, mimeType: string, content: string): ChosenFile {
  return { name, mimeType, buffer: Buffer.from(content) }
}
