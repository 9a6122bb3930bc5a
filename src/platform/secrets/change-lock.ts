/** Each transaction that seals a secret shares this lock. A change of the active key locks it exclusively. */
export const changeLock = 'encryption key'
