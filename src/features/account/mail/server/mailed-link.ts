/** How often links from mails may be followed. */
export const linkLimit = { name: 'mail-link', max: 10, seconds: 60 }
