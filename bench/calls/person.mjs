// A person as whom a benchmark sends requests: signed up over HTTP, with the cookie of their browser.

/** @typedef {{ address: string, cookie: string }} Person */

/**
 * @param {string} address
 * @param {string} name the start of their email; unique on this server
 * @returns {Promise<Person & { user: string }>} `user` is their id
 */
export async function signUp(address, name) {
  const email = `${name.replace(/\W+/g, '-')}@lindholm.example`
  const nobody = { address, cookie: '' }
  const signedUp = await call(nobody, 'POST', '/api/auth/sign-up/email', {
    name: 'Maren',
    email,
    password: 'correct horse battery',
  })
  const cookie = signedUp.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  return { address, cookie, user: (await signedUp.json()).user.id }
}

/**
 * Throws with the error response if the call fails.
 * @param {Person} person
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
export async function call({ address, cookie }, method, path, body) {
  const response = await fetch(address + path, {
    method,
    headers: { origin: address, cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body ? JSON.stringify(body) : null,
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}
