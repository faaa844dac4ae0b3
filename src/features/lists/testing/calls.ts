export const calls = { path: '/api/lists', added: { name: 'Mine now' }, edited: { name: 'Mine too' } }
