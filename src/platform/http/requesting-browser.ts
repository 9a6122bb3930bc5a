/** The facts about a console request that sign-in needs. */
export type RequestingBrowser = {
  /** The token of the session cookie; null if there is none. */
  token: string | null
  /** The session of the browser; null if it has no valid session. */
  session: {
    sessionId: string
    memberId: string
    isPartial: boolean
    /**
     * The only organization that the session reaches, after single sign-on. null: all organizations of the member.
     */
    ssoOrgId: string | null
    /**
     * The same organization, if the person also uses the account outside of it. Its provider must then neither change
     * the account nor see the passkeys and the other sessions. Otherwise null.
     */
    limitedTo: string | null
    /** Whether the session began with a link of the operator. */
    isRecovery: boolean
  } | null
  /** The token that binds a single sign-on to the browser. */
  attemptToken: string | null
  /** The sign-ins of apps that began in this browser. */
  appSignIns: readonly string[]
  /** Until this time in Unix milliseconds, the person need not confirm again. 0: the person must confirm first. */
  confirmedUntilMs: number
  /** The ways in which the person can confirm: `passkey`, `password`, `sso`. */
  confirmWays: readonly string[]
  /** The address of the console: `https://crosswalk.example`. */
  origin: string
  /** With TLS, the cookie has the prefix __Host-. */
  isSecure: boolean
  /** The address of the client: an IPv4 address, or the /64 of an IPv6 address. */
  network: string
  userAgent: string
}

/** Returns the browser of a request to the console's API. */
export function requireBrowser(browser: RequestingBrowser | null): RequestingBrowser {
  if (browser) return browser
  throw new Error('Only requests through the console reach this endpoint')
}
