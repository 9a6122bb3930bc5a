import { isObject } from '../../platform/members.ts'
import type { Browser } from './browser.ts'

/** The consent of a visitor, according to an event and its request. */
export type TrackingConsent = {
  /** Whether the event may be stored with an id. */
  analytics: boolean
  /** Whether click ids of advertisements may be stored. */
  ads: boolean
}

type Members = Readonly<Record<string, unknown>>

/** Names and ids that consent managers give to their categories, in lower case. C0002 and C0004 are OneTrust's. */
const analyticsCategories = new Set(['analytics', 'analytics_storage', 'performance', 'statistics', 'c0002'])
const adCategories = new Set(['advertising', 'ads', 'ad_storage', 'marketing', 'targeting', 'c0004'])

/**
 * The consent of one event. If neither the event nor its request mentions consent, both kinds are granted: the page
 * decides whether it loads a client.
 * @param respectsDnt whether Do Not Track counts as a denial of analytics
 */
export function readConsent(context: Members, browser: Browser, respectsDnt: boolean): TrackingConsent {
  const { consent, consentManagement } = context
  const sent = isObject(consent) ? consent : noMembers
  const denied = deniedCategories(sent, isObject(consentManagement) ? consentManagement : noMembers)
  const noAnalytics =
    isDenied(sent.analytics_storage) ||
    denied.some((name) => analyticsCategories.has(name)) ||
    context.cookieless === true ||
    (respectsDnt && (browser.dnt || context.dnt === true))
  const noAds =
    isDenied(sent.ad_storage) || denied.some((name) => adCategories.has(name)) || sendsGpc(context, browser)
  return { analytics: !noAnalytics, ads: !noAds }
}

/** Returns whether the browser of an event sends Global Privacy Control. */
const sendsGpc = (context: Members, browser: Browser): boolean => browser.gpc || context.gpc === true

const noMembers: Members = {}

/** Every word except `granted` denies: a misspelled denial must not become a consent. */
const isDenied = (word: unknown) => word !== undefined && word !== null && word !== true && word !== 'granted'

/**
 * The categories, in lower case, that Segment's `context.consent.categoryPreferences` or RudderStack's
 * `context.consentManagement.deniedConsentIds` denies.
 */
function deniedCategories({ categoryPreferences }: Members, { deniedConsentIds }: Members): string[] {
  const preferences = isObject(categoryPreferences) ? Object.entries(categoryPreferences) : []
  const ids = Array.isArray(deniedConsentIds) ? deniedConsentIds : []
  return [...preferences.filter(([, word]) => isDenied(word)).map(([name]) => name), ...ids].map((name) =>
    String(name).toLowerCase(),
  )
}
