export type ConsentValue = 'granted' | 'denied'

/** What the visitor allows. The names are those of Google's consent mode. */
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
  /** False: only `page()` counts views. By default each new path does. */
  pages?: boolean
  /** The state until the first update; by default all is granted. */
  consent?: ConsentDefault
  /** True: while `analytics_storage` is denied, views and track events are sent without any id. */
  cookieless?: boolean
  /** True: Do Not Track denies both kinds of storage. */
  respectDnt?: boolean
  /** `server`: the server sets the id cookie. It needs a `host` with the origin of the page. */
  cookie?: 'browser' | 'server'
}

/** JSON: properties of an event, or traits of a person or a group. */
export type Properties = Record<string, unknown>

/** No method throws. A call that is not valid is reported in the console of the browser. */
export type Client = {
  /** Records what a visitor did. */
  track(name: string, properties?: Properties): void
  /** Records a view of the current page. By default, the script calls it itself. */
  page(name?: string, properties?: Properties): void
  /** Says who the visitor is. Later events carry the user id until `reset()`. */
  identify(userId: string, traits?: Properties): void
  identify(traits: Properties): void
  /** Says which company, team or other group the visitor belongs to. */
  group(groupId: string, traits?: Properties): void
  /** Forgets the user and the visitor: call it when somebody signs out. */
  reset(): void
  consent(command: 'default', state: ConsentDefault): void
  consent(command: 'update', state: Consent): void
}
