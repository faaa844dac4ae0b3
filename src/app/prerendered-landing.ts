import '#platform/ui/layout/styles.css'
import { accountKey, readStoredAccount } from '#features/account/session/web/stored-account.ts'

// The only script that visitors of the landing page load, since the page's HTML is prerendered. For signed-in users, the app
// replaces the page.

if (readStoredAccount() === null) void welcomeWhoeverIsSignedIn()
else void startApp()

window.addEventListener('storage', ({ key, newValue }) => {
  if (key === accountKey && newValue !== null) void startApp()
})

for (const sign of ['pointerover', 'focusin', 'touchstart']) {
  addEventListener(sign, fetchNextScreen, { passive: true })
}

/** Looks for a signed-in account that the device has not stored. */
async function welcomeWhoeverIsSignedIn() {
  const response = await fetch('/api/auth/get-session', {
    headers: { accept: 'application/json' },
    cache: 'no-store',
  }).catch(() => undefined)
  const session: unknown = response?.ok ? await response.json().catch(() => null) : null
  if (session !== null) await startApp()
}

async function startApp() {
  await import('./web.tsx')
}

/** Preloads the next screen when somebody is about to follow a link, since links here lead to another document. */
function fetchNextScreen({ target }: Event) {
  const link = target instanceof Element && target.closest('a')
  const next = document.querySelector<HTMLTemplateElement>('#next-screen')
  if (!link || !next || link.pathname === '/') return
  document.head.append(next.content)
  next.remove()
}
