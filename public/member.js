// Says before the first paint of the ready-made landing page whether this device knows an account: whoever has one is
// about to be welcomed, and is not offered to sign in for a moment.
try {
  if (localStorage.getItem('daymark-account')) document.documentElement.dataset.member = ''
} catch {
  // A browser that forbids storage knows nobody.
}
