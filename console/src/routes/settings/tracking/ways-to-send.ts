import type { WriteKey } from '../../../../../sdk/src/generated/types.ts'

export type WayToSend = {
  id: 'snippet' | 'segment' | 'rudder' | 'jitsu' | 'curl'
  name: string
  about: string
  code: string
}

/**
 * The ways to send events with a write key, and their set-up.
 * @param snippet the HTML that loads Crosswalk's own script
 * @param host the address of this server
 */
export const waysToSend = (
  { key, origins }: Pick<WriteKey, 'key' | 'origins'>,
  snippet: string,
  host: string,
): readonly WayToSend[] => [
  {
    id: 'snippet',
    name: 'Crosswalk',
    about: 'Put this into the head of each page. It sends page views, even if a router changes the path.',
    code: snippet,
  },
  {
    id: 'segment',
    name: 'Segment',
    about: 'The package @segment/analytics-next. Crosswalk is its only destination.',
    code: `import { AnalyticsBrowser } from '@segment/analytics-next'

const analytics = AnalyticsBrowser.load({ writeKey: '${key}', cdnURL: '${host}' })
analytics.page()
analytics.track('Signed Up', { plan: 'pro' })`,
  },
  {
    id: 'rudder',
    name: 'RudderStack',
    about: 'The package @rudderstack/analytics-js. Crosswalk is its only destination.',
    code: `import { RudderAnalytics } from '@rudderstack/analytics-js'

const analytics = new RudderAnalytics()
analytics.load('${key}', '${host}', { configUrl: '${host}' })
analytics.page()
analytics.track('Signed Up', { plan: 'pro' })`,
  },
  {
    id: 'jitsu',
    name: 'Jitsu',
    about: 'The package @jitsu/js.',
    code: `import { jitsuAnalytics } from '@jitsu/js'

const analytics = jitsuAnalytics({ writeKey: '${key}', host: '${host}' })
analytics.page()
analytics.track('Signed Up', { plan: 'pro' })`,
  },
  {
    id: 'curl',
    name: 'curl',
    about: 'One event, to see whether it arrives.',
    code: `curl -u "${key}:" \\
  -H "Content-Type: application/json" \\${originHeader(origins)}
  -d '{"anonymousId": "try", "event": "Tried", "properties": {"from": "a terminal"}}' \\
  "${host}/v1/track"`,
  },
]

/** A browser names the site of the page. A program must do so too, if the key is only for some sites. */
const originHeader = ([first]: readonly string[]): string =>
  first === undefined
    ? ''
    : `
  -H "Origin: ${first.replace('//*.', '//www.')}" \\`
