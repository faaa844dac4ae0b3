import * as z from 'zod/mini'

// Otherwise zod tries at the first schema whether it may write code. Our Content-Security-Policy forbids that, and the error costs
// the first screen more than all of its schemas.
z.config({ jitless: true })
