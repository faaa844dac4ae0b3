export const calls = {
  path: '/api/todos',
  added: { title: 'Mine now' },
  edited: { completed: 0, title: 'Mine too' },
}
