import { domainToASCII } from 'node:url'

const hostMax = 253
// A longer name would have more than 253 characters in ASCII.
const inputMax = 512
const asciiHost =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
// ASCII characters that no host name has. url.domainToASCII would read '/', ':' or '%41' as parts of a URL.
const foreignAscii = /[\0-,/:-@[-`{-\x7f]/
// Hyphens at the ends of labels. They must be found before the conversion to punycode.
const outerHyphen = /(?:^|[.。])-|-(?:[.。]|$)/
const unsafe = /[\p{C}\p{Z}]/u
const nonAscii = /[^\0-\x7f]/

/**
 * Converts a host name to lower-case ASCII (punycode, UTS 46, RFC 1035 lengths). A name needs two labels, and a letter
 * in the last one: IP addresses are rejected. Returns null if the value is not a host name.
 */
export function toAsciiHost(value: string): string | null {
  if (value.length > inputMax) return null
  let host = value.toLowerCase()
  if (nonAscii.test(host)) {
    if (foreignAscii.test(host) || unsafe.test(host) || outerHyphen.test(host.normalize('NFKC'))) return null
    host = domainToASCII(host)
  }
  return host.length <= hostMax && asciiHost.test(host) ? host : null
}

/**
 * The host of a domain or web address in ASCII lower case, without `www.`: `https://www.Acme.com/x` and `WWW.ACME.COM.`
 * give `acme.com`. Public suffixes are not checked. Never throws.
 */
export function readDomain(value: string): { domain: string } | { problem: string } {
  const text = value.trim().slice(0, inputMax * 4)
  const authority = text
    .replace(/^[a-z][a-z0-9+.-]*:[/\\]{2}|^[/\\]{2}/i, '')
    .replace(/[/\\?#].*$/s, '')
    .replace(/^.*@/s, '')
  const host = toAsciiHost(authority.replace(/:\d*$/, '').replace(/[.。．｡]$/, ''))
  if (host === null) {
    return { problem: 'value is not a valid domain: write a name with a period in it, such as acme.com' }
  }
  let domain = host
  while (domain.startsWith('www.') && domain.indexOf('.', 4) !== -1) domain = domain.slice(4)
  return { domain }
}
