const pattern = /^(https?):\/\/(\*\.)?([^/?#@\\*\s]+)\/?$/i
// URL accepts hosts such as `a;b`. In a Content-Security-Policy, a semicolon would begin another rule.
const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/**
 * The normal form of an origin: in lower case, with an ASCII host, and without the default port. The host may begin
 * with `*.`, which means every subdomain. Returns null if the text is not an origin.
 */
export function readOrigin(text: string): string | null {
  const [, scheme = '', wildcard = '', host = ''] = pattern.exec(text.trim()) ?? []
  if (host === '' || !URL.canParse(`${scheme}://${host}`)) return null
  const url = new URL(`${scheme}://${host}`)
  if (!hostPattern.test(url.hostname)) return null
  const isDomain = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(url.hostname) && !/^[\d.]+$/.test(url.hostname)
  if (wildcard !== '' && !isDomain) return null
  return `${url.protocol}//${wildcard}${url.host}`
}
