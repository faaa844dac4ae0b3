export const calls = {
  path: '/api/habits',
  added: { name: 'Mine now', start_date: '2026-11-01' },
  edited: { name: 'Mine too' },
}
