import type { Consent, ConsentDefault } from './options.ts'

type Signals = { globalPrivacyControl?: boolean; doNotTrack?: string | null }

/** The current state, in the form that events contain. */
export const consent: Required<Consent> = { analytics_storage: 'granted', ad_storage: 'granted' }

let waitsUntil = 0
let respectsDnt = false

export const hasGpc = (): boolean => (navigator as Signals).globalPrivacyControl === true
export const hasDnt = (): boolean => (navigator as Signals).doNotTrack === '1'

/** Whether ids and events may be stored in this browser. */
export const mayStore = (): boolean => consent.analytics_storage === 'granted'

/** Whether click ids of advertisements may be used. */
export const mayUseAds = (): boolean => consent.ad_storage === 'granted' && !hasGpc()

/** The milliseconds for which events wait for an update; 0 or less: they do not wait. */
export const waitMs = (): number => waitsUntil - Date.now()

/** From now on, Do Not Track denies everything. */
export function respectDnt(): void {
  respectsDnt = true
  setConsent('default', consent)
}

export function setConsent(command: 'default' | 'update', given: ConsentDefault): void {
  for (const name of ['analytics_storage', 'ad_storage'] as const) {
    const isDenied = (given[name] ?? consent[name]) !== 'granted' || (respectsDnt && hasDnt())
    consent[name] = isDenied ? 'denied' : 'granted'
  }
  waitsUntil = command === 'default' ? Date.now() + (given.wait_for_update ?? 0) : 0
}
