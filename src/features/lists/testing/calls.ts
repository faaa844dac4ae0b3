export const calls = { path: '/api/lists', added: { name: 'Mine now' } }
