export type ConsentValue = 'granted' | 'denied'

/** The consent of the visitor. The names are those of Google's consent mode. */
export type Consent = {
  /** Denied: nothing is stored in the browser, and nothing is sent, unless `cookieless` is set. */
  analytics_storage?: ConsentValue
  /** Denied: click ids of advertisements are cut. */
  ad_storage?: ConsentValue
}

export type ConsentDefault = Consent & {
  /** The milliseconds for which events wait in memory for an update. */
  wait_for_update?: number
}

export type Options = {
  /** The address of Crosswalk, or of the proxy path that leads to it, such as `https://www.example.com/cw`. */
  host: string
  /** False: only `page()` records a view. By default, each new path also records one. */
  pages?: boolean
  /** The consent until the first update; by default everything is granted. */
  consent?: ConsentDefault
  /** True: while `analytics_storage` is denied, views and track events are sent without any id. */
  cookieless?: boolean
  /** True: Do Not Track denies both kinds of storage. */
  respectDnt?: boolean
  /** `server`: the server sets the id cookie. It needs a `host` with the origin of the page. */
  cookie?: 'browser' | 'server'
}

/** What the server of the site made with the identity secret, to prove who the user is. */
export type Proof = {
  /** A JWT (HS256) with `sub`, `exp` and, if wanted, `traits`. */
  token?: string
  /** Hex of HMAC-SHA256 of the user id. */
  userHash?: string
}

/** JSON: properties of an event, or traits of a person or a group. */
export type Properties = Record<string, unknown>

/** No method throws. An invalid call is reported in the console of the browser. */
export type Client = {
  /** Records an action of the visitor. */
  track(name: string, properties?: Properties): void
  /** Records a view of the current page. By default, the script calls it itself. */
  page(name?: string, properties?: Properties): void
  /** Identifies the visitor. Later events contain the user id until `reset()`. */
  identify(userId: string, traits?: Properties, proof?: Proof): void
  identify(traits: Properties): void
  /** Records the company, team or other group of the visitor. */
  group(groupId: string, traits?: Properties): void
  /** Forgets the user and the visitor: call it when somebody signs out. */
  reset(): void
  consent(command: 'default', state: ConsentDefault): void
  consent(command: 'update', state: Consent): void
}
