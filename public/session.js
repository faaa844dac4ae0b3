// Asks who is signed in while the app is still on its way, and for what the screen shows first if this device has nothing
// of it. The answers are taken by src/features/account/session/web/session.ts and src/platform/sync/network/early-reads.ts.
{
  const paths = document.currentScript.dataset.reads.split(' ')
  const asked = { headers: { accept: 'application/json' }, cache: 'no-store' }
  let mayRead = true
  try {
    // As they are called in src/features/account/session/web/, stored-account.ts and pending-sign-out.ts.
    globalThis.earlyAccount = localStorage.getItem('daymark-account')
    mayRead = globalThis.earlyAccount === null && localStorage.getItem('daymark-sign-out') === null
  } catch {
    globalThis.earlyAccount = null
  }

  // The local store is open sooner if it was open before.
  if (globalThis.earlyAccount !== null) {
    try {
      const opening = indexedDB.open('daymark')
      // It is not there, and the app makes it.
      opening.onupgradeneeded = () => opening.transaction.abort()
      opening.onsuccess = () => opening.result.close()
      opening.onerror = (event) => event.preventDefault()
    } catch {
      // The app says so.
    }
  }

  const read = async (response) => {
    const { user } = await response.json()
    // As src/platform/sync/network/request.ts reads: as that person or not at all.
    const headers = { ...asked.headers, 'x-daymark-user': user.id }
    const responses = {}
    for (const path of paths) {
      responses[path] = { askedAt: Date.now(), response: fetch(path, { ...asked, headers }) }
      responses[path].response.catch(() => {})
    }
    globalThis.earlyReads = { account: user.id, responses }
  }

  globalThis.earlySession = fetch('/api/auth/get-session', asked).then(async (response) => {
    // Nobody is signed in, or the app will say what is wrong.
    if (mayRead && response.ok) await read(response.clone()).catch(() => {})
    return response
  })
  // Whoever takes it hears of a failure too.
  globalThis.earlySession.catch(() => {})
}
