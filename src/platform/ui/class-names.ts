import { extendTailwindMerge } from 'tailwind-merge'

/**
 * Joins class names; if two set the same property, the later one wins.
 * It has to know our own names, or it would take `text-body` for a colour and drop it next to `text-ink`.
 */
export const cn = extendTailwindMerge({
  extend: {
    theme: {
      text: ['timer', 'hero', 'hero-phone', 'number', 'title', 'heading', 'body', 'control', 'small'],
      radius: ['cell', 'box', 'control', 'large', 'card', 'dialog'],
      shadow: ['1', '2', '3'],
      ease: ['calm'],
      animate: ['spin', 'rise-in', 'fade-in', 'fade-out', 'slide-in', 'slide-out'],
    },
  },
})
