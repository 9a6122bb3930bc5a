const place = 'crosswalk.link'

/** Reads the token of the link from the address, or the token that was stored before a single sign-on. */
export const readToken = (): string => location.hash.slice(1) || (sessionStorage.getItem(place) ?? '')

/**
 * The page to which a single sign-on returns, and the work to do before the sign-on. The token stays in this tab: in the
 * address of the sign-on it would reach the logs of proxies.
 */
export const returnToLink = (token: string) => ({
  returnTo: '/console/invite',
  onLeave: () => sessionStorage.setItem(place, token),
})
