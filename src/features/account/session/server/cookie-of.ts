/** The raw value of one cookie in the header. If several have the name, the first one counts, as in better-auth. */
export function cookieOf(cookies: string, cookieName: string): string | undefined {
  const start = `${cookieName}=`
  const found = cookies
    .split(';')
    .map((text) => text.trim())
    .find((text) => text.startsWith(start))
  return found?.slice(start.length)
}
