import { ServerResponse } from 'node:http'

/** The response on a socket, which Node creates when the headers of its request have arrived. */
export class TimedResponse extends ServerResponse {
  readonly arrivedAt = performance.now()
}
