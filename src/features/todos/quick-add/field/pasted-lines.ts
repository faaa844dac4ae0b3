import { titleProblem } from '#features/todos/todo/web/use-title-editor.ts'
import { toast } from '#platform/ui/toasts/toast.ts'

/** The most tasks that one paste can add. */
const mostLines = 200

/** The titles in pasted text, one per line. Returns undefined if they cannot all be added, and tells the person why. */
export function titlesIn(text: string): string[] | undefined {
  const titles = text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (titles.length > mostLines) {
    return refuse(`You pasted ${titles.length} lines. At most ${mostLines} can be added at once.`)
  }
  for (const [place, title] of titles.entries()) {
    const problem = titleProblem(title)
    if (problem !== undefined) return refuse(`Line ${place + 1}: ${problem}`)
  }
  return titles
}

function refuse(description: string): undefined {
  toast.warning('No task was added', { description })
}
