// Asks who is signed in while the app is still on its way, and then for the list that the screen shows, where the device
// does not know them: browsers forget what scripts keep sooner than who is signed in. The answers are taken by
// src/features/account/web/session.ts and src/platform/sync/early-list.ts; where the app was there first, it has asked by
// itself.
{
  const askForList = async (account) => {
    const path = `/api${location.pathname}`
    const kept = localStorage.getItem('daymark-account') !== null
    if (kept || !['/api/todos', '/api/habits', '/api/focus'].includes(path)) return
    if (globalThis.earlyList !== undefined) return
    const askedAt = Date.now()
    const answer = fetch(path, {
      headers: { accept: 'application/json', 'x-daymark-user': account },
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(15_000),
    })
    globalThis.earlyList = { account, path, askedAt, answer }
    await answer
  }

  if (globalThis.earlySession === undefined) {
    globalThis.earlySession = fetch('/api/auth/get-session', {
      headers: { accept: 'application/json' },
      cache: 'no-store',
    })
    // Whoever takes them hears of a failure too.
    globalThis.earlySession
      .then((answer) => answer.clone().json())
      .then((session) => session && askForList(session.user.id))
      .catch(() => {})
  }
}
