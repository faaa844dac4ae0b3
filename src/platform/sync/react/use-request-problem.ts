import { useState } from 'react'
import { type RequestProblem, RequestProblemError } from '../network/request-problem.ts'

/** Why the last read failed, even while it is retried; undefined once something has been read. */
export function useRequestProblem(error: Error | null, isRead: boolean): RequestProblem | undefined {
  const [last, setLast] = useState<RequestProblem>()
  const problem = isRead ? undefined : error ? problemOf(error) : last
  if (problem !== last) setLast(problem)
  return problem
}

/** A response of an unexpected shape counts as a server error too. */
function problemOf(error: Error): RequestProblem {
  return error instanceof RequestProblemError ? error.problem : 'broken'
}
