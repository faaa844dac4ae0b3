import { expect } from '@playwright/test'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'

test('a browser without Temporal gets a polyfill, and a task can be ticked there', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'Temporal')
  })
  await signUpBehindTheScreens(page)
  await page.goto('/todos')
  await page.getByPlaceholder('Add a new task...').fill('Water the lemon tree')
  await page.getByPlaceholder('Add a new task...').press('Enter')
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.getByRole('checkbox', { name: 'Water the lemon tree' }).click()
  expect((await saved).status()).toBe(200)
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Water the lemon tree' })).toBeChecked()
})
