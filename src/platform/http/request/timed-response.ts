import { ServerResponse } from 'node:http'

/**
 * Node's response object, created when the headers of the request have arrived. `arrivedAt` is on the `performance` clock.
 */
export class TimedResponse extends ServerResponse {
  readonly arrivedAt = performance.now()
}
