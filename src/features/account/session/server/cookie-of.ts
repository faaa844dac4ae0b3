/** The raw value of one of the cookies in a header; the first one of that name, as better-auth also chooses. */
export function cookieOf(cookies: string, cookieName: string): string | undefined {
  const start = `${cookieName}=`
  const found = cookies
    .split(';')
    .map((text) => text.trim())
    .find((text) => text.startsWith(start))
  return found?.slice(start.length)
}
