export const calls = { path: '/api/focus', added: { duration: 60 } }
