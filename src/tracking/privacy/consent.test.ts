import { expect, test } from 'vitest'
import { noBrowser } from './browser.ts'
import { readConsent } from './consent.ts'

const both = { analytics: true, ads: true }
const gpc = { ...noBrowser, gpc: true }
const dnt = { ...noBrowser, dnt: true }
const preferences = (categoryPreferences: unknown) => ({ consent: { categoryPreferences } })

test.each<[string, Record<string, unknown>, object]>([
  ['a context without consent', {}, both],
  ['consent that is not an object', { consent: null, consentManagement: 'none' }, both],
  ["Google's names of consent", { consent: { analytics_storage: 'granted', ad_storage: 'granted' } }, both],
  ['null', { consent: { analytics_storage: null } }, both],
  ['analytics denied', { consent: { analytics_storage: 'denied' } }, { analytics: false, ads: true }],
  ['ads denied', { consent: { ad_storage: 'denied' } }, { analytics: true, ads: false }],
  ['a misspelled denial', { consent: { analytics_storage: 'denyed' } }, { analytics: false, ads: true }],
  ['false', { consent: { analytics_storage: false, ad_storage: true } }, { analytics: false, ads: true }],
  [
    "Segment's categories",
    preferences({ Advertising: false, Analytics: true }),
    { analytics: true, ads: false },
  ],
  ["OneTrust's categories", preferences({ C0002: false, C0004: true }), { analytics: false, ads: true }],
  ['other categories', preferences({ Functional: false, DataSharing: false }), both],
  ['a list of categories', preferences(['Analytics']), both],
  [
    "RudderStack's categories",
    { consentManagement: { allowedConsentIds: ['C0001'], deniedConsentIds: ['c0002', 'Marketing', 7] } },
    { analytics: false, ads: false },
  ],
  ['GPC in the context', { gpc: true }, { analytics: true, ads: false }],
  ['cookieless mode', { cookieless: true }, { analytics: false, ads: true }],
  ['Do Not Track that the organization does not respect', { dnt: true }, both],
])('the consent in an event is read: %s', (_what, context, expected) => {
  expect(readConsent(context, noBrowser, false)).toEqual(expected)
})

test('Global Privacy Control counts, and Do Not Track counts only if the organization respects it', () => {
  expect(readConsent({}, gpc, false)).toEqual({ analytics: true, ads: false })
  expect(readConsent({}, dnt, false)).toEqual(both)
  expect(readConsent({}, dnt, true)).toEqual({ analytics: false, ads: true })
  expect(readConsent({ dnt: true }, noBrowser, true)).toEqual({ analytics: false, ads: true })
})
