/** The name of the lock on the members of an org. Removing a member, or changing a role, locks it exclusively. */
export const membersLock = (orgId: string): string => `members ${orgId}`
