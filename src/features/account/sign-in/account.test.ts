import { describe, expect, test } from 'vitest'
import { passwordChangeFormSchema, profileFormSchema, signInSchema, signUpFormSchema } from './account.ts'

const right = {
  name: 'Maren-Lind',
  email: 'maren@lindholm.example',
  password: 'correct horse',
  confirmPassword: 'correct horse',
}

/** Field → its first message, as the form shows it. */
function complaints(form: object): Record<string, string> {
  const { error } = signUpFormSchema.safeParse({ ...right, ...form })
  const byField: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) byField[path.join('.')] ??= message
  return byField
}

describe('a sign-up form', () => {
  test('is accepted when it is filled in correctly', () => {
    expect(complaints({})).toEqual({})
  })

  test.each([
    ['', 'Name must be at least 3 characters'],
    ['Jo', 'Name must be at least 3 characters'],
    ['J'.repeat(31), 'Name must not exceed 30 characters'],
    ['9lives', 'Name must start with a letter and contain only letters, numbers, or dashes'],
    ['Maren!', 'Name must start with a letter and contain only letters, numbers, or dashes'],
    ['Maren  Lind', 'Name must start with a letter and contain only letters, numbers, or dashes'],
    ['Maren\u00a0Lind', 'Name must start with a letter and contain only letters, numbers, or dashes'],
    ['Maren\tLind', 'Name must start with a letter and contain only letters, numbers, or dashes'],
    ["'Maren", 'Name must start with a letter and contain only letters, numbers, or dashes'],
    ['Maren 🙂', 'Name must start with a letter and contain only letters, numbers, or dashes'],
    ['Maren\u200dLind', 'Name must start with a letter and contain only letters, numbers, or dashes'],
    ['\u0301Maren', 'Name must start with a letter and contain only letters, numbers, or dashes'],
  ])('is refused with the name %j', (name, message) => {
    expect(complaints({ name })).toEqual({ name: message })
  })

  test.each([
    'Åse',
    'J'.repeat(30),
    'a_b-9',
    'Maren Lind',
    "Siobhán O'Neill",
    'Martin Luther King Jr.',
    'Anne-Marie Le Pen 3',
    'Нина Петрова',
    'Ελένη Παππά',
    '김철수',
    '李小龍',
    'मीरा शर्मा',
    'ශ්\u200dරී දේවි',
    'علی\u200cرضا',
    'ʻAkahi',
  ])('is accepted with the name %j, which stays as it is', (name) => {
    expect(complaints({ name })).toEqual({})
    expect(profileFormSchema.parse({ name })).toEqual({ name })
  })

  test.each([
    ['spaces around a name', '  Maren Lind ', 'Maren Lind'],
    ['the apostrophe of a phone', 'Siobhán O’Neill', "Siobhán O'Neill"],
    ['a letter that was put together of two', 'Zoe\u0308', 'Zoë'],
  ])('takes %s, and stores its one canonical spelling', (_, typed, name) => {
    expect(signUpFormSchema.parse({ ...right, name: typed }).name).toBe(name)
  })

  test('counts the characters of a name, however many bytes they take', () => {
    expect(complaints({ name: '𠮷田' })).toEqual({ name: 'Name must be at least 3 characters' })
    expect(complaints({ name: '𠮷'.repeat(30) })).toEqual({})
    expect(complaints({ name: '𠮷'.repeat(31) })).toEqual({ name: 'Name must not exceed 30 characters' })
    expect(complaints({ name: 'e\u0301'.repeat(30) })).toEqual({})
  })

  test.each(['', 'maren', 'maren@lindholm', 'a@b@c.example'])('is refused with the email %j', (email) => {
    expect(complaints({ email })).toEqual({ email: 'Please enter a valid email address' })
  })

  test('is refused with a password of seven characters', () => {
    expect(complaints({ password: '1234567', confirmPassword: '1234567' })).toEqual({
      password: 'Password must be at least 8 characters long',
      confirmPassword: 'Password must be at least 8 characters long',
    })
  })

  test('reports on the confirmation that the passwords differ', () => {
    expect(complaints({ confirmPassword: 'correct house' })).toEqual({
      confirmPassword: "Passwords don't match",
    })
  })

  test('reports that the passwords differ together with everything else that is wrong', () => {
    expect(
      complaints({ email: 'maren@lindholm', password: 'short', confirmPassword: 'not so short' }),
    ).toEqual({
      email: 'Please enter a valid email address',
      password: 'Password must be at least 8 characters long',
      confirmPassword: "Passwords don't match",
    })
  })
})

test('a login is refused with a bad email and a short password, each with its own message', () => {
  const { error } = signInSchema.safeParse({ email: 'maren', password: '1234567' })
  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['email', 'Please enter a valid email address'],
    ['password', 'Password must be at least 8 characters long'],
  ])
})

describe('the form of a password change', () => {
  const right = {
    currentPassword: 'correct horse',
    newPassword: 'battery staple',
    confirmNewPassword: 'battery staple',
  }
  const complaintsOfChange = (form: object) =>
    passwordChangeFormSchema
      .safeParse({ ...right, ...form })
      .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

  test('is accepted when it is filled in correctly', () => {
    expect(complaintsOfChange({})).toBeUndefined()
  })

  test('says which of the passwords is too short', () => {
    const short = { currentPassword: '1234567', newPassword: '1234567', confirmNewPassword: '1234567' }
    expect(complaintsOfChange(short)).toEqual([
      'currentPassword: Current password must be at least 8 characters long',
      'newPassword: New password must be at least 8 characters long',
      'confirmNewPassword: Confirm password must be at least 8 characters long',
    ])
  })

  test('reports on the confirmation that the passwords differ, together with what else is wrong', () => {
    expect(complaintsOfChange({ currentPassword: '', confirmNewPassword: 'battery stable' })).toEqual([
      'currentPassword: Current password must be at least 8 characters long',
      "confirmNewPassword: Passwords don't match",
    ])
  })

  test('accepts a new password that sign-up would accept, and no other', () => {
    const changedTo = (password: string) =>
      complaintsOfChange({ newPassword: password, confirmNewPassword: password })
    expect(changedTo('p'.repeat(128))).toBeUndefined()
    expect(changedTo('p'.repeat(129))).toEqual(['newPassword: New password must not exceed 128 characters'])
    expect(changedTo('nothing\0more')).toEqual([
      "newPassword: New password contains characters that can't be stored",
    ])
  })
})
