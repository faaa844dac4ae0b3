const name = 'sidebar_state'
const sevenDays = 604_800

/** Whether the sidebar was open last time; open by default. */
export function readSidebarOpen(cookies: string): boolean {
  return !cookies.split('; ').includes(`${name}=false`)
}

export function sidebarCookie(open: boolean): string {
  return `${name}=${open}; path=/; max-age=${sevenDays}; SameSite=Lax`
}
