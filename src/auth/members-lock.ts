/** The name of the lock on the members of an org. A member who is removed holds it exclusively. */
export const membersLock = (orgId: string): string => `members ${orgId}`
