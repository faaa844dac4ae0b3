/** How many writes of the account have not reached the server yet. */
export declare function waiting(account: string): Promise<number>

/** Sends what is queued. False when it cannot now (no connection, signed out, or not within ten seconds). */
export declare function drain(account: string): Promise<boolean>

/** Forgets everything of the account on this device, unsent writes included; its other tabs reload. */
export declare function wipe(account: string): Promise<void>
