// Run by scripts/run before anything else where a swap of `npm run update` was interrupted, from a copy in .update: of the
// checkout itself, half may be of another version.
import { undoInterruptedSwap } from './checkout.mjs'

if (undoInterruptedSwap(process.cwd()))
  process.stderr.write('An update was interrupted: the version before is in place again.\n')
