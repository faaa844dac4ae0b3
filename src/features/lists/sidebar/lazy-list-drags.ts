import { lazyPart } from '#platform/ui/lazy-part.tsx'

// Load these after the screen: nobody can drag anything before that.

export const LazyListDrag = lazyPart(() => import('./list-drag.tsx'), 'ListDrag', 'after the screen')
export const LazyTakesTodos = lazyPart(() => import('./takes-todos.tsx'), 'TakesTodos', 'after the screen')
