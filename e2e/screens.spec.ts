import { expect } from '@playwright/test'
import { holdRequest } from './testing/connection/hold-request.ts'
import { isReadOf } from './testing/connection/reads.ts'
import { signUpBehindTheScreens, test } from './testing/person/person.ts'

test('what a screen downloads', async ({ page }) => {
  await signUpBehindTheScreens(page)

  await test.step('a browser with Temporal does not download the polyfill', async () => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.goto('/todos')
    await expect(page.getByPlaceholder('Add a new task...')).toBeVisible()
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter((url) => /temporal|global/.test(url))).toEqual([])
  })

  await test.step("a screen's data is requested once, while the screen itself is still loading", async () => {
    await expect(page.getByRole('heading', { name: 'Todo List' })).toBeVisible()
    let asked = 0
    page.on('request', (request) => {
      if (isReadOf('habits', request)) asked += 1
    })
    const letCome = await holdRequest(page, '**/assets/habits-*.js')
    await page.getByRole('link', { name: 'Habits' }).click()
    await expect.poll(() => asked).toBe(1)
    await expect(page.getByRole('heading', { name: 'Todo List' })).toBeVisible()
    letCome()
    await expect(page.getByRole('heading', { name: 'Habits', exact: true })).toBeVisible()
    expect(asked).toBe(1)
  })
})
