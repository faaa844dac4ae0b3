export const calls = {
  path: '/api/pauses',
  added: { from_day: '2026-11-01', to_day: '2026-11-02' },
  edited: { to_day: null },
}
