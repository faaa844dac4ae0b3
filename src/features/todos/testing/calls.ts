export const calls = { path: '/api/todos', added: { title: 'Mine now' } }
