export const calls = { path: '/api/focus', added: { duration: 60 }, edited: { todo_id: null } }
