import { lazyPart } from '#platform/ui/lazy-part.tsx'

export const LazySubjectName = lazyPart(() => import('./subject-name.tsx'), 'SubjectName', 'with the screen')
