import { clsx } from 'clsx'

/**
 * Joins class names, leaving out false ones. When two set the same property, the order in the stylesheet decides, not the
 * order here. Classes that a caller may override have the prefix `base:`; a browser test finds conflicts without it
 * (decision 50).
 */
export const cn = clsx
