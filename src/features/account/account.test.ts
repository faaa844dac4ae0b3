import { describe, expect, test } from 'vitest'
import { signInSchema, signUpFormSchema } from './account.ts'

const right = {
  name: 'Maren-Lind',
  email: 'maren@lindholm.example',
  password: 'correct horse',
  confirmPassword: 'correct horse',
}

/** Field → its first message, as the form shows them. */
function complaints(form: object): Record<string, string> {
  const { error } = signUpFormSchema.safeParse({ ...right, ...form })
  const byField: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) byField[path.join('.')] ??= message
  return byField
}

describe('a sign-up form', () => {
  test('that is filled in rightly is accepted', () => {
    expect(complaints({})).toEqual({})
  })

  test.each([
    ['', 'Name must be at least 3 characters'],
    ['Jo', 'Name must be at least 3 characters'],
    ['J'.repeat(31), 'Name must not exceed 30 characters'],
    ['9lives', 'Name must start with a letter and contain only letters, numbers, or dashes'],
    ['Maren Lind', 'Name must start with a letter and contain only letters, numbers, or dashes'],
    ['Maren!', 'Name must start with a letter and contain only letters, numbers, or dashes'],
  ])('is refused with the name %j', (name, message) => {
    expect(complaints({ name })).toEqual({ name: message })
  })

  test.each(['Åse', 'J'.repeat(30), 'a_b-9'])('is accepted with the name %j', (name) => {
    expect(complaints({ name })).toEqual({})
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

  test('says on the confirmation that passwords differ', () => {
    expect(complaints({ confirmPassword: 'correct house' })).toEqual({
      confirmPassword: "Passwords don't match",
    })
  })

  test('says that passwords differ together with everything else that is wrong', () => {
    expect(
      complaints({ email: 'maren@lindholm', password: 'short', confirmPassword: 'not so short' }),
    ).toEqual({
      email: 'Please enter a valid email address',
      password: 'Password must be at least 8 characters long',
      confirmPassword: "Passwords don't match",
    })
  })
})

test('a login is refused with a bad email and a short password, each in its own words', () => {
  const { error } = signInSchema.safeParse({ email: 'maren', password: '1234567' })
  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['email', 'Please enter a valid email address'],
    ['password', 'Password must be at least 8 characters long'],
  ])
})
