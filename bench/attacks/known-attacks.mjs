// What one account, or a client without one, can do to take the server away from everyone else. attacker.mjs runs each
// attack in a process of its own, against an account that `prepare` filled; ../attacks.mjs measures the effect on
// others.
import { costlyRequests } from './costly-requests.mjs'
import { habits } from './habits.mjs'
import { longLists } from './long-lists.mjs'
import { repeats } from './repeats.mjs'
import { tags } from './tags.mjs'

export const knownAttacks = [...longLists, ...costlyRequests, ...repeats, ...tags, ...habits]
