import { clsx } from 'clsx'

/**
 * Joins class names, leaving out false ones. When two class names set the same property, the order in the stylesheet decides, not
 * the order here. Classes that a caller may override have the prefix `base:`. A browser test finds conflicts where the prefix is
 * missing (decision 50).
 */
export const cn = clsx
