import { lazyPart } from '#platform/ui/lazy-part.tsx'

// Nobody drags anything before the screen is there.

export const LazyListDrag = lazyPart(() => import('./list-drag.tsx'), 'ListDrag', 'after the screen')
export const LazyTakesTodos = lazyPart(() => import('./takes-todos.tsx'), 'TakesTodos', 'after the screen')
