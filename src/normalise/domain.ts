import { domainToASCII } from 'node:url'

const hostMax = 253
// Longest input worth converting: an international name is never that much longer than its ASCII form.
const inputMax = 512
const asciiHost =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
// ASCII that cannot be in a host. url.domainToASCII would read '/', ':' or '%41' as parts of a URL.
const foreignAscii = /[\0-,/:-@[-`{-\x7f]/
// Punycode would hide it.
const outerHyphen = /(?:^|[.。])-|-(?:[.。]|$)/
const unsafe = /[\p{C}\p{Z}]/u
const nonAscii = /[^\0-\x7f]/

/**
 * A host name of at least two labels in lower-case ASCII (punycode, UTS 46, RFC 1035 lengths), or null when it is
 * none. The last label has a letter in it, so no IP address passes.
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
 * The host of a domain or web address in ASCII lower case, without a leading `www.`: `https://www.Acme.com/x` and
 * `WWW.ACME.COM.` are both `acme.com`. Knows no public suffixes. Never throws.
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
