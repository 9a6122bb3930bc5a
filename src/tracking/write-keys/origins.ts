const pattern = /^(https?):\/\/(\*\.)?([^/?#@\\*\s]+)\/?$/i

/**
 * The normal form of an origin: in lower case, with an ASCII host, and without the default port. The host may begin
 * with `*.`, which means every subdomain. Returns null if the text is not an origin.
 */
export function readOrigin(text: string): string | null {
  const [, scheme = '', wildcard = '', host = ''] = pattern.exec(text.trim()) ?? []
  if (host === '' || !URL.canParse(`${scheme}://${host}`)) return null
  const url = new URL(`${scheme}://${host}`)
  const isDomain = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(url.hostname) && !/^[\d.]+$/.test(url.hostname)
  if (wildcard !== '' && !isDomain) return null
  return `${url.protocol}//${wildcard}${url.host}`
}
