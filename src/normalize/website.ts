import { readDomain } from './domain.ts'

/** Hosts with pages or mailboxes of many companies. Neither these hosts nor their subdomains identify a company. */
const sharedHosts: ReadonlySet<string> = new Set(
  [
    'facebook.com fb.com fb.me instagram.com linkedin.com lnkd.in x.com twitter.com t.co tiktok.com youtube.com',
    'youtu.be pinterest.com threads.net xing.com vk.com whatsapp.com wa.me t.me telegram.me discord.gg',
    'linktr.ee bit.ly goo.gl g.page google.com yelp.com tripadvisor.com crunchbase.com',
    'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com icloud.com me.com aol.com',
    'gmx.com gmx.net gmx.de web.de t-online.de orange.fr wanadoo.fr free.fr libero.it proton.me protonmail.com',
    'mail.ru yandex.ru qq.com 163.com 126.com',
  ].flatMap((line) => line.split(' ')),
)

/** Returns the company's domain. null if the text is not a web address, or if many companies share its host. */
export function domainOfWebsite(website: string): string | null {
  const read = readDomain(website)
  if (!('domain' in read)) return null
  const labels = read.domain.split('.')
  return labels.some((_, index) => sharedHosts.has(labels.slice(index).join('.'))) ? null : read.domain
}
