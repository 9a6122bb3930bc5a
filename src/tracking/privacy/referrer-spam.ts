/**
 * Registrable domains whose operators send invented page views, so that the owner of a site opens the address that the
 * reports show. Sources: domains that most guides on referrer spam of 2014 to 2024 name, and that are also in Matomo's
 * community list of August 2026 (github.com/matomo-org/referrer-spam-list). Never add a site that real people link
 * from.
 */
const domains = new Set([
  ...[
    '100dollars-seo.com',
    '4webmasters.org',
    '7makemoneyonline.com',
    'anticrawler.org',
    'best-seo-offer.com',
  ],
  ...[
    'best-seo-solution.com',
    'blackhatworth.com',
    'bot-traffic.icu',
    'bot-traffic.xyz',
    'buttons-for-website.com',
  ],
  ...[
    'buttons-for-your-website.com',
    'cenoval.ru',
    'copyrightclaims.org',
    'darodar.com',
    'econom.co',
    'erot.co',
  ],
  ...[
    'event-tracking.com',
    'floating-share-buttons.com',
    'free-social-buttons.com',
    'get-free-social-traffic.com',
  ],
  ...['get-free-traffic-now.com', 'guardlink.org', 'hulfingtonpost.com', 'ilovevitaly.co', 'ilovevitaly.com'],
  ...[
    'ilovevitaly.ru',
    'iskalko.ru',
    'kambasoft.com',
    'makemoneyonline.com',
    'o-o-6-o-o.com',
    'o-o-8-o-o.com',
  ],
  ...[
    'priceg.com',
    'rankings-analytics.com',
    'ranksonic.org',
    'savetubevideo.com',
    'semalt.com',
    'semaltmedia.com',
  ],
  ...['share-buttons-for-free.com', 'simple-share-buttons.com', 'social-buttons.com', 'success-seo.com'],
  ...['traffic2money.com', 'trafficbot.life', 'videos-for-your-business.com'],
])

/** Returns whether a host belongs to a domain of the list. @param host in lower case, as the URL parser writes it */
export function isReferrerSpam(host: string): boolean {
  for (let name = host; ; ) {
    if (domains.has(name)) return true
    const dot = name.indexOf('.')
    if (dot === -1) return false
    name = name.slice(dot + 1)
  }
}
