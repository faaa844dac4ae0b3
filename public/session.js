// Asks who is signed in while the app is still on its way. The answer is taken by src/features/account/web/session.ts;
// where the app was there first, it has asked by itself.
if (globalThis.earlySession === undefined) {
  try {
    // As it is called in src/features/account/web/stored-account.ts.
    globalThis.earlyAccount = localStorage.getItem('daymark-account')
  } catch {
    globalThis.earlyAccount = null
  }
  globalThis.earlySession = fetch('/api/auth/get-session', {
    headers: { accept: 'application/json' },
    cache: 'no-store',
  })
  // Whoever takes it hears of a failure too.
  globalThis.earlySession.catch(() => {})
}
