import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { holdRequest } from './testing/connection/hold-request.ts'
import { rowsOnDevice } from './testing/connection/on-device.ts'
import { isReadOf } from './testing/connection/reads.ts'
import { newPerson, test } from './testing/person/person.ts'
import { closeToasts } from './testing/screens/error-toast.ts'
import {
  anotherBrowser,
  bomb,
  broken,
  card,
  chooser,
  countSent,
  fileOf,
  fullName,
  heavyPicture,
  openSettings,
  photo,
  plainPicture,
  portrait,
  preview,
  question,
  toast,
  updateUser,
  upload,
  userMenu,
  userOf,
} from './testing/screens/settings.ts'

const ourPicture = /^\/api\/pictures\/[\w-]+$/

async function save(page: Page, name: string) {
  await fullName(page).fill(name)
  await page.getByRole('button', { name: 'Save Changes' }).click()
}

async function removePicture(page: Page) {
  await closeToasts(page)
  await page.getByRole('button', { name: 'Remove picture' }).click()
  await expect(userMenu(page).locator('img')).toHaveCount(0)
}

test('settings: Profile Information', async ({ page, context }) => {
  const person = await openSettings(page, newPerson('åse-Marie'))

  await test.step('shows the first letter, the name, the read-only email, and the labels', async () => {
    const profile = card(page, 'Profile Information')
    await expect(profile.getByText('Å', { exact: true })).toBeVisible()
    await expect(profile.getByText('JPG, PNG or GIF (max 5MB)')).toBeVisible()
    expect((await chooser(page).getAttribute('accept'))?.split(',')).toEqual([
      'image/jpeg',
      'image/png',
      'image/gif',
    ])
    await expect(chooser(page)).toHaveAccessibleDescription('JPG, PNG or GIF (max 5MB)')
    await expect(fullName(page)).toHaveValue('åse-Marie')
    await expect(fullName(page)).toHaveAttribute('placeholder', 'Enter your full name')
    const email = page.getByLabel('Email Address')
    await expect(email).toHaveValue(person.email)
    await expect(email).not.toBeEditable()
    await expect(email).toHaveAccessibleDescription('This is your login email')
    await expect(page.getByRole('button', { name: 'Save Changes' })).toBeEnabled()
    await expect(page.getByRole('button', { name: 'Remove picture' })).toHaveCount(0)
  })

  await test.step('a name that sign-up would refuse gets the same message, and is not sent', async () => {
    const sent = countSent(page, 'update-user')
    for (const [name, problem] of [
      ['Jo', 'Name must be at least 3 characters'],
      ['J'.repeat(31), 'Name must not exceed 30 characters'],
      ['9lives', 'Name must start with a letter and contain only letters, numbers, or dashes'],
      ['Maren  Lind', 'Name must start with a letter and contain only letters, numbers, or dashes'],
    ] as const) {
      await fullName(page).fill(name)
      await fullName(page).press('Enter')
      await expect(fullName(page)).toHaveAccessibleDescription(problem)
      await expect(fullName(page)).toBeFocused()
    }
    expect(sent()).toBe(0)
    await expect(userMenu(page)).toContainText('åse-Marie')
  })

  for (const { typed, name, letter } of [
    { typed: 'élise o’neill', name: "élise o'neill", letter: 'É' },
    { typed: 'нина петрова', name: 'нина петрова', letter: 'Н' },
    { typed: 'मीरा शर्मा', name: 'मीरा शर्मा', letter: 'म' },
  ])
    await test.step(`'${typed}' is a full name, and '${letter}' stands for it if there is no picture`, async () => {
      await save(page, typed)
      await expect(toast(page, 'Profile updated successfully')).toBeVisible()
      await expect(fullName(page)).toHaveValue(name)
      await expect(userMenu(page)).toHaveText(`${letter}${name}, account menu`)
      expect((await userOf(page))?.name).toBe(name)
      await closeToasts(page)
    })

  await test.step('a name is saved, shown at once in every tab, and confirmed only if it was changed', async () => {
    const other = await context.newPage()
    await other.goto('/settings')
    await expect(fullName(other)).toHaveValue('मीरा शर्मा')

    const letRespond = await holdRequest(page, '**/api/auth/get-session')
    await fullName(page).fill('  Åse_2 ')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
    await expect(toast(page, 'Profile updated successfully')).toHaveCount(0)
    letRespond()
    await expect(toast(page, 'Profile updated successfully')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Save Changes' })).toBeVisible()
    await expect(fullName(page)).toHaveValue('Åse_2')
    await expect(userMenu(page)).toHaveText('ÅÅse_2, account menu')
    await expect(fullName(other)).toHaveValue('Åse_2')
    await expect(userMenu(other)).toHaveText('ÅÅse_2, account menu')
    expect((await userOf(page))?.name).toBe('Åse_2')
    await page.goto('/')
    await expect(page.getByText('Welcome, Åse_2')).toBeVisible()
  })
})

test.describe('a save that fails', () => {
  test.use({ mayLog: /Failed to load resource|Failed to update profile|got no answer/ })

  test('changes nothing', async ({ page }) => {
    await openSettings(page)
    for (const [situation, response, reason] of [
      ['refused by the server', broken, 'Something went wrong.'],
      ['without a response', undefined, "The server isn't responding. Try again in a moment."],
      [
        'replaced by the page of a proxy',
        { status: 500, contentType: 'text/html', body: '<h1>Oops</h1>' },
        'Something went wrong on the server. Your connection is fine.',
      ],
    ] as const)
      await test.step(`shows its reason and changes nothing: ${situation}`, async () => {
        await page.route(updateUser, (route) => (response ? route.fulfill(response) : route.abort()))
        await save(page, 'Somebody')
        await expect(toast(page, 'Failed to update profile')).toContainText(reason)
        await expect(toast(page, 'Profile updated successfully')).toHaveCount(0)
        await expect(userMenu(page)).toContainText('Maren-Lind')
        // What was typed is still there to try again.
        await expect(fullName(page)).toHaveValue('Somebody')
        expect((await userOf(page))?.name).toBe('Maren-Lind')
        await page.unroute(updateUser)
        await closeToasts(page)
      })
  })
})

test('settings: Change Picture', async ({ page, context }) => {
  await openSettings(page)

  await test.step('refuses a file that is no supported picture, or too large, with a clear message, and sends nothing', async () => {
    const sent = countSent(page, 'update-user')
    const whole = await plainPicture('png')
    for (const [file, problem] of [
      [await heavyPicture(6 * 1024 * 1024), /^This file is 6 MB, but pictures can be up to 5 MB$/],
      [
        fileOf('me.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
        /^This file isn't a JPG, PNG or GIF picture$/,
      ],
      [fileOf('page.png', 'image/png', '<!doctype html>'), /^This file isn't a JPG, PNG or GIF picture$/],
      [fileOf('empty.gif', 'image/gif', ''), /^This file isn't a JPG, PNG or GIF picture$/],
      [bomb(), /^This picture is too large to open: 30,000 × 30,000 pixels$/],
    ] as const) {
      await chooser(page).setInputFiles(file)
      const alert = card(page, 'Profile Information').getByRole('alert')
      await expect(alert).toHaveText(problem)
      await expect(chooser(page)).toHaveAccessibleDescription(
        new RegExp(`^JPG, PNG or GIF \\(max 5MB\\) ${problem.source.slice(1)}`),
      )
      await expect(preview(page)).toHaveCount(0)
    }
    expect(sent()).toBe(0)
    // The next file clears the message.
    await chooser(page).setInputFiles(whole)
    await expect(preview(page)).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(card(page, 'Profile Information').getByRole('alert')).toHaveText('')
    expect((await userOf(page))?.image).toBeNull()
  })

  await test.step('shows the progress of the upload, which can be stopped', async () => {
    const connection = await context.newCDPSession(page)
    await connection.send('Network.enable')
    await connection.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 40_000,
    })
    await chooser(page).setInputFiles(await photo(1_200, 900))
    await upload(page).click()
    await expect(page.getByRole('button', { name: 'Uploading...' })).toBeVisible()
    const bar = page.getByRole('progressbar', { name: 'Upload' })
    const part = async () => Number(await bar.getAttribute('value'))
    await expect.poll(part).toBeGreaterThan(4)
    expect(await part()).toBeLessThan(100)
    await expect(page.getByText(/^\d+% uploaded$/)).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(preview(page)).toHaveCount(0)
    await expect(toast(page, 'Profile updated successfully')).toHaveCount(0)
    expect((await userOf(page))?.image).toBeNull()
    await connection.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
    await connection.detach()
  })

  await test.step('can be cancelled, and an existing picture can be removed', async () => {
    const sent = countSent(page, 'update-user')
    await chooser(page).setInputFiles(await plainPicture('png'))
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(preview(page)).toHaveCount(0)
    await expect(chooser(page)).toBeFocused()
    expect(sent()).toBe(0)

    // The same file again.
    await chooser(page).setInputFiles(await plainPicture('png'))
    await upload(page).click()
    await expect(userMenu(page).locator('img')).toBeVisible()
    await page.getByRole('button', { name: 'Remove picture' }).click()
    await expect(userMenu(page).locator('img')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Remove picture' })).toHaveCount(0)
    await expect(chooser(page)).toBeFocused()
    expect((await userOf(page))?.image).toBeNull()
    await closeToasts(page)
  })

  await test.step('sends a small square of a photo that is too large for the server, as the preview shows it', async () => {
    const request = page.waitForRequest(updateUser)
    // Progressive: the server accepts none with so many pixels.
    const file = await photo(4_200, 3_000, { quality: 1, progressive: true })
    await chooser(page).setInputFiles(file)
    await upload(page).click()
    await expect(toast(page, 'Profile updated successfully')).toBeVisible()
    const { image } = (await request).postDataJSON()
    expect(image).toMatch(/^data:image\/png;base64,/)
    const sent = Buffer.from(image.slice(image.indexOf(',') + 1), 'base64')
    expect(await sharp(sent).metadata()).toMatchObject({ width: 256, height: 256 })
    expect(await userMenu(page).locator('img').getAttribute('src')).toMatch(ourPicture)
    await removePicture(page)
    await closeToasts(page)
  })

  await test.step('keeps transparency', async () => {
    const clear = { create: { width: 300, height: 300, channels: 4 as const, background: '#165e4200' } }
    const buffer = await sharp(clear).png().toBuffer()
    await chooser(page).setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
    await upload(page).click()
    await expect(toast(page, 'Profile updated successfully')).toBeVisible()
    const picture = await page.request.get((await userOf(page))?.image ?? '')
    expect((await sharp(await picture.body()).stats()).isOpaque).toBe(false)
    await removePicture(page)
    await closeToasts(page)
  })

  await test.step('accepts a GIF, whatever its name, and a second picture in its place', async () => {
    await chooser(page).setInputFiles({
      ...(await plainPicture('gif')),
      name: 'me.jpg',
      mimeType: 'image/jpeg',
    })
    await upload(page).click()
    await expect(userMenu(page).locator('img')).toBeVisible()
    const first = await userMenu(page).locator('img').getAttribute('src')
    await chooser(page).setInputFiles(await plainPicture('png'))
    await upload(page).click()
    await expect(userMenu(page).locator('img')).not.toHaveAttribute('src', first ?? '')
    await removePicture(page)
    await closeToasts(page)
  })

  await test.step('previews the upright centre before anything is sent, then shows the picture beside the name everywhere', async () => {
    const other = await context.newPage()
    await other.goto('/todos')
    await expect(userMenu(other)).toBeVisible()
    const sent = countSent(page, 'update-user')

    await chooser(page).setInputFiles(await portrait())
    await expect(preview(page)).toBeVisible()
    await expect(upload(page)).toBeFocused()
    const shown = await preview(page).screenshot()
    expect(sent()).toBe(0)

    await upload(page).click()
    await expect(toast(page, 'Profile updated successfully')).toBeVisible()
    expect(sent()).toBe(1)
    await expect(preview(page)).toHaveCount(0)
    await expect(chooser(page)).toBeFocused()
    for (const place of [card(page, 'Profile Information'), userMenu(page), userMenu(other)]) {
      await expect(place.locator('img')).toHaveAttribute('src', ourPicture)
    }
    const picture = await page.request.get((await userOf(page))?.image ?? '')
    expect(await middleColour(await picture.body())).toEqual('green')
    expect(await middleColour(shown)).toEqual('green')

    await other.goto('/')
    await expect(other.getByRole('banner').locator('img')).toHaveAttribute('src', ourPicture)
    await removePicture(page)
    await closeToasts(page)
  })

  await test.step("sends the file as it is if the browser does not reveal a canvas's true pixels", async () => {
    await page.evaluate(() => {
      OffscreenCanvasRenderingContext2D.prototype.getImageData = (_left, _top, width, height) =>
        new ImageData(new Uint8ClampedArray(width * height * 4).fill(255), width, height)
    })
    const request = page.waitForRequest(updateUser)
    const file = await portrait()
    await chooser(page).setInputFiles(file)
    await upload(page).click()
    await expect(toast(page, 'Profile updated successfully')).toBeVisible()
    const { image } = (await request).postDataJSON()
    expect(image).toBe(`data:image/jpeg;base64,${file.buffer.toString('base64')}`)
    const picture = await page.request.get((await userOf(page))?.image ?? '')
    expect(await middleColour(await picture.body())).toEqual('green')
  })
})

test.describe('settings: Change Picture that fails', () => {
  test.use({ mayLog: /Failed to load resource|Failed to (update|remove) picture|could not be opened/ })

  test('says why', async ({ page }) => {
    await openSettings(page)

    await test.step('a damaged picture is reported before it is sent', async () => {
      const { buffer, ...named } = await plainPicture('png')
      await chooser(page).setInputFiles({ ...named, buffer: buffer.subarray(0, 40) })
      await expect(card(page, 'Profile Information').getByRole('alert')).toHaveText(
        "This picture is damaged and can't be opened",
      )
    })

    for (const [situation, response, reason] of [
      [
        'refused by the server',
        { status: 400, json: { code: 'INVALID_INPUT', message: 'No.', fields: { image: 'Not this one' } } },
        'Not this one',
      ],
      [
        'too many uploads',
        { status: 503, json: { code: 'BUSY', message: 'Too many pictures are being uploaded right now.' } },
        'Too many pictures are being uploaded right now.',
      ],
      ['without a response', undefined, "The server isn't responding. Try again in a moment."],
    ] as const)
      await test.step(`nothing changes and the error is shown: ${situation}`, async () => {
        await page.route(updateUser, (route) => (response ? route.fulfill(response) : route.abort()))
        await chooser(page).setInputFiles(await plainPicture('png'))
        await upload(page).click()
        await expect(toast(page, 'Failed to update picture')).toBeVisible()
        await expect(card(page, 'Profile Information').getByRole('alert')).toContainText(reason)
        await expect(toast(page, 'Profile updated successfully')).toHaveCount(0)
        await expect(userMenu(page).locator('img')).toHaveCount(0)
        // It can be retried.
        await page.unroute(updateUser)
        await upload(page).click()
        await expect(userMenu(page).locator('img')).toBeVisible()
        await removePicture(page)
        await closeToasts(page)
      })
  })
})

test('settings: Danger Zone', async ({ page, context, browser }) => {
  const person = await openSettings(page)

  await test.step("'Delete Account' asks in the specified words, and Cancel does nothing", async () => {
    const sent = countSent(page, 'delete-user')
    await page.getByRole('button', { name: 'Delete Account' }).click()
    await expect(question(page)).toHaveAccessibleDescription(
      'This action cannot be undone. This will permanently delete your account and remove all of your data from our servers.',
    )
    await expect(question(page).getByRole('button', { name: 'Yes, delete my account' })).toBeVisible()
    await expect(question(page).getByLabel('Password', { exact: true })).toBeFocused()
    await question(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(question(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Delete Account' })).toBeFocused()
    expect(sent()).toBe(0)
    expect(await userOf(page)).toBeDefined()
  })

  await test.step('a deleted account is gone, from this device and its other tabs, too', async () => {
    const second = await anotherBrowser(browser, person)
    const other = await context.newPage()
    await other.goto('/todos')
    const field = other.getByPlaceholder('Add a new task...')
    await expect(field).toBeVisible()
    // The tab that sends the new task reads the list again a moment later, which fails once the account is deleted.
    const readAgain = context.waitForEvent('response', (response) => isReadOf('todos', response.request()))
    await field.fill('Water the lemon tree')
    await field.press('Enter')
    await expect(other.getByRole('listitem').filter({ hasText: 'Water the lemon tree' })).toBeVisible()
    await readAgain

    await page.getByRole('button', { name: 'Delete Account' }).click()
    const asked = page.waitForRequest((request) => request.url().endsWith('/delete-user'))
    await question(page).getByLabel('Password', { exact: true }).fill(person.password)
    await question(page).getByRole('button', { name: 'Yes, delete my account' }).click()
    expect((await asked).postDataJSON()).toEqual({ callbackURL: '/', password: person.password })
    await expect(toast(page, 'Account deleted successfully')).toBeVisible()
    await expect(page).toHaveURL(/\/$/)
    await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
    await expect(other).toHaveURL(/\/sign-in$/)
    expect(JSON.stringify(await rowsOnDevice(page))).not.toMatch(/lemon|lindholm|Maren/)
    expect(await page.evaluate(() => localStorage.getItem('daymark-account'))).toBeNull()
    expect((await second.request.get('/api/todos')).status()).toBe(401)

    const { origin } = new URL(page.url())
    const { email, password } = person
    const response = await page.request.post('/api/auth/sign-in/email', {
      data: { email, password },
      headers: { origin },
    })
    expect(response.status()).toBe(401)
    await second.context().close()
  })
})

test.describe('settings: Danger Zone, a deletion that fails', () => {
  test.use({ mayLog: /Failed to load resource|Failed to delete account/ })

  test('deletes nothing', async ({ page }) => {
    const person = await openSettings(page)

    await test.step('shows the error, and nothing is gone', async () => {
      await page.route('**/api/auth/delete-user', (route) => route.fulfill(broken))
      await page.getByRole('button', { name: 'Delete Account' }).click()
      await question(page).getByLabel('Password', { exact: true }).fill(person.password)
      await question(page).getByRole('button', { name: 'Yes, delete my account' }).click()
      await expect(toast(page, 'Failed to delete account')).toContainText('Something went wrong.')
      await expect(page).toHaveURL(/\/settings$/)
      expect(await page.evaluate(() => localStorage.getItem('daymark-account'))).not.toBeNull()
      expect(await userOf(page)).toBeDefined()
      await page.unroute('**/api/auth/delete-user')
      await question(page).getByRole('button', { name: 'Cancel' }).click()
      await expect(question(page)).toHaveCount(0)
      await closeToasts(page)
    })

    await test.step('because of a wrong password says so at its field', async () => {
      const sent = countSent(page, 'delete-user')
      const yes = question(page).getByRole('button', { name: 'Yes, delete my account' })
      const password = question(page).getByLabel('Password', { exact: true })
      await page.getByRole('button', { name: 'Delete Account' }).click()
      await expect(password).toHaveAccessibleDescription("Enter your password to confirm it's you.")
      await yes.click()
      await expect(password).toHaveAccessibleDescription('Enter your password')
      expect(sent()).toBe(0)

      await password.fill('wrong horse')
      await yes.click()
      await expect(password).toHaveAccessibleDescription('Incorrect password.')
      await expect(password).toBeFocused()
      expect(await userOf(page)).toBeDefined()

      await password.fill(person.password)
      await page.keyboard.press('Enter')
      await expect(toast(page, 'Account deleted successfully')).toBeVisible()
      await expect(page).toHaveURL(/\/$/)
    })
  })
})

/** Whether a picture that is red above, green in the middle and blue below was turned upright and cropped to its centre. */
async function middleColour(picture: Buffer): Promise<string> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const colourAt = (x: number, y: number) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
    if (red > green && red > blue) return 'red'
    return green > blue ? 'green' : 'blue'
  }
  const places = [0.1, 0.5, 0.9].flatMap((y) => [0.5].map((x) => colourAt(x, y)))
  return [...new Set(places)].join()
}
