import '#platform/ui/styles.css'
import { accountKey, keptAccount } from '#features/account/web/account-on-device.ts'

// All the script of the landing page for those who only visit: the page itself came ready-made. Whoever is signed in
// is welcomed by the app, which takes its place.

if (keptAccount() === null) void welcomeWhoeverIsSignedIn()
else void startApp()

window.addEventListener('storage', ({ key, newValue }) => {
  if (key === accountKey && newValue !== null) void startApp()
})

for (const sign of ['pointerover', 'focusin', 'touchstart']) {
  addEventListener(sign, fetchNextScreen, { passive: true })
}

/** The device may know nothing of an account that the browser is signed in to. */
async function welcomeWhoeverIsSignedIn() {
  const response = await fetch('/api/auth/get-session', {
    headers: { accept: 'application/json' },
    cache: 'no-store',
  }).catch(() => undefined)
  const session: unknown = response?.ok ? await response.json().catch(() => null) : null
  if (session !== null) await startApp()
}

async function startApp() {
  await import('../web.tsx')
}

/** Once somebody is about to leave by one of the links, which lead to another document. */
function fetchNextScreen({ target }: Event) {
  const link = target instanceof Element && target.closest('a')
  const next = document.querySelector<HTMLTemplateElement>('#next-screen')
  if (!link || !next || link.pathname === '/') return
  document.head.append(next.content)
  next.remove()
}
