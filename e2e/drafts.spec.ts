import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { isDeep } from '#testing/runs.ts'
import { everythingOnDevice } from './testing/connection/on-device.ts'
import { settled } from './testing/connection/settled.ts'
import { call } from './testing/person/given-tasks.ts'
import {
  signInBehindTheScreens,
  signOutBehindTheScreens,
  signUpBehindTheScreens,
  test,
} from './testing/person/person.ts'
import { userMenu } from './testing/screens/settings.ts'
import { details, kept, make, noteOf, openDetails, titleOf } from './testing/screens/task-details.ts'
import {
  addButton,
  beginEdit,
  confirm,
  field,
  openList,
  row,
  titleField,
  toasts,
} from './testing/screens/todo-list.ts'

// What is typed and not saved yet stays, whatever ends the page.

test.use({ timezoneId: 'UTC' })

/** Milliseconds after the last key. */
const waits = [0, 100, 300, 1_500]

const endings = {
  async reloaded(page: Page) {
    await page.reload()
    return page
  },
  async closed(page: Page, context: BrowserContext) {
    const next = await context.newPage()
    const address = page.url()
    await page.close({ runBeforeUnload: false })
    await next.goto(address)
    return next
  },
  async killed(page: Page, context: BrowserContext) {
    const next = await context.newPage()
    const address = page.url()
    await kill(page, context)
    await next.goto(address)
    return next
  },
}

async function kill(page: Page, context: BrowserContext) {
  const devtools = await context.newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  void devtools.send('Page.crash').catch(() => {})
  await crashed
  await page.close()
}

/** However long it takes until the page is killed, it does not save what is typed a moment after the last key. */
function stopTimers(page: Page): Promise<void> {
  return page.evaluate(() => void Object.assign(window, { setTimeout: () => 0 }))
}

/** Among the rows, also where details with a title of their own are shown. */
const rowTitle = (page: Page) => page.getByRole('listitem').getByRole('textbox', { name: 'Title' })
const closeDetails = (page: Page) => details(page).getByRole('button', { name: 'Close', exact: true }).click()

/** The field that is typed in, what makes it ready, and what shows that nothing was lost. */
const fields: Record<
  string,
  {
    begin(page: Page): Promise<void>
    of(page: Page): Locator
    isBack(page: Page, typed: string): Promise<void>
  }
> = {
  'the add field': {
    begin: (page) => field(page).focus(),
    of: field,
    async isBack(page, typed) {
      await expect(field(page)).toHaveValue(typed)
      await expect(field(page)).not.toBeFocused()
      await addButton(page).click()
      await expect(row(page, typed)).toBeVisible()
      await expect(field(page)).toHaveValue('')
    },
  },
  'the title of a row': {
    async begin(page) {
      await beginEdit(row(page, 'Water the plants'))
      await titleField(page).fill('')
    },
    of: titleField,
    async isBack(page, typed) {
      await expect(titleField(page)).toHaveValue(typed)
      await expect(titleField(page)).not.toBeFocused()
      await confirm(row(page, 'Water the plants')).click()
      await expect(row(page, typed)).toBeVisible()
      await beginEdit(row(page, typed))
      await titleField(page).fill('Water the plants')
      await titleField(page).press('Enter')
    },
  },
  'the title in the details': {
    async begin(page) {
      await openDetails(page, 'Feed the cat')
      await titleOf(page).fill('')
    },
    of: titleOf,
    async isBack(page, typed) {
      await expect(titleOf(page)).toHaveValue(typed)
      await expect(titleOf(page)).not.toBeFocused()
      await closeDetails(page)
      await expect(row(page, typed)).toBeVisible()
      await openDetails(page, typed)
      await titleOf(page).fill('Feed the cat')
      await closeDetails(page)
    },
  },
  'the note': {
    async begin(page) {
      await openDetails(page, 'Call the bank')
      await noteOf(page).fill('Saved. ')
      await expect.poll(() => kept(page, 'Call the bank')).toMatchObject({ note: 'Saved. ' })
      await noteOf(page).press('End')
    },
    of: noteOf,
    async isBack(page, typed) {
      await expect(details(page).getByText(typed)).toBeVisible()
      await expect(noteOf(page).and(page.locator(':focus'))).toHaveCount(0)
      await closeDetails(page)
      await expect.poll(() => kept(page, 'Call the bank')).toMatchObject({ note: `Saved. ${typed}` })
      await openDetails(page, 'Call the bank')
      await page.getByRole('button', { name: 'Edit note' }).press('Enter')
      await noteOf(page).fill('')
      await closeDetails(page)
    },
  },
}

for (const [place, [name, { begin, of, isBack }]] of Object.entries(fields).entries()) {
  test(`what was typed in ${name} survives`, async ({ page, context }) => {
    await signUpBehindTheScreens(page)
    for (const title of ['Call the bank', 'Feed the cat', 'Water the plants']) await make(page, { title })
    let shown = await context.newPage()
    await shown.goto('/todos')
    const quick = [
      ['killed', place + 3],
      [place % 2 === 0 ? 'reloaded' : 'closed', place + 1],
    ] as const
    const all = (['reloaded', 'closed', 'killed'] as const).flatMap((ended) =>
      waits.map((_, which) => [ended, which] as const),
    )
    for (const [ended, which] of isDeep ? all : quick) {
      const wait = waits[which % waits.length] ?? 0
      await test.step(`a page that is ${ended} ${wait} ms after the last key`, async () => {
        await begin(shown)
        const typed = `Typed ${ended} ${wait}`
        await of(shown).pressSequentially(typed)
        if (wait > 0) await shown.waitForTimeout(wait)
        shown = await endings[ended](shown, context)
        await isBack(shown, typed)
      })
    }
  })
}

test('what was typed is there on its own screen, in one tab after the other', async ({ page, context }) => {
  await openList(page, { open: ['Water the plants'] })

  await test.step('after other screens, each with a field of its own', async () => {
    await field(page).pressSequentially('Buy milk')
    await page.getByRole('link', { name: 'Today' }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
    await expect(page.getByPlaceholder('Add a task for today...')).toHaveValue('')
    await page.goBack()
    await expect(field(page)).toHaveValue('Buy milk')
  })

  await test.step('added in another tab, it is not there to be added once more', async () => {
    const other = await context.newPage()
    await other.goto('/todos')
    await expect(field(other)).toHaveValue('Buy milk')
    await field(other).press('Enter')
    await expect(row(other, 'Buy milk')).toBeVisible()
    await settled(other)
    await page.reload()
    await expect(field(page)).toHaveValue('')
    await other.close()
  })

  await test.step('discarded, it does not come back', async () => {
    await beginEdit(row(page, 'Water the plants'))
    await titleField(page).fill('Water the trees')
    await titleField(page).press('Escape')
    await field(page).fill('Call the bank')
    await field(page).fill('')
    await page.reload()
    await expect(row(page, 'Water the plants')).toBeVisible()
    await expect(titleField(page)).toHaveCount(0)
    await expect(field(page)).toHaveValue('')
  })
})

test('what was typed never overwrites by itself what was changed elsewhere meanwhile', async ({
  page,
  context,
}) => {
  await signUpBehindTheScreens(page)
  const { id } = await make(page, { title: 'Water the plants' })
  const { id: bank } = await make(page, { title: 'Call the bank' })
  const first = await context.newPage()
  await first.goto('/todos')
  await beginEdit(row(first, 'Water the plants'))
  await titleField(first).fill('Water the trees')
  const second = await endings.killed(first, context)
  await openDetails(second, 'Call the bank')
  const away = await context.newPage()
  await stopTimers(second)
  await noteOf(second).fill('Ask for Ms Wu')
  // A page opened in its place would save what it finds, as long as nothing has changed.
  await kill(second, context)
  await call(page, 'put', `/api/todos/${id}/edit`, { title: 'Water the garden' })
  await call(page, 'put', `/api/todos/${bank}/edit`, { note: 'Ask for the loan' })

  await away.goto(`/todos?task=${bank}`)
  await expect(row(away, 'Water the garden')).toBeVisible()
  await expect(rowTitle(away)).toHaveValue('Water the trees')
  await expect(noteOf(away)).toHaveValue('Ask for Ms Wu')
  await closeDetails(away)
  await settled(away)
  expect(await kept(page, 'Water the garden')).toBeDefined()
  expect(await kept(page, 'Call the bank')).toMatchObject({ note: 'Ask for the loan' })

  await test.step('and is saved once somebody leaves the field', async () => {
    await openDetails(away, 'Call the bank')
    await noteOf(away).press('End')
    await closeDetails(away)
    await expect.poll(() => kept(page, 'Call the bank')).toMatchObject({ note: 'Ask for Ms Wu' })
    await rowTitle(away).press('Enter')
    await expect.poll(() => kept(page, 'Water the trees')).toBeDefined()
  })
})

test.describe('a sign-out', () => {
  // The sign-in ends elsewhere, while the page listens for changes or reads.
  test.use({ mayLog: /status of 401|Could not read [\w-]+: signed-out/ })

  test('asks about what was typed, empties it, and nobody else ever sees it', async ({ page }) => {
    const person = await signUpBehindTheScreens(page)
    await page.goto('/todos')
    await field(page).fill('Buy a quince tree')
    await page.reload()
    const signOut = async () => {
      await userMenu(page).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }

    await test.step('staying keeps it', async () => {
      await signOut()
      await expect(question(page)).toContainText(
        "What you typed in one field isn't saved yet. If you sign out now, it will be lost.",
      )
      await page.getByRole('button', { name: 'Stay signed in' }).click()
      await expect(field(page)).toHaveValue('Buy a quince tree')
    })

    await test.step('leaving leaves nothing of it', async () => {
      await signOut()
      await page.getByRole('button', { name: 'Sign out anyway' }).click()
      await expect(page).toHaveURL(/\/sign-in$/)
      expect(await everythingOnDevice(page)).not.toContain('quince')
      await signInBehindTheScreens(page, person)
      await page.goto('/todos')
      await expect(field(page)).toHaveValue('')
    })

    await test.step('somebody else who signs in beside an ended sign-in does not see it', async () => {
      await field(page).fill('Buy a quince tree')
      await signOutBehindTheScreens(page)
      await page.goto('/sign-in')
      await expect(page).toHaveURL(/\/sign-in$/)
      await signUpBehindTheScreens(page)
      await page.goto('/todos')
      await expect(field(page)).toHaveValue('')
      await signOut()
      await expect(page).toHaveURL(/\/sign-in$/)
    })

    await test.step('and whose it is finds it again', async () => {
      await signInBehindTheScreens(page, person)
      await page.goto('/todos')
      await expect(field(page)).toHaveValue('Buy a quince tree')
    })
  })
})

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Sign out without saving?' })

test('what was typed in a task that was deleted elsewhere meanwhile is told, and can be copied', async ({
  page,
  context,
}) => {
  await openList(page, { open: ['Water the plants', 'Feed the cat'] })
  await beginEdit(row(page, 'Water the plants'))
  await page.keyboard.type(' and the herbs')
  const { id } = (await kept(page, 'Water the plants')) ?? {}
  const next = await endings.killed(page, context)
  await expect(titleField(next)).toHaveValue('Water the plants and the herbs')
  const { origin } = new URL(next.url())
  await next.request.delete(`/api/todos/${id}`, { headers: { origin } })
  await next.reload()
  const told = toasts(next).filter({ hasText: 'Water the plants and the herbs' })
  await expect(told).toContainText("its task isn't here any more")
  await expect(row(next, 'Feed the cat')).toBeVisible()
  await told.getByRole('button', { name: 'Copy' }).click()
  await expect(told).toHaveCount(0)
  await next.reload()
  await settled(next)
  await expect(told).toHaveCount(0)
})
