// Before the first paint of the prerendered landing page, marks a device that has stored an account: its person is
// about to be welcomed, and must not be offered to sign in for a moment.
try {
  if (localStorage.getItem('daymark-account')) document.documentElement.dataset.hasAccount = ''
} catch {
  // A browser that forbids storage has stored no account.
}
