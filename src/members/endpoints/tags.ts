// The values that all endpoints of a tag share.

/** Endpoints with which an organization manages its members. */
export const membersTag = { tag: 'Members', audience: 'console', effect: 'none' } as const

/** Endpoints of the person who signs in or is signed in, whatever their permissions. */
export const sessionTag = { tag: 'Session', audience: 'console', permission: null, effect: 'none' } as const
