import { membersOf } from '../../platform/members.ts'
import { readUrl } from '../../platform/read-url.ts'
import { storableText } from './ids.ts'

const campaignMembers = ['source', 'medium', 'name', 'term', 'content'] as const
const clickIds = ['gclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id'] as const
const textMax = 200

/** Where a visitor came from. Members without a value are absent. */
export type Source = {
  source?: string
  medium?: string
  campaign?: string
  term?: string
  content?: string
  /** The name of the click id in the address, which identifies the advertising network. */
  ad_click?: string
  /** The host of the referrer, if it is another site. */
  referrer_host?: string
}

type Members = Readonly<Record<string, unknown>>

/**
 * Where a visitor came from, according to the campaign, the click id and the referrer of an event; null: none of them
 * is known, which is usual for later events of a session.
 * @param ads whether the visitor agreed to click ids
 */
export function sourceOf(
  context: Members,
  properties: Members,
  { referrerHost, ads }: { referrerHost: string | null; ads: boolean },
): Source | null {
  const page = membersOf(context.page)
  const query = queryOf(page) ?? queryOf(properties)
  const source: Source = {}
  const campaign = membersOf(context.campaign)
  for (const member of campaignMembers) {
    const name = member === 'name' ? 'campaign' : member
    const text = textOf(campaign[member]) ?? textOf(query?.get(`utm_${name}`))
    if (text !== null) source[name] = text
  }
  const sent = membersOf(context.click_ids)
  const clickId = ads ? clickIds.find((name) => sent[name] || query?.has(name)) : undefined
  if (clickId !== undefined) source.ad_click = clickId
  if (referrerHost !== null && siteOf(referrerHost) !== siteOf(hostOf(page.url ?? properties.url)))
    source.referrer_host = referrerHost
  return Object.keys(source).length === 0 ? null : source
}

/** Returns the query of a page; undefined: the query names no source. */
function queryOf({ search, url }: Members): URLSearchParams | undefined {
  const text = typeof search === 'string' && search !== '' ? search : url
  if (typeof text !== 'string' || !/utm_|clid=|braid=|fat_id=/.test(text)) return undefined
  return new URLSearchParams(text.replace(/^[^?]*\?/s, '').replace(/#.*$/s, ''))
}

const siteOf = (host: string) => host.replace(/^www\./, '')

const hostOf = (address: unknown) => readUrl(address)?.hostname ?? ''

function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null
  return storableText(storableText(value).slice(0, textMax))
}
