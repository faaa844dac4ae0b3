/** How often a link that was sent may be followed. */
export const linkLimit = { name: 'mail-link', max: 10, seconds: 60 }
