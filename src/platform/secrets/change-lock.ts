/** Each transaction that seals a secret shares this lock. A change of the active key has it alone. */
export const changeLock = 'encryption key'
