import { mayUseAds } from './consent.ts'

/** The source of a session. */
export type Source = { campaign?: Record<string, string>; click_ids?: Record<string, string> }

const utm = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'utm_id']
const clickIds = ['gclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id']
const valueMax = 300

/** The campaign in the address of the page. All other query parameters are ignored, because they may be secret. */
export function sourceOf(search: string): Source {
  const source: Source = {}
  for (const [parameter, value] of new URLSearchParams(search)) {
    const [member, name]: [keyof Source, string] | [] = utm.includes(parameter)
      ? ['campaign', parameter === 'utm_campaign' ? 'name' : parameter.slice(4)]
      : mayUseAds() && clickIds.includes(parameter)
        ? ['click_ids', parameter]
        : []
    if (member && name && value) source[member] = { ...source[member], [name]: value.slice(0, valueMax) }
  }
  return source
}
