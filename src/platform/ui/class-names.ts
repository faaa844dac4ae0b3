import { clsx } from 'clsx'

/**
 * Joins class names, without those that are false. Of two that set the same property, the place in the stylesheet decides, not
 * the order here: what a caller may override is written with `base:`, and a browser test finds what is not (decision 50).
 */
export const cn = clsx
