import * as z from 'zod/mini'

// By default, zod's first schema tests whether it may generate code. Our Content-Security-Policy forbids that, and the error
// costs the first screen more time than all of its schemas.
z.config({ jitless: true })
