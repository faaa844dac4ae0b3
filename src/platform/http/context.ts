import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context, Hono } from 'hono'

/** What travels with one request. `user` is set by the door of a signed-in endpoint and by nothing else. */
export interface HttpEnv {
  // Absent in tests that call the application without a socket.
  Bindings: { incoming?: Pick<IncomingMessage, 'socket'>; outgoing?: ServerResponse }
  Variables: {
    requestId: string
    route: string
    user: string
    /** Whom the cookie signs in, where that was found out quickly. */
    signedIn?: SignedIn | undefined
  }
}

export interface SignedIn {
  user: string
  /** Names the sign-in session. */
  token: string
  /** Undefined for somebody who has written nothing yet. */
  revision: string | undefined
}

export type HttpContext = Context<HttpEnv>
export type HttpApp = Hono<HttpEnv>
